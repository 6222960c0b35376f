// archs: 90 100
// TMA copies in im2col mode on the device: loads of every case against a convolution unfolded by its definition, stores
// against the same pixels written one by one, ragged edges, strides, dilations and swizzles included.
#include "../support/im2col_cases.hpp"
#include "support/device.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;
using namespace tilewright::im2col_test;

template <class Operation, class T, class L, class Smem, class Windows>
auto copy_of(T* images, L const& layout, Smem const& smem, Windows const& windows) {
  return with_windows(
      [&](auto const&... w) {
        return make_im2col_tma_copy(Operation{}, make_tensor(make_gmem_ptr(images), layout), smem, w...);
      },
      windows, make_seq<rank_v<L> - 2>{});
}

template <class T, class L, class Smem>
void test_load(char const* name, L const& layout, Smem const& smem, filters const& f) {
  images<L> const x{layout};
  auto const tensor = random_bits<T>(static_cast<std::size_t>(cosize(layout)), sizeof(T));
  device_array<T> const from(tensor);
  tiles const n = tiles_of(x, f, smem);
  int const each = static_cast<int>(size(smem)), rows = static_cast<int>(size<0>(smem));
  device_array<T> to(static_cast<std::size_t>(n.all() * each));
  to.poison();
  auto const tma = copy_of<SM90_TMA_LOAD_IM2COL>(from.data(), layout, smem, [&](int i) { return f.along[i].window(); });
  launch_cuda_and_wait({.grid = unsigned(n.all()), .block = 64}, load_pixels<T, rank_v<L> - 2>{}, tma, smem, f, n,
                       to.data());
  auto const out = to.host();
  for (int b = 0; b < n.all(); ++b) {
    for (int i = 0; i < each; ++i) {
      T const expected =
          element_of_matrix(x, f, b / (n.pixels * n.channels), b % n.pixels * rows + i % rows,
                            b / n.pixels % n.channels * static_cast<int>(size<1>(smem)) + i / rows,
                            [&](bool in, long long at) { return in ? tensor[static_cast<std::size_t>(at)] : T{}; });
      expect(out[static_cast<std::size_t>(b * each + i)] == expected, name, b * each + i);
    }
  }
}

template <class T, class L, class Smem, class Windows>
void test_store(char const* name, L const& layout, Smem const& smem, Windows const& w) {
  images<L> const x{layout};
  auto expected = random_bits<T>(static_cast<std::size_t>(cosize(layout)), 1);
  device_array<T> const to(expected);
  filters f{};
  tiles const n = tiles_of(x, f, smem);
  auto const in = random_bits<T>(static_cast<std::size_t>(n.all() * static_cast<int>(size(smem))), 2);
  device_array<T> const from(in);
  auto const tma = copy_of<SM90_TMA_STORE_IM2COL>(to.data(), layout, smem, [&](int i) { return w.along[i]; });
  launch_cuda_and_wait({.grid = unsigned(n.all()), .block = 64}, store_pixels<T>{}, tma, smem, n,
                       static_cast<T const*>(from.data()));
  for_each_stored(x, w, n, smem, [&](std::size_t there, std::size_t here) { expected[there] = in[here]; });
  auto const out = to.host();
  for (std::size_t i = 0; i < out.size(); ++i) expect(out[i] == expected[i], name, static_cast<long long>(i));
}

int main() {
  return run("tma im2col", [] {
    for_each_case([](char const* name, auto element, auto layout, auto smem, filters const& f) {
      test_load<decltype(element)>(name, layout, smem, f);
    });
    for_each_store([](char const* name, auto element, auto layout, auto smem, auto const& w) {
      test_store<decltype(element)>(name, layout, smem, w);
    });
  });
}
