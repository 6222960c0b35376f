// name: registers like a tensor of run-time extents
// error: make_tensor<T>: a tensor that owns its elements needs a static layout
// meaning: a fragment has the shape of its source, which has a run-time extent here.
// remedy: take the fragment of a tile whose extents are static.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data, int rows) {
  auto matrix = make_tensor(data, make_layout(make_shape(rows, _8{})));
  auto tile = local_tile(matrix, Shape<_4, _8>{}, make_coord(0, 0));
  auto fragment = make_fragment_like(tile);
  clear(fragment);
  copy(fragment, tile);
}
#else
void kernel(float* data, int rows) {
  auto matrix = make_tensor(data, make_layout(make_shape(rows, _8{})));
  auto fragment = make_fragment_like(matrix);
  clear(fragment);
  copy(fragment, matrix);
}
#endif
