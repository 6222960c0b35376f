// More values for each thread: with a value layout of 2×1 atoms one round covers (32, 8), and mode 0 of the partition
// holds two atoms of four values.
#pragma once

#include "examples/tile_kernels.hpp"

namespace tilewright::examples {

inline int run_tiled_copy_wide() {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_2, _1>>{});
  auto const tile = make_layout(Shape<_128, _128>{}, LayoutLeft{});
  return show_and_copy(tiled_copy, tile, tile);
}

}  // namespace tilewright::examples
