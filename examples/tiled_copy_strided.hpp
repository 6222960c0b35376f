// A tensor without any stride 1, and with strides known only at run time: the scalar atom copies it, one float at a
// time. Every other column of a padded matrix goes into a compact tile.
#pragma once

#include "examples/tile_kernels.hpp"

namespace tilewright::examples {

inline int run_tiled_copy_strided() {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_4, _8>>{});
  int const pitch = 2 * 64 + 1;
  auto const every_other = make_layout(Shape<_64, _64>{}, make_stride(pitch, 2));
  return show_and_copy(tiled_copy, every_other, make_layout(Shape<_64, _64>{}));
}

}  // namespace tilewright::examples
