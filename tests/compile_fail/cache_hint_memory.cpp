// name: cache hints for shared memory
// error: GlobalLoad, GlobalStore: the hinted side is global memory
// anchor: memory_space
// meaning: the hints are those of caches that lie before global memory; shared memory has none, and of an untagged
//   pointer the library does not know where it points.
// remedy: tag the pointer with make_gmem_ptr, or copy with UniversalCopy.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void load(float* values) {
  auto fragment = make_tensor<float>(Shape<_4>{});
#ifdef TILEWRIGHT_FIXED
  copy(Copy_Atom<GlobalLoad<uint128_t>, float>{}, make_tensor(make_gmem_ptr(values), Shape<_4>{}), fragment);
#else
  copy(Copy_Atom<GlobalLoad<uint128_t>, float>{}, make_tensor(make_smem_ptr(values), Shape<_4>{}), fragment);
#endif
}
