// Why a plan of the tile kernel is as it is.
#pragma once

#include "engine/plan/cuda_candidates.hpp"

namespace tilewright::kernels {

/// Adds the reasons to the plan's.
/// pre: the plan has the candidate's schedule, one of the tile kernel
void explain_tile(copy_plan& plan, plan::cuda_candidate const& c);

}  // namespace tilewright::kernels
