// name: gemm of tensors whose extents do not agree
// error: gemm: the extents of A (M,K), B (N,K) and C (M,N) do not agree
// meaning: A has a K of 2, B of 3.
// remedy: give both the same K.
#include "tilewright/algorithm/gemm.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* a, float* b, float* c) {
  gemm(make_tensor(a, Layout<Shape<_4, _2>>{}), make_tensor(b, Layout<Shape<_8, _2>>{}),
       make_tensor(c, Layout<Shape<_4, _8>>{}));
}
#else
void kernel(float* a, float* b, float* c) {
  gemm(make_tensor(a, Layout<Shape<_4, _2>>{}), make_tensor(b, Layout<Shape<_8, _3>>{}),
       make_tensor(c, Layout<Shape<_4, _8>>{}));
}
#endif
