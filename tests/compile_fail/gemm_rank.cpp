// name: gemm of tensors whose ranks fit no product
// error: gemm: the ranks of A, B and C fit no product
// meaning: A and B are matrices, C has one mode.
// remedy: give C its modes M and N.
#include "tilewright/algorithm/gemm.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* a, float* b, float* c) {
  gemm(make_tensor(a, Layout<Shape<_4, _2>>{}), make_tensor(b, Layout<Shape<_4, _2>>{}),
       make_tensor(c, Layout<Shape<_4, _4>>{}));
}
#else
void kernel(float* a, float* b, float* c) {
  gemm(make_tensor(a, Layout<Shape<_4, _2>>{}), make_tensor(b, Layout<Shape<_4, _2>>{}),
       make_tensor(c, Layout<Shape<_16>>{}));
}
#endif
