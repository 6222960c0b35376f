// name: a cotiled copy of run-time data
// error: make_cotiled_copy: both layouts must be static
// meaning: the tile is made of the coordinates that threads touch, which is a computation on the data's layout.
// remedy: make the data layout's extents and strides compile-time constants.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data, int) {
  using Atom = Copy_Atom<UniversalCopy<float>, float>;
  auto rows = make_layout(Shape<_8, _32>{}, make_stride(_32{}, _1{}));
  auto tiled = make_cotiled_copy(Atom{}, Layout<Shape<_32, _4>, Stride<_4, _1>>{}, rows);
  fill(tiled.get_slice(0).partition_D(make_tensor(data, rows)), 0.0f);
}
#else
void kernel(float* data, int pitch) {
  using Atom = Copy_Atom<UniversalCopy<float>, float>;
  auto rows = make_layout(Shape<_8, _32>{}, make_stride(pitch, _1{}));
  auto tiled = make_cotiled_copy(Atom{}, Layout<Shape<_32, _4>, Stride<_4, _1>>{}, rows);
  fill(tiled.get_slice(0).partition_D(make_tensor(data, rows)), 0.0f);
}
#endif
