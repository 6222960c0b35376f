// name: part of a tile, in im2col mode
// error: TMA im2col: the shared tensor has another layout than the copy was made for
// meaning: an instruction moves all the pixels that the map names.
// remedy: copy the whole tile, or make a copy for the smaller one.
#include "tilewright/algorithm/copy.hpp"
#include "tilewright/tiled/make_im2col_tma_copy.hpp"

using namespace tilewright;
using Shared = Layout<Shape<_64, _32>, Stride<_32, _1>>;

auto load_of(float* p) {
  auto const images = make_tensor(make_gmem_ptr(p), make_layout(make_shape(64, 28, 8)));
  return make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL{}, images, Shared{}, filter_positions(3, 1));
}
using Load = decltype(load_of(nullptr));

#ifdef TILEWRIGHT_FIXED
void load(Load const& tma, std::uint64_t& full, float* tile) {
  copy(tma.with(full), tma.tile(0, 0, 1), make_tensor(make_smem_ptr(tile), Shared{}));
}
#else
void load(Load const& tma, std::uint64_t& full, float* tile) {
  copy(tma.with(full), tma.tile(0, 0, 1), make_tensor(make_smem_ptr(tile), Layout<Shape<_64, _32>>{}));
}
#endif
