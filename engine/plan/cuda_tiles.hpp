// The tiles that a GPU's blocks can move, and what each is expected to cost.
#pragma once

#include "tilewright/plan/machine_model.hpp"
#include "tilewright/plan/movement.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::plan {

/// The loops of the two runs and how wide accesses along them can be, all of it proved from strides and alignments.
struct run_facts {
  int along_src = 0, along_dst = 0;
  int src_vector = 1, dst_vector = 1;  // elements
  int packed = 1;
  int run_vector = 1;  // along a run that both sides share; the run need not be a whole number of vectors
};

constexpr std::int64_t short_run_bytes = 512;  // runs up to here stay whole

struct weighed_tile {
  std::vector<std::int64_t> extents;      // in each loop
  double cost = 0;                        // to choose by, in shares of a plain copy's time
  double any_tile = 1;                    // of it, what all tiles of the movement cost
  double apart = 0;                       // what is added for each unit that the order of tiles costs at best
  std::int64_t src_run = 0, dst_run = 0;  // bytes of the tile that follow each other
};

/// The loops, those with the smallest strides of a side first.
std::vector<int> loops_by(movement const& m, bool source);

/// Of a block whose tile goes through registers. Small tiles: one or two vectors for each thread, so that what is in flight at
/// a time is close together.
int threads_for_runs(std::int64_t tile_bytes);

/// Do both sides share a run that is long enough to be read and written in place?
bool is_direct(movement const& m, run_facts const& f, std::vector<std::int64_t> const& tile);

/// pre: m.has_loops(), m.loops not empty
std::vector<weighed_tile> weighed_tiles(movement const& m, run_facts const& f, machine_model const& machine);

}  // namespace tilewright::plan
