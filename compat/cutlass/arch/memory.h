// Loads and stores of global memory under a condition, by CUTLASS's names.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/cache_operation.h"
#include "cutlass/arch/memory_sm75.h"
#include "cutlass/arch/memory_sm80.h"
#include "cutlass/cutlass.h"
#include "tilewright/tensor/element.hpp"

namespace cutlass::arch {

namespace detail {
/// `Bytes` bytes at once, or 16 at a time.
template <int Bytes>
CUTLASS_HOST_DEVICE void copy_bytes(void* to, void const* from) {
  constexpr int at_once = Bytes < 16 ? Bytes : 16;
  static_assert(Bytes % at_once == 0, "global_load, global_store: an access has 1, 2, 4, 8 or a multiple of 16 bytes");
  using part = tilewright::word<8 * at_once>;
  for (int i = 0; i < Bytes / at_once; ++i) static_cast<part*>(to)[i] = static_cast<part const*>(from)[i];
}
}  // namespace detail

/// pre: ptr is aligned to LoadBytes, or to 16
template <class AccessType, int LoadBytes, CacheOperation::Kind cache_op = CacheOperation::Always>
struct global_load {
  /// D stays as it is where pred_guard is false.
  CUTLASS_HOST_DEVICE global_load(AccessType& D, void const* ptr, bool pred_guard) {
    static_assert(sizeof(AccessType) >= LoadBytes, "global_load: the access is wider than what it is loaded to");
    if (pred_guard) detail::copy_bytes<LoadBytes>(&D, ptr);
  }
};
template <class AccessType, int StoreBytes>
struct global_store {
  CUTLASS_HOST_DEVICE global_store(AccessType const& D, void* ptr, bool pred_guard) {
    static_assert(sizeof(AccessType) >= StoreBytes, "global_store: the access is wider than what is stored");
    if (pred_guard) detail::copy_bytes<StoreBytes>(ptr, &D);
  }
};

/// Bytes of shared memory to registers, and back.  pre: Bytes is 2, 4, 8 or 16, and ptr a multiple of it; device code alone
template <int Bytes>
CUTLASS_DEVICE void shared_load([[maybe_unused]] void* dst, [[maybe_unused]] std::uint32_t ptr) {
#if TILEWRIGHT_ON_DEVICE
  detail::copy_bytes<Bytes>(dst, __cvta_shared_to_generic(ptr));
#endif
}
template <int Bytes>
CUTLASS_DEVICE void shared_store([[maybe_unused]] std::uint32_t ptr, [[maybe_unused]] void const* src) {
#if TILEWRIGHT_ON_DEVICE
  detail::copy_bytes<Bytes>(__cvta_shared_to_generic(ptr), src);
#endif
}

}  // namespace cutlass::arch
