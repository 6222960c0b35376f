// name: a shared layout of another size than the tile
// error: TMA: the shared layout and the tile differ in size
// meaning: the shared layout holds 256 elements, the tile 128.
// remedy: make the shared layout of the tile's shape.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;

#ifdef TILEWRIGHT_FIXED
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Shared{}, Shape<_8, _32>{});
}
#else
auto load_of(float* p) {
  auto tensor = make_tensor(make_gmem_ptr(p), make_layout(make_shape(100, 64), make_stride(64, _1{})));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Shared{}, Shape<_4, _32>{});
}
#endif
