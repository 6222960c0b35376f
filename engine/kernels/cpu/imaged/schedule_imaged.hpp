// Which tile of a movement with swizzled offsets or half bytes is copied at a time: a few lines of each side's fastest loops, small
// enough that the swizzle of a place in the tile does not depend on where the tile is.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

namespace tilewright::plan {

/// Can tiles of these extents join runs of the source in pairs, so that they write whole bytes: the destination's fastest loop
/// has even places, the source's, another one, too, and all else begins with a byte?
/// pre: m.has_loops()
bool joins_pairs(movement const& m, std::vector<std::int64_t> const& tile);

/// The loop with stride 1 of a side; -1: there is none.
int unit_loop(movement const& m, bool source);

/// Fills path, tile, order, schedule and reasons of the plan.
/// `streaming`: the destination is better written past the caches, where it is in whole lines.
/// pre: plan.moves has loops, and is swizzled or has elements of 4 bits
void schedule_imaged(copy_plan& plan, bool streaming);

}  // namespace tilewright::plan
