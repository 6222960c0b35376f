// name: cp.async to registers
// error: cp.async: copies from global to shared memory alone
// anchor: memory_space
// meaning: the instruction writes shared memory without passing registers; it cannot fill registers.
// remedy: give it a tensor in shared memory, or copy with UniversalCopy.
#include "tilewright/tilewright.hpp"

using namespace tilewright;

void load(float const* from, [[maybe_unused]] float* shared_memory) {
  auto const src = make_tensor(make_gmem_ptr(from), Shape<_4>{});
#ifdef TILEWRIGHT_FIXED
  auto dst = make_tensor(make_smem_ptr(shared_memory), Shape<_4>{});
#else
  auto dst = make_tensor<float>(Shape<_4>{});
#endif
  copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, float>{}, src, dst);
}
