// The proof that a plan is right, for any extents. A GPU's is made from the plan's numbers alone. For a CPU, one tile of
// each kind is also run, by the kernels that copy, on memory whose bytes say where they come from.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/plan/copy_plan.hpp"

#include <string>

namespace tilewright {

/// Holds when every element of the destination is written exactly once, from the element of the source at the same
/// coordinate, and nothing outside of the two layouts is touched:
/// - the loops' offsets in the destination are distinct, and there are as many as elements;
/// - the tiles cut each loop's range into pieces that neither overlap nor leave anything out;
/// - within a tile, each coordinate belongs to exactly one place of the schedule (row and column on a CPU, block, thread
///   and value on a GPU), and a place beyond the end of a loop copies nothing;
/// - what a schedule takes as contiguous is contiguous;
/// - on a CPU, the kernels of the machine at hand write each byte of a tile from the place that the plan says, and no other
///   byte: a whole tile, and the first, second and last along each loop that is cut.
struct plan_proof {
  bool holds = false;
  std::string failure;  // the first step that does not hold, with its numbers; empty when all do
  explicit operator bool() const { return holds; }
};

/// cost: the sum of the tile's extents, the search of has_collision, and on a CPU a few runs of each kind of tile
plan_proof prove(copy_plan const& plan);

/// The same, and that the plan moves what the request's layouts say: every coordinate of both is walked.
/// cost: O(elements)
plan_proof prove(copy_plan const& plan, copy_request const& request);

}  // namespace tilewright
