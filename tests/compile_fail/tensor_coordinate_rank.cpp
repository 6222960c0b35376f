// name: a tensor read at a coordinate of the wrong rank
// error: the tiler, coordinate or profile does not match the layout's modes
// meaning: a matrix is read at three indices.
// remedy: give one index for each mode, or one for all of them.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
float read(float const* data) {
  auto matrix = make_tensor(data, Layout<Shape<_4, _8>>{});
  return matrix(1, 2);
}
#else
float read(float const* data) {
  auto matrix = make_tensor(data, Layout<Shape<_4, _8>>{});
  return matrix(1, 2, 3);
}
#endif
