// name: a tile of a pointer
// error: local_tile: takes a tensor, a tiler and a coordinate
// meaning: a pointer has no layout to divide.
// remedy: make a tensor of it.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  clear(local_tile(make_tensor(data, Layout<Shape<_8, _8>>{}), Shape<_4, _4>{}, make_coord(0, 1)));
}
#else
void kernel(float* data) { clear(local_tile(data, Shape<_4, _4>{}, make_coord(0, 1))); }
#endif
