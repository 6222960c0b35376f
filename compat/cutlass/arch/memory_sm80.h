// cp.async by CUTLASS's names: copies from global to shared memory that a thread starts and later waits for (sm_80). On the host a
// copy is done at once.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/cache_operation.h"
#include "cutlass/cutlass.h"
#include "tilewright/atom/cp_async.hpp"

namespace cutlass::arch {

using tilewright::cp_async_fence;
using tilewright::cp_async_wait;

namespace detail {
/// On the host.  from: null for zeros
template <int Bytes>
CUTLASS_HOST_DEVICE void copy_or_clear(void* to, void const* from) {
  for (int i = 0; i < Bytes; ++i)
    static_cast<char*>(to)[i] = from != nullptr ? static_cast<char const*>(from)[i] : char{0};
}
}  // namespace detail

/// pre: 4, 8 or 16 bytes, and 16 where cache_op is Global; both sides aligned to them
template <int SizeInBytes, CacheOperation::Kind cache_op = CacheOperation::Always>
struct cp_async {
  /// Nothing is copied where pred_guard is false.
  CUTLASS_HOST_DEVICE cp_async(void* smem_ptr, void const* global_ptr, bool pred_guard = true) {
    if (!pred_guard) return;
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::cp_async<SizeInBytes, cache_op == CacheOperation::Global>(smem_ptr, global_ptr);
#else
    detail::copy_or_clear<SizeInBytes>(smem_ptr, global_ptr);
#endif
  }
};

template <int SizeInBytes, CacheOperation::Kind cache_op = CacheOperation::Always>
struct cp_async_zfill {
  /// Zeros are written where pred_guard is false.
  CUTLASS_HOST_DEVICE cp_async_zfill(void* smem_ptr, void const* global_ptr, bool pred_guard) {
#if TILEWRIGHT_ON_DEVICE
    tilewright::ptx::cp_async<SizeInBytes, cache_op == CacheOperation::Global>(smem_ptr, global_ptr,
                                                                               pred_guard ? SizeInBytes : 0);
#else
    detail::copy_or_clear<SizeInBytes>(smem_ptr, pred_guard ? global_ptr : nullptr);
#endif
  }
};

}  // namespace cutlass::arch
