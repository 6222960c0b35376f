// Redistribution on paper: the bytes of a plan over the links of a stated network, and the time that the slowest link needs.
// The model: each rank has a link into its node's fabric and a link into the network, both with one speed in each direction;
// network links end at leaf switches, and a leaf has an uplink of all its links together divided by `oversubscription`. A
// rank starts its messages one after another. Nothing else takes time: no congestion within a switch, no routing.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/distributed/exchange.hpp"
#include "tilewright/distributed/placements.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct topology {
  std::string name = "nvlink";
  int ranks_per_node = 8;
  double node_bytes_per_second = 0;     // of a rank's link within its node, each direction
  double network_bytes_per_second = 0;  // of a rank's link out of its node, each direction
  bool rails = false;           // a leaf switch has the links of one local index of all nodes; else those of nodes
  int nodes_per_leaf = 0;       // without rails; 0: all nodes
  double oversubscription = 1;  // of a leaf's uplink
  double message_seconds = 0;   // to start a message
  double memory_bytes_per_second = 0;  // of a rank's own memory, reads and writes counted; packing and own copies
};

/// "nvlink": one island of all ranks, 450 GB/s; "rail": nodes of 8 in such islands, 50 GB/s a rank on rails with a spine of half
/// that; "fat-tree": the same links on leaves of 4 nodes, full spine; "host": ranks of one machine in shared memory, 10 GB/s.
/// error: copy_error bad_option, with the names there are
topology topology_named(std::string_view name);
std::vector<std::string> topology_names();

struct exchange_estimate {
  double seconds = 0;
  std::string slowest;             // what the time is that of: "rank 3's link into the network, out"
  std::int64_t messages = 0;       // in all
  std::int64_t max_messages = 0;   // that one rank sends
  std::int64_t node_bytes = 0;     // in all: within nodes,
  std::int64_t network_bytes = 0;  // out of nodes,
  std::int64_t uplink_bytes = 0;   // and of these through a spine
  std::int64_t own_bytes = 0;      // that stay on their rank
};

/// pre: traffic as traffic_of gives it
exchange_estimate estimate(std::vector<pair_traffic> const& traffic, double element_bytes, topology const& where);

/// The same bytes as one all-to-all of packed buffers: all of a rank's elements are written to a buffer before and read from one
/// after, its own ones too.
exchange_estimate estimate_all_to_all(std::vector<pair_traffic> const& traffic, double element_bytes,
                                      topology const& where);

/// A collective within each group of ranks that differ along one axis of the mesh.
struct collective_step {
  std::string name;  // "all-gather", "all-to-all" or "slice"
  int mesh_axis = 0;
  std::int64_t bytes = 0;  // that one rank receives
  double seconds = 0;
};
/// How DTensor redistributes: one axis of the mesh after another, by the rules of its planner: an axis of the tensor that a
/// later axis of the mesh shards is gathered first, since shards of one axis nest from the first axis of the mesh on.
/// pre: shape, mesh and placements that from_dtensor takes
std::vector<collective_step> dtensor_chain(std::vector<std::int64_t> const& shape, std::vector<int> const& mesh,
                                           std::vector<placement> const& from, std::vector<placement> const& to,
                                           double element_bytes, topology const& where);

/// The plan in a few lines of text: both layouts, bytes and messages of each pair (of one rank where `rank` >= 0), the bound, the
/// expected time.
struct explain_options {
  int rank = -1;
  int max_pairs = 32;  // lines of pairs; the others are counted
  bool proof = true;
};
std::string explain(distributed_layout const& src, distributed_layout const& dst, double element_bytes,
                    topology const& where, explain_options const& options = {});

/// The same as a JSON object, with all pairs.
std::string to_json(distributed_layout const& src, distributed_layout const& dst, double element_bytes,
                    topology const& where, int indent = 2);

/// Who sends what to whom as a picture: a square for each pair, darker where more bytes travel, own copies on the diagonal.
/// pre: at most 64 ranks
std::string traffic_svg(distributed_layout const& src, distributed_layout const& dst, double element_bytes);

}  // namespace tilewright
