// name: a tiled matrix operation of run-time extents
// error: TiledMMA: the layout of atoms must be static
// meaning: how many atoms stand side by side is part of the type.
// remedy: write the extents as constants.
#include "tilewright/algorithm/gemm.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
void kernel(float* data) {
  auto mma = make_tiled_mma(UniversalFMA<float>{}, make_layout(make_shape(_4{}, _8{}, _1{})));
  auto mine = mma.get_slice(0).partition_C(make_tensor(data, Layout<Shape<_32, _32>>{}));
  mine(0) = 1;
}
#else
void kernel(float* data, int n) {
  auto mma = make_tiled_mma(UniversalFMA<float>{}, make_layout(make_shape(_4{}, n, _1{})));
  auto mine = mma.get_slice(0).partition_C(make_tensor(data, Layout<Shape<_32, _32>>{}));
  mine(0) = 1;
}
#endif
