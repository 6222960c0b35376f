// name: a TMA copy of a tensor in shared memory
// error: make_tma_copy: the tensor must be in global memory
// meaning: the map describes a tensor in global memory.
// remedy: tag the pointer with the space it points to.
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
  auto tensor = make_tensor(make_smem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Shared{});
}
#endif
