// The constants that the realigned kernel (body.hpp) is compiled with.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <string>

namespace tilewright::kernels {

/// The struct `shape` that realigned_tile is instantiated with.
/// pre: the schedule is one of the realigned kernel
std::string realigned_shape_text(copy_plan const& plan);

}  // namespace tilewright::kernels
