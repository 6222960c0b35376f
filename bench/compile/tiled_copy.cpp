// The tiled-copy program as host code: its two kernels, the ownership map and the copy from global to shared memory, and
// the main function that launches them.
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <cstdio>
#include <vector>

namespace {

using namespace tilewright;

template <class Tile, class Element>
void show(Tile const& tile, char const* format, Element const& element) {
  for (int m = 0; m < size<0>(tile); ++m) {
    std::printf("r%-4d  ", m);
    for (int n = 0; n < size<1>(tile); ++n) std::printf(format, element(tile(m, n)));
    std::printf("\n");
  }
}

constexpr auto show_ownership = [](auto& block, auto tiled_copy, auto tile_layout) {
  auto tile = shared<float>(block, tile_layout);                                    // (M, N)
  auto const mine = tiled_copy.get_thread_slice(block.thread()).partition_D(tile);  // (Cpy, RestM, RestN)
  for (int i = 0; i < size(mine); ++i) mine(i) = static_cast<float>(block.thread());
  block.sync();
  if (block.thread() == 0) show(tile, "T%02d   ", [](float owner) { return static_cast<int>(owner); });
};

constexpr auto copy_tile = [](auto& block, float const* data, auto gmem_layout, auto smem_layout, auto tiled_copy) {
  auto const src = make_tensor(make_gmem_ptr(data), gmem_layout);  // (M, N)
  auto tile = shared<float>(block, smem_layout);                   // (M, N)
  auto const thr_copy = tiled_copy.get_thread_slice(block.thread());
  auto const from = thr_copy.partition_S(src);  // (Cpy, RestM, RestN)
  auto const to = thr_copy.partition_D(tile);   // (Cpy, RestM, RestN)
  copy(tiled_copy, from, to);
  block.sync();
  if (block.thread() == 0) show(tile, "%5.0f ", [](float value) { return static_cast<double>(value); });
};

}  // namespace

int main() {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
  auto const tile_layout = make_layout(make_shape(_16{}, _8{}), LayoutLeft{});
  launch(1, 32, show_ownership, tiled_copy, tile_layout);

  std::vector<float> data(128);
  for (int i = 0; i < 128; ++i) data[static_cast<std::size_t>(i)] = static_cast<float>(i);
  launch(1, 32, copy_tile, data.data(), tile_layout, tile_layout, tiled_copy);
}
