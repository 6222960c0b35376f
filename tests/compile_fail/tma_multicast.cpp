// name: blocks that do not divide the tile
// error: TMA: the blocks that share a tile do not divide it
// meaning: three blocks cannot share 256 elements.
// remedy: use a cluster size that divides the tile.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;

#ifdef TILEWRIGHT_FIXED
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, tensor, Shared{}, Int<4>{});
}
#else
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, tensor, Shared{}, Int<3>{});
}
#endif
