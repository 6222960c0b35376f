// name: a tensor recast to vectors that its rows do not hold
// error: upcast: the factor divides neither an extent and its stride nor is divided by the stride
// meaning: rows of six floats hold one and a half 128-bit words.
// remedy: recast to a word that divides the row.
#include "tilewright/tensor/partition.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void copy_rows(float* data) {
  auto rows = make_tensor(data, Layout<Shape<_6, _8>, Stride<_1, _8>>{});
  auto words = recast<word<64>>(rows);
  words(0, 0) = words(0, 1);
}
#else
void copy_rows(float* data) {
  auto rows = make_tensor(data, Layout<Shape<_6, _8>, Stride<_1, _8>>{});
  auto words = recast<word<128>>(rows);
  words(0, 0) = words(0, 1);
}
#endif
