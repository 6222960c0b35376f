// name: a coordinate where a thread's number stands
// error: the index is one thread's number, which get_slice and local_partition place by themselves
// meaning: local_partition maps a thread's number to its place by itself.
// remedy: pass the number.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data, int row, int column) {
  auto tile = make_tensor(data, Layout<Shape<_8, _8>>{});
  auto mine = local_partition(tile, Layout<Shape<_4, _4>>{}, row + 4 * column);
  mine(0) = 0.0f;
}
#else
void kernel(float* data, int row, int column) {
  auto tile = make_tensor(data, Layout<Shape<_8, _8>>{});
  auto mine = local_partition(tile, Layout<Shape<_4, _4>>{}, make_coord(row, column));
  mine(0) = 0.0f;
}
#endif
