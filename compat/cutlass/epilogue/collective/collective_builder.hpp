// What kernels written with CuTe take from the header of the builders of epilogues; the builders are CUTLASS's and not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/epilogue/dispatch_policy.hpp"
#include "cutlass/epilogue/thread/linear_combination.h"

namespace cutlass::epilogue::collective {

// What leaves the choice to a builder.
struct EpilogueTileAuto {};
struct EpilogueScheduleAuto {};

}  // namespace cutlass::epilogue::collective
