// name: rows of a tile that TMA cannot move
// error: TMA: the box's contiguous mode is not a multiple of 16 bytes
// meaning: a row of two floats is 8 bytes.
// remedy: widen the tile along the contiguous mode.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;

#ifdef TILEWRIGHT_FIXED
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, (Layout<Shape<_8, _4>, Stride<_4, _1>>{}));
}
#else
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, (Layout<Shape<_8, _2>, Stride<_2, _1>>{}));
}
#endif
