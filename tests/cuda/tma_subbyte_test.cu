// archs: 90 100
// TMA loads and stores of elements narrower than a byte on the device: every case against the tensor element by element,
// ragged edges and swizzles included.
#include "../support/tma_cases.hpp"
#include "support/device.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;
using namespace tilewright::tma_test;

template <class T>
T element_at(std::vector<std::uint8_t> const& bytes, long long i) {
  return subbyte_iterator<T const>(bytes.data())[i];
}
template <class L>
std::size_t bytes_of(L const& layout, int bits) {
  return static_cast<std::size_t>((static_cast<long long>(cosize(layout)) * bits + 127) / 128 * 16);
}

template <class T, class Layout, class Tiler, class Smem>
void test_load(char const* name, Layout const& layout, Tiler const& tiler, Smem const& smem) {
  auto const tensor = random_bits<std::uint8_t>(bytes_of(layout, sizeof_bits_v<T>), 5);
  device_array<std::uint8_t> const from(tensor);
  int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
  device_array<T> to(static_cast<std::size_t>(tiles * each));
  to.poison();
  auto const tma =
      make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(subbyte_iterator<T>(from.data())), layout), smem, tiler);
  launch_cuda_and_wait({.grid = unsigned(tiles), .block = 64}, load_tiles<T>{}, tma, shape(layout), tiler, smem,
                       to.data());
  auto const out = to.host();
  for (int b = 0; b < tiles; ++b) {
    for (int i = 0; i < each; ++i) {
      T const expected = element_of_tile(
          layout, tiler, b, i, [&](bool inside, long long at) { return inside ? element_at<T>(tensor, at) : T{}; });
      expect(static_cast<int>(out[static_cast<std::size_t>(b * each + i)]) == static_cast<int>(expected), name,
             b * each + i);
    }
  }
}

template <class T, class Layout, class Tiler, class Smem>
void test_store(char const* name, Layout const& layout, Tiler const& tiler, Smem const& smem) {
  int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
  auto expected = random_bits<std::uint8_t>(bytes_of(layout, sizeof_bits_v<T>), 6);
  auto const bits = random_bits<std::uint8_t>(static_cast<std::size_t>(tiles * each), 7);
  std::vector<T> in;
  for (std::uint8_t const b : bits) in.emplace_back(static_cast<int>(b));
  device_array<std::uint8_t> const to(expected);
  device_array<T> const from(in);
  auto const tma =
      make_tma_copy(SM90_TMA_STORE{}, make_tensor(make_gmem_ptr(subbyte_iterator<T>(to.data())), layout), smem, tiler);
  launch_cuda_and_wait({.grid = unsigned(tiles), .block = 64}, store_tiles<T>{}, tma, shape(layout), tiler, smem,
                       static_cast<T const*>(from.data()));
  for (int b = 0; b < tiles; ++b)
    for (int i = 0; i < each; ++i)
      element_of_tile(layout, tiler, b, i, [&](bool inside, long long at) {
        if (inside) subbyte_iterator<T>(expected.data())[at] = in[static_cast<std::size_t>(b * each + i)];
      });
  auto const out = to.host();
  for (std::size_t i = 0; i < out.size(); ++i) expect(out[i] == expected[i], name, static_cast<long long>(i));
}

int main() {
  return run("tma of narrow elements", [] {
    for_each_subbyte_case([](char const* name, auto element, auto layout, auto tiler, auto smem) {
      test_load<decltype(element)>(name, layout, tiler, smem);
      if (ends_with_whole_chunks<decltype(element)>(layout)) test_store<decltype(element)>(name, layout, tiler, smem);
    });
  });
}
