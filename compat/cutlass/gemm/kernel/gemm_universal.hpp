// What kernels written with CuTe take from the header of CUTLASS's kernels, which are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/gemm/dispatch_policy.hpp"
