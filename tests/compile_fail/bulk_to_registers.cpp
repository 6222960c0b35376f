// name: a bulk copy to registers
// error: cp.async.bulk: source and destination are not in the memory that the operation copies between
// anchor: memory_space
// meaning: bulk copies move bytes between global and shared memory, or between the shared memory of two blocks.
// remedy: tag both pointers with the memory they point to, and choose the operation for that direction.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void load(float const* from, [[maybe_unused]] float* shared_memory, std::uint64_t& barrier) {
  auto const src = make_tensor(make_gmem_ptr(from), Shape<_4>{});
#ifdef TILEWRIGHT_FIXED
  auto dst = make_tensor(make_smem_ptr(shared_memory), Shape<_4>{});
#else
  auto dst = make_tensor<float>(Shape<_4>{});
#endif
  copy(Copy_Atom<SM90_BULK_COPY_G2S, float>{}.with(barrier), src, dst);
}
