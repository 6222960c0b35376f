// Blocks that run together. They take turns on one worker: each runs until all of its threads wait or ask for something
// that another thread must do, and then the next one runs. A block alone is a cluster of one.
#pragma once

#include "tilewright/exec/dim3.hpp"
#include "tilewright/machine/host_barrier.hpp"

#include <cstdint>
#include <exception>
#include <span>

namespace tilewright::exec {

class block_runner;

/// What the blocks of a cluster share.
struct cluster_state {
  dim3 grid{};                            // in clusters
  dim3 shape{};                           // in blocks
  dim3 index{0, 0, 0};                    // of the cluster
  std::span<block_runner* const> blocks;  // by rank
  host_barrier_copies copies;
  std::uint64_t changes = 0;     // of barriers: what threads wait for may have come
  std::uint64_t generation = 0;  // of the cluster's barrier: how often it was passed
  int arrived = 0;               // threads, at this generation
};

/// Runs each block of a cluster to its end.
/// pre: every block is begun; post: the result is what the first failing thread threw, or null
std::exception_ptr run_together(cluster_state& cluster);

}  // namespace tilewright::exec
