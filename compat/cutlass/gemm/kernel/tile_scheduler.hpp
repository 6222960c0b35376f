// What kernels written with CuTe take from the header of CUTLASS's schedulers of tiles, which are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/arch.h"
#include "cutlass/detail/dependent_false.hpp"
#include "cutlass/gemm/kernel/tile_scheduler_params.h"

namespace cutlass::gemm {

// The names by which programs choose a scheduler.
struct PersistentScheduler {};
struct StreamKScheduler {};
struct GroupScheduler {};
struct DynamicPersistentScheduler {};

}  // namespace cutlass::gemm
