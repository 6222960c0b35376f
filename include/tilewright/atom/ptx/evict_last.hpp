// Loads of global memory whose lines the second-level cache gives up last (PTX ISA, "createpolicy", "ld": .L2::cache_hint).
// Apart from global_access.hpp, whose words of tensors the kernels of whole-tensor copies, compiled at run time, do without.
#pragma once

#include "tilewright/base/config.hpp"

#if TILEWRIGHT_ON_DEVICE

namespace tilewright::ptx {

/// Loads of 4, 8 or 16 bytes into 32-bit registers; plain ones before sm_80.
/// pre: p is in global memory and aligned to Bytes; words has room for them
template <int Bytes>
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void load_evict_last(void const* p, unsigned* words) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "a load takes 4, 8 or 16 bytes");
#if __CUDA_ARCH__ >= 800
  unsigned long long policy = 0;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  auto const from = __cvta_generic_to_global(p);
  if constexpr (Bytes == 16) {
    asm volatile("ld.global.L2::cache_hint.v4.b32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "l"(from), "l"(policy)
                 : "memory");
  } else if constexpr (Bytes == 8) {
    asm volatile("ld.global.L2::cache_hint.v2.b32 {%0, %1}, [%2], %3;"
                 : "=r"(words[0]), "=r"(words[1])
                 : "l"(from), "l"(policy)
                 : "memory");
  } else {
    asm volatile("ld.global.L2::cache_hint.b32 %0, [%1], %2;" : "=r"(words[0]) : "l"(from), "l"(policy) : "memory");
  }
#else
  for (int i = 0; i < Bytes / 4; ++i) words[i] = static_cast<unsigned const*>(p)[i];
#endif
}

}  // namespace tilewright::ptx

#endif
