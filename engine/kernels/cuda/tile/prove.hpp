// What has to hold of a schedule of the tile kernel, beside that its grid covers the loops.
#pragma once

#include "engine/plan/prove_schedule.hpp"

namespace tilewright::kernels {

/// Nothing, or what is wrong: every element of a tile is read once and written once, has a place of its own in shared memory,
/// and accesses are aligned as far as strides and offsets decide.
/// pre: tiles cut the plan's loops
plan::failure tile_failure(copy_plan const& plan, cuda_schedule const& s);

}  // namespace tilewright::kernels
