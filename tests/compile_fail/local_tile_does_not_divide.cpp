// name: a block tile that does not divide the tensor
// error: do not divide one another
// meaning: the tensor's columns come in groups of 24; a tile of 16 takes a group's first two thirds, and the next
//   tile would run on into another group.
// remedy: choose a tile that divides the groups, or regroup the tensor.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  auto matrix =
      make_tensor(make_gmem_ptr(data), make_layout(Shape<_64, Shape<_24, _4>>{}, Stride<_24, Stride<_1, Int<1536>>>{}));
  auto tile = local_tile(matrix, Shape<_16, _12>{}, make_coord(0, 0));
  auto mine = local_partition(tile, Layout<Shape<_4, _4>>{}, 3);
  mine(0) = 1.0f;
  fill(tile, 0.0f);
}
#else
void kernel(float* data) {
  auto matrix =
      make_tensor(make_gmem_ptr(data), make_layout(Shape<_64, Shape<_24, _4>>{}, Stride<_24, Stride<_1, Int<1536>>>{}));
  auto tile = local_tile(matrix, Shape<_16, _16>{}, make_coord(0, 0));
  auto mine = local_partition(tile, Layout<Shape<_4, _4>>{}, 3);
  mine(0) = 1.0f;
  fill(tile, 0.0f);
}
#endif
