// name: a bulk load without its barrier
// error: cp.async.bulk: a copy to shared memory completes on a barrier
// meaning: a copy to shared memory counts its bytes on an mbarrier; without one nobody could wait for it.
// remedy: give the atom its barrier.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void load(float const* from, float* shared_memory, [[maybe_unused]] std::uint64_t& barrier) {
  auto const src = make_tensor(make_gmem_ptr(from), Shape<_4>{});
  auto const dst = make_tensor(make_smem_ptr(shared_memory), Shape<_4>{});
#ifdef TILEWRIGHT_FIXED
  copy(Copy_Atom<SM90_BULK_COPY_AUTO, float>{}.with(barrier), src, dst);
#else
  copy(Copy_Atom<SM90_BULK_COPY_AUTO, float>{}, src, dst);
#endif
}
