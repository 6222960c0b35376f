// What has to hold of a schedule of the realigned kernel, beside that its grid covers the loops.
#pragma once

#include "engine/plan/prove_schedule.hpp"

namespace tilewright::kernels {

/// Nothing, or what is wrong. Column j of tile t takes elements [t·tile - skew(j), (t + 1)·tile - skew(j)) of the destination's run: with
/// one skew for all tiles, each element is in one of them. A warp's lanes hold the words of a column, with the sector before; the image
/// holds the rows of these.
/// pre: tiles cut the plan's loops
plan::failure realigned_failure(copy_plan const& plan, cuda_schedule const& s);

}  // namespace tilewright::kernels
