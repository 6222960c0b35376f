// name: a cache hint for a copy from block to block
// error: cp.async.bulk: a copy from block to block passes no cache; leave the cache hint out
// meaning: hints say how long L2 keeps bytes of global memory; from shared memory to shared memory none pass it.
// remedy: name the barrier and the block alone.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

template <class T>
auto tile(T* p) {
  return make_tensor(make_smem_ptr(p), Layout<Shape<_256>>{});
}

#ifdef TILEWRIGHT_FIXED
void hand_on(std::uint64_t& full, unsigned next, float* mine, float* theirs) {
  copy(Copy_Atom<SM90_BULK_COPY_S2CLUSTER, float>{}.with(full, next), tile(mine), tile(theirs));
}
#else
void hand_on(std::uint64_t& full, float* mine, float* theirs) {
  auto const first = TMA::CacheHintSm90::EVICT_FIRST;
  copy(Copy_Atom<SM90_BULK_COPY_S2CLUSTER, float>{}.with(full, first), tile(mine), tile(theirs));
}
#endif
