// name: a tile that has no matrix descriptor of Blackwell
// error: make_umma_desc: the layout of the tile has no matrix descriptor for this major mode
// meaning: rows of 64 elements without a swizzle are not made of pieces of 16 bytes that a descriptor can describe.
// remedy: make the tile with UMMA::tile_to_mma_shape of one of the UMMA layouts.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/mma/sm100_names.hpp"

using namespace tilewright;

using Tile_ = Shape<Shape<_128, _16>, _1, _4>;  // ((MmaM, MmaK), RestM, RestK)
#ifdef TILEWRIGHT_FIXED
using Shared = decltype(UMMA::tile_to_mma_shape(UMMA::Layout_K_SW128_Atom<half_t>{}, Tile_{}));
#else
using Shared = Layout<Tile_, Stride<Stride<_64, _1>, _0, _16>>;
#endif

void kernel(half_t* p) {
  auto const mma =
      make_tiled_mma(SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 64, UMMA::Major::K, UMMA::Major::K>{});
  (void)mma.get_slice(0).make_fragment_A(make_tensor(make_smem_ptr(p), Shared{}));
}
