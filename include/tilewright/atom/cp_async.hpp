// cp.async (PTX ISA, "cp.async", sm_80): 4, 8 or 16 bytes from global to shared memory without passing registers. The
// maps are those of a plain copy of the width; the host body copies at once, one of the orders in which the instruction
// may complete before the wait that a kernel needs anyway.
#pragma once

#include "tilewright/atom/universal.hpp"

namespace tilewright {

/// Cached in L1 and L2 (.ca).
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEALWAYS {
  static_assert(sizeof(S) == 4 || sizeof(S) == 8 || sizeof(S) == 16, "cp.async.ca: 4, 8 or 16 bytes");
};
/// Cached in L2 only (.cg).
template <class S, class D = S>
struct SM80_CP_ASYNC_CACHEGLOBAL {
  static_assert(sizeof(S) == 16, "cp.async.cg: 16 bytes");
};

template <class S, class D>
struct Copy_Traits<SM80_CP_ASYNC_CACHEALWAYS<S, D>> : Copy_Traits<UniversalCopy<S, D>> {};
template <class S, class D>
struct Copy_Traits<SM80_CP_ASYNC_CACHEGLOBAL<S, D>> : Copy_Traits<UniversalCopy<S, D>> {};

}  // namespace tilewright
