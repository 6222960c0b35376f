// Bulk copies (PTX ISA, "Data Movement and Conversion Instructions: Bulk copy": cp.async.bulk, its groups and its
// prefetch; sm_90): a multiple of 16 bytes, aligned to 16 bytes, started by one thread. Copies to shared memory complete
// on an mbarrier, copies to global memory by groups. Those that touch global memory may carry a policy for L2 (a hint of
// 64 bits, cache_hint.hpp).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/cluster.hpp"
#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

inline constexpr char const* needs_bulk =
    "cp.async.bulk needs compute capability 9.0; compile for sm_90 or later, or copy with cp.async";

TILEWRIGHT_FN void bulk_load([[maybe_unused]] void* smem, [[maybe_unused]] void const* gmem,
                             [[maybe_unused]] std::uint32_t bytes, [[maybe_unused]] std::uint64_t* barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   cast_smem_ptr_to_uint(smem)),
               "l"(__cvta_generic_to_global(gmem)), "r"(bytes), "r"(cast_smem_ptr_to_uint(barrier))
               : "memory");
#else
  refuse(needs_bulk);
#endif
}

TILEWRIGHT_FN void bulk_load([[maybe_unused]] void* smem, [[maybe_unused]] void const* gmem,
                             [[maybe_unused]] std::uint32_t bytes, [[maybe_unused]] std::uint64_t* barrier,
                             [[maybe_unused]] std::uint64_t hint) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::
          "r"(cast_smem_ptr_to_uint(smem)),
      "l"(__cvta_generic_to_global(gmem)), "r"(bytes), "r"(cast_smem_ptr_to_uint(barrier)), "l"(hint)
      : "memory");
#else
  refuse(needs_bulk);
#endif
}

TILEWRIGHT_FN void bulk_store([[maybe_unused]] void* gmem, [[maybe_unused]] void const* smem,
                              [[maybe_unused]] std::uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(gmem)),
               "r"(cast_smem_ptr_to_uint(smem)), "r"(bytes)
               : "memory");
#else
  refuse(needs_bulk);
#endif
}

TILEWRIGHT_FN void bulk_store([[maybe_unused]] void* gmem, [[maybe_unused]] void const* smem,
                              [[maybe_unused]] std::uint32_t bytes, [[maybe_unused]] std::uint64_t hint) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(
                   __cvta_generic_to_global(gmem)),
               "r"(cast_smem_ptr_to_uint(smem)), "r"(bytes), "l"(hint)
               : "memory");
#else
  refuse(needs_bulk);
#endif
}

/// From this block to the addresses of `to` and `barrier` in the block of that rank.
TILEWRIGHT_FN void bulk_to_cluster([[maybe_unused]] void* to, [[maybe_unused]] void const* from,
                                   [[maybe_unused]] std::uint32_t bytes, [[maybe_unused]] std::uint64_t* barrier,
                                   [[maybe_unused]] std::uint32_t rank) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   map_shared(cast_smem_ptr_to_uint(to), rank)),
               "r"(cast_smem_ptr_to_uint(from)), "r"(bytes), "r"(map_shared(cast_smem_ptr_to_uint(barrier), rank))
               : "memory");
#else
  refuse(needs_bulk);
#endif
}

TILEWRIGHT_FN void bulk_prefetch([[maybe_unused]] void const* gmem, [[maybe_unused]] std::uint32_t bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(gmem)), "r"(bytes)
               : "memory");
#endif
}

TILEWRIGHT_FN void bulk_prefetch([[maybe_unused]] void const* gmem, [[maybe_unused]] std::uint32_t bytes,
                                 [[maybe_unused]] std::uint64_t hint) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global.L2::cache_hint [%0], %1, %2;" ::"l"(__cvta_generic_to_global(gmem)),
               "r"(bytes), "l"(hint)
               : "memory");
#endif
}

TILEWRIGHT_FN void bulk_commit_group() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#else
  refuse(needs_bulk);
#endif
}

/// Until at most N groups have yet to read their source.
template <int N>
TILEWRIGHT_FN void bulk_wait_group_read() {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
#else
  refuse(needs_bulk);
#endif
}

#endif

}  // namespace tilewright::ptx
