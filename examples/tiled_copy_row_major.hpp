// A row-major tile: stride 1 is along mode 1, so the four values of the atom are there, (1, 4), and the threads are
// (8, 4), row-major too, so that neighbouring threads read neighbouring vectors.
#pragma once

#include "examples/tile_kernels.hpp"

namespace tilewright::examples {

inline int run_tiled_copy_row_major() {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, make_layout(Shape<_8, _4>{}, LayoutRight{}),
                      make_layout(Shape<_1, _4>{}, LayoutRight{}));
  auto const tile = make_layout(Shape<_128, _128>{}, LayoutRight{});
  return show_and_copy(tiled_copy, tile, tile);
}

}  // namespace tilewright::examples
