// name: a window too few in im2col mode
// error: make_im2col_tma_copy: the tensor has 3 to 5 modes C, W, H, D, N, with a window for each of W, H and D that it has
// meaning: images of four modes have a width and a height.
// remedy: say where the filter stands along both.
#include "tilewright/tiled/make_im2col_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_64, _32>, Stride<_32, _1>>;

auto images_at(float* p) { return make_tensor(make_gmem_ptr(p), make_layout(make_shape(64, 28, 28, 8))); }
auto const three = filter_positions(3, 1);

#ifdef TILEWRIGHT_FIXED
auto load_of(float* p) { return make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL{}, images_at(p), Shared{}, three, three); }
#else
auto load_of(float* p) { return make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL{}, images_at(p), Shared{}, three); }
#endif
