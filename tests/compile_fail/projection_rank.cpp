// name: a projection of fewer entries than the tiler
// error: projection: the step has one entry for each mode of the tiler and the coordinate
// meaning: the tiler (M,N,K) is projected by a step of two entries.
// remedy: use X for the modes that the tensor lacks.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  auto a = make_tensor(make_gmem_ptr(data), Layout<Shape<_128, _64>>{});
  auto tile = local_tile(a, Shape<_32, _32, _16>{}, make_coord(0, 0, _), Step<_1, X, _1>{});
  auto row = tile(0, _, 0);
}
#else
void kernel(float* data) {
  auto a = make_tensor(make_gmem_ptr(data), Layout<Shape<_128, _64>>{});
  auto tile = local_tile(a, Shape<_32, _32, _16>{}, make_coord(0, 0, _), Step<_1, _1>{});
  auto row = tile(0, _, 0);
}
#endif
