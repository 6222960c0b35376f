// What has to hold of schedules by modes, beside that their grids cover the loops.
#pragma once

#include "engine/plan/prove_schedule.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::kernels {

/// Nothing, or how coordinates below `extent` of a loop come up other than once among the sums of the modes' steps, each followed by the
/// next vector - 1 coordinates. `what` has these modes.
plan::failure covers_once(std::vector<cuda_mode> const& modes, int loop, std::int64_t vector, std::int64_t extent,
                          char const* what);

/// Threads and values of the reading layout take each element of a tile once, and so do those of the writing one where the kernel has
/// one, with a place of its own in shared memory for each.
/// pre: tiles cut the plan's loops; the kernel is `runs` or `staged`
plan::failure modes_failure(copy_plan const& plan, cuda_schedule const& s);

}  // namespace tilewright::kernels
