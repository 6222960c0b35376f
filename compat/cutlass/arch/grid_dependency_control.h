// Grids that begin before the one ahead of them in the stream has ended (programmatic dependent launch, sm_90). On the host,
// where grids run one after the other, nothing has to be done.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
#include "tilewright/atom/ptx/grid_dependency.hpp"

namespace cutlass::arch {

/// This block no longer keeps the next grid from beginning.
CUTLASS_HOST_DEVICE void launch_dependent_grids() {
#if TILEWRIGHT_ON_DEVICE
  tilewright::ptx::launch_dependent_grids();
#endif
}
/// Until the grid ahead has ended and what it wrote can be read.
CUTLASS_HOST_DEVICE void wait_on_dependent_grids() {
#if TILEWRIGHT_ON_DEVICE
  tilewright::ptx::wait_for_grid_ahead();
#endif
}

#if defined(__CUDACC__)
static constexpr bool IsGdcGloballyEnabled = true;
#else
static constexpr bool IsGdcGloballyEnabled = false;
#endif

}  // namespace cutlass::arch
