// name: stmatrix to global memory
// error: stmatrix: stores from registers to shared memory alone
// anchor: memory_space
// meaning: the instruction writes shared memory; other memory has no such store.
// remedy: store to shared memory and copy on from there, or copy with UniversalCopy.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void store(std::uint16_t* rows) {
  auto fragment = make_tensor<std::uint16_t>(Shape<_8>{});
#ifdef TILEWRIGHT_FIXED
  copy(Copy_Atom<SM90_U32x4_STSM_N, std::uint16_t>{}, fragment, make_tensor(make_smem_ptr(rows), Shape<_8>{}));
#else
  copy(Copy_Atom<SM90_U32x4_STSM_N, std::uint16_t>{}, fragment, make_tensor(make_gmem_ptr(rows), Shape<_8>{}));
#endif
}
