// name: a tile wider than its swizzle
// error: TMA: the box's contiguous mode is wider than the swizzle moves its chunks
// meaning: rows of 128 bytes do not fit a swizzle of 64.
// remedy: swizzle by as many bytes as a row has, or make the rows of a narrower atom.
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
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, composition(Swizzle<2, 2, 3>{}, Shared{}));
}
#endif
