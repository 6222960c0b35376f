// Clusters: where a block is in its own, their barrier, the shared memory of other blocks.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"
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
