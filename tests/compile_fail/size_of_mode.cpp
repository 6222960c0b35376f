// name: the size of a mode beyond the rank
// error: the layout has no such mode
// meaning: a matrix has modes 0 and 1; counting starts at 0.
// remedy: name a mode below the rank.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void clear_columns(float* data) {
  auto matrix = make_tensor(data, Layout<Shape<_4, _8>>{});
  for (int n = 0; n < size<1>(matrix); ++n) matrix(0, n) = 0.0f;
}
#else
void clear_columns(float* data) {
  auto matrix = make_tensor(data, Layout<Shape<_4, _8>>{});
  for (int n = 0; n < size<2>(matrix); ++n) matrix(0, n) = 0.0f;
}
#endif
