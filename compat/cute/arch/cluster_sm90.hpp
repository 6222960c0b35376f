// Clusters: where a block is in its own, their barrier, the shared memory of other blocks.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"
#include "tilewright/atom/cluster.hpp"

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

}  // namespace cute
