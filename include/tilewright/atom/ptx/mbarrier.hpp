// Barriers in shared memory (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"; sm_80, with
// transactions and the other blocks of a cluster sm_90). On the host these functions do nothing: atom/mbarrier.hpp does
// it there.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/cluster.hpp"
#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

inline constexpr char const* needs_mbarrier =
    "mbarrier needs compute capability 8.0; compile for sm_80 or later, or use block.sync()";
inline constexpr char const* needs_transactions =
    "mbarrier transactions need compute capability 9.0; compile for sm_90 or later, or copy with cp.async";

TILEWRIGHT_FN void mbarrier_init([[maybe_unused]] std::uint64_t* barrier, [[maybe_unused]] std::uint32_t arrivals) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(cast_smem_ptr_to_uint(barrier)), "r"(arrivals)
               : "memory");
#else
  refuse(needs_mbarrier);
#endif
}

TILEWRIGHT_FN void mbarrier_invalidate([[maybe_unused]] std::uint64_t* barrier) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(cast_smem_ptr_to_uint(barrier)) : "memory");
#else
  refuse(needs_mbarrier);
#endif
}

TILEWRIGHT_FN void mbarrier_arrive([[maybe_unused]] std::uint64_t* barrier) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(cast_smem_ptr_to_uint(barrier)) : "memory");
#else
  refuse(needs_mbarrier);
#endif
}

/// Has the phase of that parity ended?
TILEWRIGHT_FN bool mbarrier_test([[maybe_unused]] std::uint64_t* barrier, [[maybe_unused]] std::uint32_t parity) {
#if __CUDA_ARCH__ >= 800
  std::uint32_t ended;
  asm volatile(
      "{\n"
      ".reg .pred ended;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
      "selp.u32 %0, 1, 0, ended;\n"
      "}"
      : "=r"(ended)
      : "r"(cast_smem_ptr_to_uint(barrier)), "r"(parity)
      : "memory");
  return ended != 0;
#else
  refuse(needs_mbarrier);
  return true;
#endif
}

/// The same, waiting a while for it where the machine can (sm_90).
TILEWRIGHT_FN bool mbarrier_try_wait([[maybe_unused]] std::uint64_t* barrier, [[maybe_unused]] std::uint32_t parity) {
#if __CUDA_ARCH__ >= 900
  std::uint32_t ended;
  asm volatile(
      "{\n"
      ".reg .pred ended;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
      "selp.u32 %0, 1, 0, ended;\n"
      "}"
      : "=r"(ended)
      : "r"(cast_smem_ptr_to_uint(barrier)), "r"(parity)
      : "memory");
  return ended != 0;
#else
  return mbarrier_test(barrier, parity);
#endif
}

/// The same, ordered after what threads of the whole cluster did before they arrived.
TILEWRIGHT_FN bool mbarrier_try_wait_cluster([[maybe_unused]] std::uint64_t* barrier,
                                             [[maybe_unused]] std::uint32_t parity) {
#if __CUDA_ARCH__ >= 900
  std::uint32_t ended;
  asm volatile(
      "{\n"
      ".reg .pred ended;\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 ended, [%1], %2;\n"
      "selp.u32 %0, 1, 0, ended;\n"
      "}"
      : "=r"(ended)
      : "r"(cast_smem_ptr_to_uint(barrier)), "r"(parity)
      : "memory");
  return ended != 0;
#else
  return mbarrier_test(barrier, parity);
#endif
}

TILEWRIGHT_FN void mbarrier_arrive_expect([[maybe_unused]] std::uint64_t* barrier,
                                          [[maybe_unused]] std::uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(cast_smem_ptr_to_uint(barrier)),
               "r"(bytes)
               : "memory");
#else
  refuse(needs_transactions);
#endif
}

TILEWRIGHT_FN void mbarrier_expect([[maybe_unused]] std::uint64_t* barrier, [[maybe_unused]] std::uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.expect_tx.shared::cta.b64 [%0], %1;" ::"r"(cast_smem_ptr_to_uint(barrier)), "r"(bytes)
               : "memory");
#else
  refuse(needs_transactions);
#endif
}

/// These three act on the barrier of the same address in the block of that rank: an arrival that expects bytes, bytes that
/// are complete, and an arrival.
TILEWRIGHT_FN void mbarrier_arrive_expect_remote([[maybe_unused]] std::uint64_t* barrier,
                                                 [[maybe_unused]] std::uint32_t bytes,
                                                 [[maybe_unused]] std::uint32_t rank) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cluster.b64 _, [%0], %1;" ::"r"(
                   map_shared(cast_smem_ptr_to_uint(barrier), rank)),
               "r"(bytes)
               : "memory");
#else
  refuse(needs_transactions);
#endif
}
TILEWRIGHT_FN void mbarrier_complete_remote([[maybe_unused]] std::uint64_t* barrier,
                                            [[maybe_unused]] std::uint32_t bytes, [[maybe_unused]] std::uint32_t rank) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;" ::"r"(
                   map_shared(cast_smem_ptr_to_uint(barrier), rank)),
               "r"(bytes)
               : "memory");
#else
  refuse(needs_transactions);
#endif
}
/// A word to an address of shared memory in the block of that rank, which completes its four bytes on a barrier there.
TILEWRIGHT_FN void store_async_remote([[maybe_unused]] std::uint32_t value, [[maybe_unused]] std::uint32_t smem,
                                      [[maybe_unused]] std::uint32_t barrier, [[maybe_unused]] std::uint32_t rank) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(map_shared(smem, rank)),
      "r"(value), "r"(map_shared(barrier, rank))
      : "memory");
#else
  refuse(needs_transactions);
#endif
}
/// Orders: what this thread stored before is seen by the cluster's threads that wait for it; that costs a fence of all its
/// memory accesses.
template <bool Orders>
TILEWRIGHT_FN void mbarrier_arrive_remote([[maybe_unused]] std::uint64_t* barrier,
                                          [[maybe_unused]] std::uint32_t rank) {
#if __CUDA_ARCH__ >= 900
  std::uint32_t const there = map_shared(cast_smem_ptr_to_uint(barrier), rank);
  if constexpr (Orders)
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
  else asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
#else
  refuse(needs_clusters);
#endif
}

#endif

}  // namespace tilewright::ptx
