// name: make_tma_copy without its header
// error: make_tma_copy: its header is not included
// meaning: TMA copies are made on the host, by a header of their own.
// remedy: include tilewright/tiled/make_tma_copy.hpp.
#include "tilewright/atom/tma.hpp"
#include "tilewright/tilewright.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
#include "tilewright/tiled/make_tma_copy.hpp"

auto copy_of(float* data) {
  auto tensor = make_tensor(make_gmem_ptr(data), make_shape(64, 64), make_stride(64, _1{}));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Layout<Shape<_8, _32>, Stride<_32, _1>>{});
}
#else
auto copy_of(float* data) {
  auto tensor = make_tensor(make_gmem_ptr(data), make_shape(64, 64), make_stride(64, _1{}));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Layout<Shape<_8, _32>, Stride<_32, _1>>{});
}
#endif
