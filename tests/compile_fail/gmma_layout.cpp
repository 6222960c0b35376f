// name: a tile that has no matrix descriptor
// error: make_gmma_desc: the layout of the tile has no matrix descriptor for this major mode
// meaning: rows of 64 elements without a swizzle are not made of pieces of 16 bytes that a descriptor can describe.
// remedy: make the tile with tile_to_shape of one of the GMMA layouts.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/mma/gmma_layouts.hpp"
#include "tilewright/mma/sm90_gmma_names.hpp"

using namespace tilewright;

#ifdef TILEWRIGHT_FIXED
using Shared = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{}));
#else
using Shared = Layout<Shape<_64, _64>, Stride<_64, _1>>;
#endif

void kernel(half_t* p) {
  auto const mma = make_tiled_mma(SM90_64x8x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>{});
  (void)mma.get_slice(0).partition_fragment_A(make_tensor(make_smem_ptr(p), Shared{}));
}
