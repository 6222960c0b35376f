// cp.async and its groups (PTX ISA, "Data Movement and Conversion Instructions: Non-bulk copy": cp.async,
// cp.async.commit_group, cp.async.wait_group, cp.async.mbarrier.arrive; sm_80). On the host these functions do nothing: the atoms do it there.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

/// Copies `bytes` <= Bytes and fills the rest of Bytes with zeros. L2Only: .cg, else .ca.
/// pre: both aligned to Bytes
template <int Bytes, bool L2Only>
TILEWRIGHT_FN void cp_async([[maybe_unused]] void* smem, [[maybe_unused]] void const* gmem,
                            [[maybe_unused]] int bytes) {
#if TILEWRIGHT_ON_DEVICE
#if __CUDA_ARCH__ >= 800
  std::uint32_t const to = cast_smem_ptr_to_uint(smem);
  std::size_t const from = __cvta_generic_to_global(gmem);
  if constexpr (L2Only) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Bytes), "r"(bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Bytes), "r"(bytes)
                 : "memory");
  }
#else
  refuse("cp.async needs compute capability 8.0; compile for sm_80 or later, or use UniversalCopy");
#endif
#endif
}
template <int Bytes, bool L2Only>
TILEWRIGHT_FN void cp_async([[maybe_unused]] void* smem, [[maybe_unused]] void const* gmem) {
#if TILEWRIGHT_ON_DEVICE
#if __CUDA_ARCH__ >= 800
  std::uint32_t const to = cast_smem_ptr_to_uint(smem);
  std::size_t const from = __cvta_generic_to_global(gmem);
  if constexpr (L2Only) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes) : "memory");
  }
#else
  refuse("cp.async needs compute capability 8.0; compile for sm_80 or later, or use UniversalCopy");
#endif
#endif
}

TILEWRIGHT_FN void cp_async_commit_group() {
#if TILEWRIGHT_ON_DEVICE
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
#endif
}

template <int N>
TILEWRIGHT_FN void cp_async_wait_group() {
#if TILEWRIGHT_ON_DEVICE
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
#endif
}

TILEWRIGHT_FN void cp_async_wait_everything() {
#if TILEWRIGHT_ON_DEVICE
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
#endif
}

/// The barrier gets an arrival when all of this thread's copies so far are complete. Counted: one that it was initialised
/// for (.noinc), else one more of the current phase.
template <bool Counted>
TILEWRIGHT_FN void cp_async_mbarrier_arrive([[maybe_unused]] std::uint64_t* barrier) {
#if TILEWRIGHT_ON_DEVICE
#if __CUDA_ARCH__ >= 800
  std::uint32_t const at = cast_smem_ptr_to_uint(barrier);
  if constexpr (Counted) asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at) : "memory");
  else asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(at) : "memory");
#else
  refuse("cp.async needs compute capability 8.0; compile for sm_80 or later, or use UniversalCopy");
#endif
#endif
}

}  // namespace tilewright::ptx
