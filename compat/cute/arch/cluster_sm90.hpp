// Clusters: where a block is in its own, their barrier, the shared memory of other blocks.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "cutlass/numeric_types.h"
#include "tilewright/atom/cluster.hpp"
#include "tilewright/atom/ptx/mbarrier.hpp"

namespace cute {

using tilewright::block_id_in_cluster;
using tilewright::block_rank_in_cluster;
using tilewright::cluster_arrive;
using tilewright::cluster_arrive_relaxed;
using tilewright::cluster_grid_dims;
using tilewright::cluster_id_in_grid;
using tilewright::cluster_shape;
using tilewright::cluster_sync;
using tilewright::cluster_wait;
using tilewright::elect_one_sync;
using tilewright::set_block_rank;

/// Which thread of the warp was elected, and whether it is this one.
struct ElectOneLaneIdReturnType {
  std::uint32_t is_leader;
  std::uint32_t leader_lane_id;
};
/// pre: every thread of the warp calls it
CUTE_HOST_DEVICE ElectOneLaneIdReturnType elect_one_leader_sync() {
  auto const elected = tilewright::elect_one_and_its_lane();
  return {elected.is_this, elected.lane};
}

#if defined(__CUDACC__)
/// A word to another block's shared memory, which completes its four bytes on a barrier of that block.
CUTE_DEVICE void store_shared_remote([[maybe_unused]] std::uint32_t value, [[maybe_unused]] std::uint32_t smem_addr,
                                     [[maybe_unused]] std::uint32_t mbarrier_addr,
                                     [[maybe_unused]] std::uint32_t dst_cta_rank) {
#if TILEWRIGHT_ON_DEVICE
  tilewright::ptx::store_async_remote(value, smem_addr, mbarrier_addr, dst_cta_rank);
#endif
}
#endif

}  // namespace cute
