// name: a tile in another order than the tensor
// error: TMA: what is contiguous in shared memory is not the tensor's mode of stride 1
// meaning: a row-major tensor cannot arrive column-major: TMA does not transpose.
// remedy: give the shared layout the order of the tensor.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;

#ifdef TILEWRIGHT_FIXED
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Shared{});
}
#else
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, (Layout<Shape<_8, _32>>{}));
}
#endif
