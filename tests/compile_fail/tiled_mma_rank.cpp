// name: a TiledMMA spelled with two modes of atoms
// error: TiledMMA: the layout of atoms and the permutation have one mode for each of M, N and K
// meaning: the layout of atoms has no mode for K.
// remedy: use make_tiled_mma, which adds it, or write the third mode.
#include "tilewright/algorithm/gemm.hpp"

using namespace tilewright;

using Atom = MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  TiledMMA<Atom, Layout<Shape<_2, _2, _1>>> mma;
  auto mine = mma.get_slice(0).partition_C(make_tensor(data, Layout<Shape<_32, _32>>{}));
  mine(0) = 1;
}
#else
void kernel(float* data) {
  TiledMMA<Atom, Layout<Shape<_2, _2>>> mma;
  auto mine = mma.get_slice(0).partition_C(make_tensor(data, Layout<Shape<_32, _32>>{}));
  mine(0) = 1;
}
#endif
