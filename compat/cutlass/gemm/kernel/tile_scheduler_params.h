// What kernels written with CuTe take from the header of CUTLASS's schedulers of tiles, which are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/coord.h"
#include "cutlass/fast_math.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/kernel_hardware_info.h"
#include "cutlass/workspace.h"

namespace cutlass::gemm::kernel::detail {

/// Which mode of the grid of tiles goes first.
enum class RasterOrder { AlongM, AlongN };
enum class RasterOrderOptions { Heuristic, AlongM, AlongN };

}  // namespace cutlass::gemm::kernel::detail
