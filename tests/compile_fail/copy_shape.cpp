// name: a copy between tensors of different shapes
// error: copy: the shapes of source and destination do not match
// meaning: coordinate (7,0) of the source is no coordinate of the destination. Shapes of one nesting must be equal; others
//   match when, read from left to right and without extents of 1, each extent of one is the product of consecutive extents
//   of the other.
// remedy: slice or partition both alike. To pair elements by index on purpose, give one tensor the other's shape.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float const* from, float* to) {
  auto const src = make_tensor(from, Layout<Shape<_8, _4>>{});
  auto const dst = make_tensor(to, Layout<Shape<_4, _8>>{});
  copy(with_shape(src, shape(dst)), dst);
}
#else
void kernel(float const* from, float* to) {
  auto const src = make_tensor(from, Layout<Shape<_8, _4>>{});
  auto const dst = make_tensor(to, Layout<Shape<_4, _8>>{});
  copy(src, dst);
}
#endif
