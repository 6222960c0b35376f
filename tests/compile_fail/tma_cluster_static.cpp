// name: a cluster size known at run time only
// error: make_tma_copy: the number of blocks that share a tile is static
// meaning: the box of an instruction depends on it.
// remedy: give it as a constant.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;

#ifdef TILEWRIGHT_FIXED
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, tensor, Shared{}, Shape<_8, _32>{}, Int<4>{});
}
#else
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, tensor, Shared{}, Shape<_8, _32>{}, 4);
}
#endif
