// Words of global memory by instructions that say so (PTX ISA, "ld", "st": .global), for addresses that a kernel has as numbers:
// the compiler cannot tell which memory they are in.
#pragma once

#include "tilewright/base/config.hpp"

#if TILEWRIGHT_ON_DEVICE

namespace tilewright::ptx {

/// pre: `at` is in global memory and a multiple of Bytes, 4 or 8; words has room for them
template <int Bytes>
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void load_global_words(unsigned long long at, unsigned* words) {
  static_assert(Bytes == 4 || Bytes == 8, "a load takes 4 or 8 bytes");
  if constexpr (Bytes == 8)
    asm volatile("ld.global.v2.b32 {%0, %1}, [%2];" : "=r"(words[0]), "=r"(words[1]) : "l"(at) : "memory");
  else asm volatile("ld.global.b32 %0, [%1];" : "=r"(words[0]) : "l"(at) : "memory");
}
template <int Bytes>
TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void store_global_words(unsigned long long at, unsigned const* words) {
  static_assert(Bytes == 4 || Bytes == 8, "a store takes 4 or 8 bytes");
  if constexpr (Bytes == 8)
    asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(at), "r"(words[0]), "r"(words[1]) : "memory");
  else asm volatile("st.global.b32 [%0], %1;" ::"l"(at), "r"(words[0]) : "memory");
}

}  // namespace tilewright::ptx

#endif
