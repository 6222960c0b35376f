// What kernels written with CuTe take from the header of the epilogues' parts.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/detail/epilogue_major.hpp"
#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/epilogue/dispatch_policy.hpp"
