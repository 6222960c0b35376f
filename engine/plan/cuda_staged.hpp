// Schedules of the kernels for a given tile: who reads what, who writes what, and where it is in between.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::plan {

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

/// Threads over modes so that as few values as can be are left to each; the first modes are given threads first.
/// post: the product of access.threads <= threads; threads and values together cover every index of every mode
void spread(std::vector<cuda_mode> const& modes, int threads, cuda_access& access);

/// Sets the grid of a tiling, and how many blocks of it a processor should hold, from the registers and the shared memory
/// that a block takes.
void set_grid(cuda_schedule& schedule, movement const& m, std::vector<std::int64_t> const& tile,
              std::vector<int> const& order);

/// Bank cycles of an average warp's access to the tile, for its reads and its writes together; 2 is best for words.
double bank_cycles(cuda_schedule const& schedule, int element_bits);

/// pre: tile extents along the two runs are multiples of their vectors; packed divides the one along the source
cuda_schedule staged_schedule(movement const& m, staged_choice const& choice);

/// Vectors of `vector` elements along loop 0 from source to destination, threads in the order `by` of the loops.
/// pre: loop 0 has stride 1 on both sides, or vector is 1
cuda_schedule runs_schedule(movement const& m, std::vector<std::int64_t> const& tile, std::vector<int> const& by,
                            int vector, int threads, std::vector<int> const& order);

}  // namespace tilewright::plan
