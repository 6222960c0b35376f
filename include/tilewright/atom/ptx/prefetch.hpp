// Hints that memory will be used soon (PTX ISA, "prefetch", "cp.async.bulk.prefetch"), apart from global_access.hpp for kernels that are
// compiled at run time.
#pragma once

#include "tilewright/base/config.hpp"

#if TILEWRIGHT_ON_DEVICE

namespace tilewright::ptx {

/// Brings the line of `p` into the second-level cache.
/// pre: p is in global memory
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void prefetch_l2(void const* p) {
  asm volatile("prefetch.global.L2 [%0];" : : "l"(__cvta_generic_to_global(p)));
}

/// The 32 bytes at `p` and no more, which takes longer to issue; before sm_90 its line.
/// pre: p is in global memory
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void prefetch_l2_sector(void const* p) {
#if __CUDA_ARCH__ >= 900
  auto const at = __cvta_generic_to_global(p) & ~static_cast<decltype(__cvta_generic_to_global(p))>(31);
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 32;" : : "l"(at));
#else
  prefetch_l2(p);
#endif
}

}  // namespace tilewright::ptx

#endif
