// Schedules of the staged kernel for a given tile: who reads what, who writes what, and where it is in between.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::kernels {

/// What a staged schedule is made from.
struct staged_choice {
  std::vector<std::int64_t> tile;
  int along_src = 0, along_dst = 0;    // the loops of the vectors
  int src_vector = 1, dst_vector = 1;  // elements
  int packed = 1;
  int threads = 256;
  int write_lanes = 16;  // threads that follow each other along the destination before others are along the source
  int read_at_once = 8, write_at_once = 4;
  std::vector<int> order;  // of tiles, loops that step first first
};

/// Bank cycles of an average warp's access to the tile, for its reads and its writes together; 2 is best for words.
double bank_cycles(cuda_schedule const& schedule, int element_bits);

/// pre: tile extents along the two runs are multiples of their vectors; packed divides the one along the source
cuda_schedule staged_schedule(movement const& m, staged_choice const& choice);

}  // namespace tilewright::kernels
