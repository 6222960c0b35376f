// name: a swizzle that TMA does not have
// error: TMA: the engine swizzles by Swizzle<0|1|2|3,4,3> on bytes
// meaning: the swizzle must move 16-byte chunks: four floats.
// remedy: let 2^M elements be 16 bytes.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;

#ifdef TILEWRIGHT_FIXED
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, composition(Swizzle<3, 2, 3>{}, Shared{}));
}
#else
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, composition(Swizzle<3, 3, 3>{}, Shared{}));
}
#endif
