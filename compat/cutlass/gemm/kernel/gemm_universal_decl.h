// What kernels written with CuTe take from the header that declares CUTLASS's kernels, which are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/gemm/kernel/gemm_universal.hpp"
