// What kernels written with CuTe take from the header of CUTLASS's scheduler of tiles for sm_90, which is not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/gemm/kernel/tile_scheduler.hpp"
