// archs: 90a
// Tiles that the blocks of a cluster load for one another by TMA, against the tensor element by element.
#include "../support/tma_cases.hpp"
#include "support/device.hpp"

using namespace tilewright;
using namespace tilewright::cuda_test;
using namespace tilewright::tma_test;

template <int Blocks, bool ByTmaPartition, class T, class Layout, class Tiler, class Smem>
void test_multicast(char const* name, Layout const& layout, Tiler const& tiler, Smem const& smem) {
  auto const tensor = random_bits<T>(static_cast<std::size_t>(cosize(layout)), Blocks);
  device_array<T> const from(tensor);
  int const tiles = tiles_of(layout, tiler), each = static_cast<int>(size(tiler));
  device_array<T> to(static_cast<std::size_t>(Blocks * tiles * each));
  to.poison();
  auto const tma = make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, make_tensor(make_gmem_ptr(from.data()), layout), smem,
                                 tiler, Int<Blocks>{});
  launch_cuda_and_wait({.grid = unsigned(Blocks * tiles), .block = 64, .cluster = unsigned(Blocks)},
                       share_tiles<T, Blocks, ByTmaPartition>{}, tma, shape(layout), tiler, smem, to.data());
  auto const out = to.host();
  for (int b = 0; b < Blocks * tiles; ++b) {
    for (int i = 0; i < each; ++i) {
      T const expected = element_of_tile(layout, tiler, b / Blocks, i, [&](bool inside, long long at) {
        return inside ? tensor[static_cast<std::size_t>(at)] : T{};
      });
      expect(out[static_cast<std::size_t>(b * each + i)] == expected, name, b * each + i);
    }
  }
}

int main() {
  return run("tma multicast", [] {
    for_each_shared_case([](char const* name, auto element, auto layout, auto tiler, auto smem) {
      test_multicast<2, false, decltype(element)>(name, layout, tiler, smem);
      test_multicast<4, false, decltype(element)>(name, layout, tiler, smem);
      test_multicast<4, true, decltype(element)>(name, layout, tiler, smem);
    });
  });
}
