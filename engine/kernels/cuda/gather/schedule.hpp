// The schedule for what no tile serves.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

namespace tilewright::kernels {

/// Makes a plan of the gather kernel, with its reasons and its expected time: any movement can have one.
void schedule_gather(copy_plan& plan, copy_request const& request);

}  // namespace tilewright::kernels
