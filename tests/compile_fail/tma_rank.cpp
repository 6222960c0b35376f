// name: a tile of five modes in a tensor of six
// error: TMA: a tensor map has 1 to 5 modes
// meaning: a tensor map has five modes. Modes that a tile takes one element of share the last, if the tile leaves it to them.
// remedy: coalesce modes that follow one another, slice the tensor, or take one element of a mode.
#include "tilewright/tiled/make_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_8, _32>, Stride<_32, _1>>;

#ifdef TILEWRIGHT_FIXED
auto load_of(float* p) {
  auto tensor =
      make_tensor(make_gmem_ptr(p), make_layout(make_shape(8, 9, 3, 2, 4), make_stride(_1{}, 8, 80, 240, 480)));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Layout<Shape<_8, _3, _3, _2, _4>>{});
}
#else
auto load_of(float* p) {
  auto tensor =
      make_tensor(make_gmem_ptr(p), make_layout(make_shape(8, 9, 3, 2, 2, 2), make_stride(_1{}, 8, 80, 240, 480, 960)));
  return make_tma_copy(SM90_TMA_LOAD{}, tensor, Layout<Shape<_8, _3, _3, _2, _2, _1>>{});
}
#endif
