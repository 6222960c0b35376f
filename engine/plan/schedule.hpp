// The two halves of planning that depend on the kind of machine.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

namespace tilewright::plan {

/// Fills path, tile, order, schedule, seconds and reasons from plan.moves (as make_movement left them), plan.machine and
/// plan.bytes.
/// pre: plan.moves.elements > 0
void schedule_cpu(copy_plan& plan, copy_request const& request);

/// The same for a GPU; may widen plan.moves as far as the request's alignments allow.
void schedule_cuda(copy_plan& plan, copy_request const& request);

/// All plans that are worth measuring for a GPU, the one of schedule_cuda first.
/// pre: plan as for schedule_cuda
std::vector<copy_plan> cuda_plans(copy_plan const& plan, copy_request const& request);

}  // namespace tilewright::plan
