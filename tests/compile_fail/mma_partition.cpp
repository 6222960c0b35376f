// name: a fragment of a tensor that was not partitioned
// error: make_fragment: mode 0 of the tensor does not hold the values that a thread has of the operation
// meaning: mode 0 of the whole tile has 32 elements; a thread's partition has its four values of C there.
// remedy: partition the tile first, or call partition_fragment_C.
#include "tilewright/algorithm/gemm.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  auto thr = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}).get_slice(0);
  auto fragment = thr.partition_fragment_C(make_tensor(data, Layout<Shape<_32, _32>>{}));
  fragment(0) = 1;
}
#else
void kernel(float* data) {
  auto thr = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}).get_slice(0);
  auto fragment = thr.make_fragment_C(make_tensor(data, Layout<Shape<_32, _32>>{}));
  fragment(0) = 1;
}
#endif
