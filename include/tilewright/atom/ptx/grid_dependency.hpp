// griddepcontrol (PTX ISA, "Parallel Synchronization and Communication Instructions: griddepcontrol", sm_90): a grid that was
// launched to begin before the one ahead of it has ended. Before sm_90, where no grid begins so, nothing happens.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

/// This block no longer keeps the next grid from beginning.
TILEWRIGHT_FN void launch_dependent_grids() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
/// Until the grid ahead has ended and what it wrote can be read.
TILEWRIGHT_FN void wait_for_grid_ahead() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

#endif

}  // namespace tilewright::ptx
