// name: a bulk copy of rows into columns
// error: cp.async.bulk: what is contiguous in both source and destination is not a multiple of 16 bytes
// meaning: an instruction moves one run of bytes as it is; 16 bytes is the least that source and destination must have
//   next to each other in the same order.
// remedy: give both the same order, or transpose with a tiled copy.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void store(float* shared_memory, float* to) {
  auto const src = make_tensor(make_smem_ptr(shared_memory), Layout<Shape<_8, _8>>{});
#ifdef TILEWRIGHT_FIXED
  auto const dst = make_tensor(make_gmem_ptr(to), Layout<Shape<_8, _8>>{});
#else
  auto const dst = make_tensor(make_gmem_ptr(to), Layout<Shape<_8, _8>, Stride<_8, _1>>{});
#endif
  copy(Copy_Atom<SM90_BULK_COPY_S2G, float>{}, src, dst);
}
