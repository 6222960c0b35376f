// name: a bulk copy through a swizzled pointer
// error: cp.async.bulk: a swizzled pointer moves the chunks of a run apart
// meaning: the layout says that the tile is one run of bytes, but the pointer scatters its 16-byte chunks.
// remedy: let the layout hold the swizzle, so that the runs are known.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void store(float* shared_memory, float* to) {
  auto const tile =
      make_tensor(make_swizzle_ptr(make_smem_ptr(shared_memory), Swizzle<2, 4, 3>{}), Layout<Shape<_16, _8>>{});
  auto const dst = make_tensor(make_gmem_ptr(to), Layout<Shape<_16, _8>>{});
#ifdef TILEWRIGHT_FIXED
  copy(Copy_Atom<SM90_BULK_COPY_S2G, float>{}, as_position_independent_swizzle_tensor(tile), dst);
#else
  copy(Copy_Atom<SM90_BULK_COPY_S2G, float>{}, tile, dst);
#endif
}
