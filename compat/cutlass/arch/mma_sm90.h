// The matrix operations of SM90. The names are those of cute/arch/mma_sm90.hpp.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90.hpp"
#include "cutlass/array.h"
#include "cutlass/cutlass.h"
#include "cutlass/gemm/gemm.h"
