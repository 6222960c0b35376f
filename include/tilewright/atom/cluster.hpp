// Where a block is in its cluster, the cluster's barrier, and the shared memory of its other blocks (sm_90). A launch
// without a cluster has clusters of one block. On the CPU the blocks of a cluster take turns on one core.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/cluster.hpp"
#include "tilewright/machine/host_thread.hpp"

namespace tilewright {

namespace detail {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
inline host_cluster cluster_of_this_thread() {
  return host_thread == nullptr ? host_cluster{} : host_thread->cluster();
}
#endif
}  // namespace detail

/// The grid's extents in clusters, and the cluster's index in it.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN dim3 cluster_grid_dims() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  return detail::cluster_of_this_thread().grid;
#else
  return ptx::cluster_grid();
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN dim3 cluster_id_in_grid() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  return detail::cluster_of_this_thread().index;
#else
  return ptx::cluster_index();
#endif
}
/// The cluster's extents in blocks, and the block's index in it.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN dim3 cluster_shape() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  return detail::cluster_of_this_thread().shape;
#else
  return ptx::cluster_extents();
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN dim3 block_id_in_cluster() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  return detail::cluster_of_this_thread().block;
#else
  return ptx::block_in_cluster();
#endif
}
/// That index as one number, x fastest.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN std::uint32_t block_rank_in_cluster() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  return detail::cluster_of_this_thread().rank;
#else
  return ptx::cluster_rank();
#endif
}

/// The barrier of all threads of the cluster in its two halves; each thread that has not exited takes part.
/// cluster_arrive_relaxed orders no memory.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN void cluster_arrive() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  if (host_thread != nullptr) host_thread->cluster_arrive();
#else
  ptx::cluster_arrive();
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN void cluster_arrive_relaxed() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  cluster_arrive();
#else
  ptx::cluster_arrive_relaxed();
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN void cluster_wait() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  if (host_thread != nullptr) host_thread->cluster_wait();
#else
  ptx::cluster_wait();
#endif
}
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}

/// What is in shared memory of the block of that rank where *p is in this block's: for plain loads and stores.
/// pre: the block has started and not exited, which cluster_sync() at either end of a kernel ensures
TILEWRIGHT_NO_EXEC_CHECK
template <class T>
TILEWRIGHT_FN T* map_shared_rank(T* p, [[maybe_unused]] std::uint32_t rank) {
#if TILEWRIGHT_ON_DEVICE
  return static_cast<T*>(ptx::map_shared(static_cast<void const*>(p), rank));
#elif TILEWRIGHT_HOSTED
  if (host_thread == nullptr) {
    if (rank != 0) raise({errc::cluster_rank, rank, 1});
    return p;
  }
  return static_cast<T*>(host_thread->map_shared(p, rank));
#else
  return p;
#endif
}

/// The same for a 32-bit address that cast_smem_ptr_to_uint gave, for instructions on shared::cluster memory.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN std::uint32_t set_block_rank(std::uint32_t smem, [[maybe_unused]] std::uint32_t rank) {
#if TILEWRIGHT_ON_DEVICE
  return ptx::map_shared(smem, rank);
#else
  return smem;
#endif
}

/// 1 in one thread of the warp, 0 in the others.  pre: all 32 call it
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN std::uint32_t elect_one_sync() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  return host_thread == nullptr || host_thread->lane() == 0 ? 1 : 0;
#else
  return ptx::elect_one();
#endif
}

/// The thread that elect_one_sync chooses.
struct elected_lane {
  std::uint32_t is_this;  // 1 in the thread itself, else 0
  std::uint32_t lane;
};
/// pre: every thread of the warp calls it
TILEWRIGHT_FN elected_lane elect_one_and_its_lane() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  return {elect_one_sync(), 0};
#else
  elected_lane out{};
  out.is_this = ptx::elect_one(out.lane);
  return out;
#endif
}

}  // namespace tilewright
