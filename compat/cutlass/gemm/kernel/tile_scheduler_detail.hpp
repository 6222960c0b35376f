// What kernels written with CuTe take from the header of the parts of schedulers of tiles.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/gemm/kernel/tile_scheduler.hpp"
