// CUTLASS's log of synchronisations, which is off, as in CUTLASS unless CUTLASS_ENABLE_SYNCLOG is defined: programs that write
// barriers of their own call these functions, and nothing is recorded.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

namespace cutlass::arch {

CUTLASS_HOST_DEVICE constexpr void synclog_setup() {}
CUTLASS_HOST_DEVICE constexpr void synclog_print() {}

template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_syncthreads(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_syncwarp(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_named_barrier_arrive(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_named_barrier_arrive_and_wait(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_barrier_init(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_barrier_wait(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_barrier_test_wait(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_barrier_try_wait(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_barrier_arrive_cluster(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_barrier_arrive(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_barrier_invalidate(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_transaction_barrier_arrive_and_expect_tx(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_transaction_barrier_arrive_and_expect_tx_cluster(
    Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_transaction_barrier_expect_transaction(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cluster_transaction_barrier_complete_transaction(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_fence_barrier_init(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_fence_view_async_shared(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cp_async_wait(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cp_async_wait_all(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cp_async_fence(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_cpasync_barrier_arrive(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_warpgroup_arrive(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_warpgroup_wait(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_warpgroup_commit_batch(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_tma_load(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_tma_store(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_tma_store_arrive(Args const&...) {}
template <class... Args>
CUTLASS_HOST_DEVICE constexpr void synclog_emit_tma_store_wait(Args const&...) {}

}  // namespace cutlass::arch
