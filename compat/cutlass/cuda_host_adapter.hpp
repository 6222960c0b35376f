// CUDA's driver for host code: CUTLASS_CUDA_DRIVER_WRAPPER_CALL(cuTensorMapEncodeTiled)(…) finds the function at run time, so that
// programs do not link libcuda. Without nvcc it is called directly.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
#include "tilewright/atom/ptx/tensor_map.hpp"

#if TILEWRIGHT_HOSTED && __has_include(<cuda.h>)
#include <cuda.h>
#endif
#if TILEWRIGHT_HOSTED && __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif

#if defined(__CUDACC__) && TILEWRIGHT_HOSTED
namespace cutlass::detail {
/// A function of the driver by its name; an error where there is no driver.
template <class Function>
struct driver_call {
  char const* name;
  template <class... A>
  CUresult operator()(A... arguments) const {
    auto* const function = tilewright::ptx::find_in_driver<Function>(name);
    return function == nullptr ? CUDA_ERROR_NOT_FOUND : function(arguments...);
  }
};
}  // namespace cutlass::detail
#endif
