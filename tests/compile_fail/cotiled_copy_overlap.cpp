// name: a cotiled copy of data that overlaps
// error: left_inverse: two coordinates share an offset
// meaning: the rows of the data start four apart and hold eight, so an address does not tell the coordinate.
// remedy: give the data a layout in which each element has its own address.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  using Atom = Copy_Atom<UniversalCopy<float>, float>;
  using Rows = Layout<Shape<_8, _8>, Stride<_8, _1>>;
  auto tiled = make_cotiled_copy(Atom{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Rows{});
  fill(tiled.get_slice(0).partition_D(make_tensor(data, Rows{})), 0.0f);
}
#else
void kernel(float* data) {
  using Atom = Copy_Atom<UniversalCopy<float>, float>;
  using Rows = Layout<Shape<_8, _8>, Stride<_4, _1>>;
  auto tiled = make_cotiled_copy(Atom{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Rows{});
  fill(tiled.get_slice(0).partition_D(make_tensor(data, Rows{})), 0.0f);
}
#endif
