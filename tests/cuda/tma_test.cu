// archs: 90 100
// TMA loads, stores and sums on the device: every case against the tensor element by element, ragged edges and swizzles
// included.
#include "../support/tma_cases.hpp"
#include "support/device.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;
using namespace tilewright::tma_test;

template <class T, class Layout, class Tiler, class Smem>
void test_load(char const* name, Layout const& layout, Tiler const& tiler, Smem const& smem) {
  auto const tensor = random_bits<T>(static_cast<std::size_t>(cosize(layout)), sizeof(T));
  device_array<T> const from(tensor);
  int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
  device_array<T> to(static_cast<std::size_t>(tiles * each));
  to.poison();
  auto const tma = make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(from.data()), layout), smem, tiler);
  launch_cuda_and_wait({.grid = unsigned(tiles), .block = 64}, load_tiles<T>{}, tma, shape(layout), tiler, smem,
                       to.data());
  auto const out = to.host();
  for (int b = 0; b < tiles; ++b) {
    for (int i = 0; i < each; ++i) {
      T const expected = element_of_tile(layout, tiler, b, i, [&](bool inside, long long at) {
        return inside ? tensor[static_cast<std::size_t>(at)] : T{};
      });
      expect(out[static_cast<std::size_t>(b * each + i)] == expected, name, b * each + i);
    }
  }
}

template <class T, class Layout, class Tiler, class Smem>
void test_store(char const* name, Layout const& layout, Tiler const& tiler, Smem const& smem) {
  int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
  auto const tensor = random_bits<T>(static_cast<std::size_t>(cosize(layout)), 1);
  auto const in = random_bits<T>(static_cast<std::size_t>(tiles * each), 2);
  device_array<T> const to(tensor), from(in);
  auto const tma = make_tma_copy(SM90_TMA_STORE{}, make_tensor(make_gmem_ptr(to.data()), layout), smem, tiler);
  launch_cuda_and_wait({.grid = unsigned(tiles), .block = 64}, store_tiles<T>{}, tma, shape(layout), tiler, smem,
                       static_cast<T const*>(from.data()));
  auto expected = tensor;
  for (int b = 0; b < tiles; ++b)
    for (int i = 0; i < each; ++i)
      element_of_tile(layout, tiler, b, i, [&](bool inside, long long at) {
        if (inside) expected[static_cast<std::size_t>(at)] = in[static_cast<std::size_t>(b * each + i)];
      });
  auto const out = to.host();
  for (std::size_t i = 0; i < out.size(); ++i) expect(out[i] == expected[i], name, static_cast<long long>(i));
}

void test_sum() {
  auto const layout = make_layout(make_shape(40, 12), make_stride(_1{}, 40));
  std::vector<float> tensor(480), in(4 * 256);
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(1000 * i);
  device_array<float> const to(tensor), from(in);
  Layout<Shape<_32, _8>> const smem{};
  auto const tma = make_tma_copy(SM90_TMA_REDUCE_ADD{}, make_tensor(make_gmem_ptr(to.data()), layout), smem);
  launch_cuda_and_wait({.grid = 4, .block = 64}, store_tiles<float>{}, tma, shape(layout), Shape<_32, _8>{}, smem,
                       static_cast<float const*>(from.data()));
  for (int b = 0; b < 4; ++b)
    for (int i = 0; i < 256; ++i)
      element_of_tile(layout, Shape<_32, _8>{}, b, i, [&](bool inside, long long at) {
        if (inside) tensor[static_cast<std::size_t>(at)] += in[static_cast<std::size_t>(b * 256 + i)];
      });
  auto const out = to.host();
  for (std::size_t i = 0; i < out.size(); ++i) expect(out[i] == tensor[i], "sum", static_cast<long long>(i));
}

int main() {
  return run("tma", [] {
    for_each_case([](char const* name, auto element, auto layout, auto tiler, auto smem) {
      test_load<decltype(element)>(name, layout, tiler, smem);
      if (ends_with_whole_chunks<decltype(element)>(layout)) test_store<decltype(element)>(name, layout, tiler, smem);
    });
    test_sum();
  });
}
