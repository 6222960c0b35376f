// What programs that multiply matrices share of CUTLASS: extents, and how a product is split.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor_impl.hpp"
#include "cutlass/coord.h"
#include "cutlass/cutlass.h"
#include "cutlass/gemm/gemm_enumerated_types.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/layout/matrix.h"
