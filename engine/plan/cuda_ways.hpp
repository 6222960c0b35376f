// The other plans of which, by measurement, now and then one is faster on a GPU than the planner's, for reasons that its
// estimates do not hold.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <vector>

namespace tilewright::plan {

/// Has a plan's kernel others that may be faster? Contiguous copies and those that gather element by element have not.
/// first: what schedule_cuda made
bool has_other_cuda_plans(copy_plan const& first);

/// Of the tile kernel: its two best tilings with rows that are read one by one, and by blocks that stay; the best with fewer and with
/// more threads, and with the other choice of fetching sectors that rows cut; the third. And the best of the other kernels: two tilings, or
/// six where the planner's copies in place, which leaves the tile kernel fewer. Where the planner's is the realigned kernel, its four best
/// shapes, and where it is another that copies by tiles, the best. Where the planner's estimate is far above a plain copy's time, more tilings of each kernel, and the best with aligned accesses
/// alone on either side. Nothing without has_other_cuda_plans().
/// first: what schedule_cuda made
/// cost: some 10 ms, up to 40 where the estimate is high
std::vector<copy_plan> other_cuda_plans(copy_plan const& first, copy_request const& request);

}  // namespace tilewright::plan
