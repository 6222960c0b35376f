// The parts of a plan's proof that are about its schedule. Each returns what is wrong, or nothing.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <optional>
#include <string>

namespace tilewright::plan {

using failure = std::optional<std::string>;

/// Are there as many tile extents as loops, none beyond its loop?
failure tiles_cut_loops(copy_plan const& plan);

/// Do the blocks' tiles cover every loop once, and a block's threads its tile, within what a block may have?
/// cost: O(elements of a tile · log)
failure cuda_failure(copy_plan const& plan, cuda_schedule const& s);

}  // namespace tilewright::plan
