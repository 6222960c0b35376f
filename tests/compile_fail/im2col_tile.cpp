// name: a tile whose pixels are contiguous, in im2col mode
// error: make_im2col_tma_copy: the shared layout is not a tile of pixels
// meaning: the engine writes the channels of one pixel after another; it does not transpose.
// remedy: let the channels be the fast mode.
#include "tilewright/tiled/make_im2col_tma_copy.hpp"

using namespace tilewright;

auto images_at(float* p) { return make_tensor(make_gmem_ptr(p), make_layout(make_shape(64, 28, 28, 8))); }
auto const three = filter_positions(3, 1);

#ifdef TILEWRIGHT_FIXED
auto load_of(float* p) {
  using Shared = Layout<Shape<_64, _32>, Stride<_32, _1>>;
  return make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL{}, images_at(p), Shared{}, three, three);
}
#else
auto load_of(float* p) {
  using Shared = Layout<Shape<_64, _32>, Stride<_1, _64>>;
  return make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL{}, images_at(p), Shared{}, three, three);
}
#endif
