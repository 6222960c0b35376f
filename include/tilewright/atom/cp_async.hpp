// cp.async (PTX ISA, "cp.async", sm_80): 4, 8 or 16 bytes from global to shared memory without passing registers. The
// maps are those of a plain copy of the width; the host body copies at once, one of the orders in which the instruction
// may complete before the wait that a kernel needs anyway.
#pragma once

#include "tilewright/atom/universal.hpp"

namespace tilewright {

/// Cached in L1 and L2 (.ca).
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEALWAYS {};
/// Cached in L2 only (.cg).
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEGLOBAL {};

template <class S, class D>
struct Copy_Traits<SM80_CP_ASYNC_CACHEALWAYS<S, D>> : Copy_Traits<UniversalCopy<S, D>> {
  static constexpr bool carries_4_8_or_16_bytes = sizeof(S) == 4 || sizeof(S) == 8 || sizeof(S) == 16;
  static_assert(carries_4_8_or_16_bytes,
                "cp.async.ca: the instruction carries 4, 8 or 16 bytes; carry several elements at once, or copy "
                "synchronously (docs/errors.md#cp_async_width)");
};
template <class S, class D>
struct Copy_Traits<SM80_CP_ASYNC_CACHEGLOBAL<S, D>> : Copy_Traits<UniversalCopy<S, D>> {
  static constexpr bool carries_16_bytes = sizeof(S) == 16;
  static_assert(carries_16_bytes,
                "cp.async.cg: the instruction carries 16 bytes; carry several elements at once, or use "
                "SM80_CP_ASYNC_CACHEALWAYS (docs/errors.md#cp_async_width)");
};

}  // namespace tilewright
