// What kernels written with CuTe take from the header of the default epilogue, which is CUTLASS's and not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/epilogue/dispatch_policy.hpp"
#include "cutlass/epilogue/thread/linear_combination.h"
