// CUDA's driver for host code: CUTLASS_CUDA_DRIVER_WRAPPER_CALL(cuTensorMapEncodeTiled)(…) calls it directly.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

#if TILEWRIGHT_HOSTED && __has_include(<cuda.h>)
#include <cuda.h>
#endif
#if TILEWRIGHT_HOSTED && __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif
