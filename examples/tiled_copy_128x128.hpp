// The 32 threads of tiled_copy_16x8 on a tile of 128×128: one round still covers (16, 8), the partition gets the modes
// (8, 16) for the rounds, and copy() loops over them.
#pragma once

#include "examples/tile_kernels.hpp"

namespace tilewright::examples {

inline int run_tiled_copy_128x128() {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
  auto const tile = make_layout(Shape<_128, _128>{}, LayoutLeft{});
  return show_and_copy(tiled_copy, tile, tile);
}

}  // namespace tilewright::examples
