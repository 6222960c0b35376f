// Words of shared memory by 32-bit addresses (PTX ISA, "ld", "st", "cp.async": the .shared state space). From a pointer the compiler
// works each address out anew, by instructions that kernels of small elements have no time for.
#pragma once

#include "tilewright/base/config.hpp"

#if TILEWRIGHT_ON_DEVICE

namespace tilewright::ptx {

/// The address of what a pointer to shared memory points to.
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE unsigned shared_address(void const* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

/// Loads 1, 2, 4, 8 or 16 bytes into 32-bit registers, fewer than 4 into the low bytes of one.
/// pre: `at` is aligned to Bytes; words has room for them
template <int Bytes>
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void load_shared(unsigned at, unsigned* words) {
  if constexpr (Bytes == 1) {
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(words[0]) : "r"(at));
  } else if constexpr (Bytes == 2) {
    unsigned short half = 0;
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(half) : "r"(at));
    words[0] = half;
  } else if constexpr (Bytes == 4) {
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(words[0]) : "r"(at));
  } else if constexpr (Bytes == 8) {
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(words[0]), "=r"(words[1]) : "r"(at));
  } else {
    static_assert(Bytes == 16, "a load takes 1, 2, 4, 8 or 16 bytes");
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(at));
  }
}

TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void store_shared_byte(unsigned at, unsigned char byte) {
  asm volatile("st.shared.u8 [%0], %1;" ::"r"(at), "r"(static_cast<unsigned>(byte)) : "memory");
}

/// Copies 16 bytes asynchronously, past the first-level cache; belongs to the next group (cp_async.hpp).
/// pre: both addresses are multiples of 16, `from` is in global memory; sm_80 or later: before, 16 bytes by a load and a store
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void cp_async_to(unsigned at, void const* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(__cvta_generic_to_global(from)) : "memory");
#else
  uint4 const v = *static_cast<uint4 const*>(from);
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
#endif
}

}  // namespace tilewright::ptx

#endif
