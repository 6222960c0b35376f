// What kernels written with CuTe take from the header of the parts of CUTLASS's schedulers of tiles, which are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/gemm/kernel/tile_scheduler.hpp"
