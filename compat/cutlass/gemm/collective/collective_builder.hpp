// What kernels written with CuTe take from the header of collective builders: what chooses layouts and copies. The builders
// themselves are CUTLASS's and not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
#include "cutlass/arch/barrier.h"
#include "cutlass/arch/memory.h"
#include "cutlass/cutlass.h"
#include "cutlass/gemm/collective/builders/sm90_common.inl"
#include "cutlass/numeric_types.h"
#include "cutlass/pipeline/pipeline.hpp"
