// name: a tensor that is not a multiple of the tile of a matrix operation
// error: partition: the tensor's mode is not a multiple of the tiled
// meaning: four atoms cover 32 rows of A, the tensor has 40.
// remedy: partition a tile of whole multiples; bound the copies that fill it.
// anchor: tiler_does_not_fit
#include "tilewright/algorithm/gemm.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(half_t* data) {
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{});
  auto mine = mma.get_slice(0).partition_A(make_tensor(data, Layout<Shape<_64, _16>>{}));
  mine(0) = half_t(1);
}
#else
void kernel(half_t* data) {
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{});
  auto mine = mma.get_slice(0).partition_A(make_tensor(data, Layout<Shape<C<40>, _16>>{}));
  mine(0) = half_t(1);
}
#endif
