// The proof that a plan is right, from its numbers alone and for any extents: nothing is run and nothing enumerated but
// one tile's coordinates along each loop.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <string>

namespace tilewright {

/// Holds when every element of the destination is written exactly once, from the element of the source at the same
/// coordinate, and nothing outside of the two layouts is touched:
/// - the loops' offsets in the destination are distinct, and there are as many as elements;
/// - the tiles cut each loop's range into pieces that neither overlap nor leave anything out;
/// - within a tile, each coordinate belongs to exactly one place of the schedule (row and column on a CPU, block, thread
///   and value on a GPU), and a place that hangs over the end of a loop carries nothing;
/// - what a schedule takes for a run is one.
struct plan_proof {
  bool holds = false;
  std::string failure;  // the first step that does not hold, with its numbers; empty when all do
  explicit operator bool() const { return holds; }
};

/// cost: the sum of the tile's extents, and the search of has_collision
plan_proof prove(copy_plan const& plan);

/// The same, and that the plan moves what the request's layouts say: every coordinate of both is walked.
/// cost: O(elements)
plan_proof prove(copy_plan const& plan, copy_request const& request);

}  // namespace tilewright
