// name: ldmatrix from global memory
// error: ldmatrix: loads from shared memory to registers alone
// anchor: memory_space
// meaning: the instruction reads shared memory; other memory has no such load.
// remedy: bring the tile to shared memory first, or copy with UniversalCopy.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void load(std::uint16_t* rows) {
  auto fragment = make_tensor<std::uint16_t>(Shape<_8>{});
#ifdef TILEWRIGHT_FIXED
  copy(Copy_Atom<SM75_U32x4_LDSM_N, std::uint16_t>{}, make_tensor(make_smem_ptr(rows), Shape<_8>{}), fragment);
#else
  copy(Copy_Atom<SM75_U32x4_LDSM_N, std::uint16_t>{}, make_tensor(make_gmem_ptr(rows), Shape<_8>{}), fragment);
#endif
}
