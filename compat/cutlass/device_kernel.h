// A kernel that is a function object: device_kernel<Operator><<<…>>>(params) calls Operator{}(params, shared memory).
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

#if defined(__CUDACC__)
namespace cutlass {

template <class Operator>
__global__ void device_kernel(CUTLASS_GRID_CONSTANT typename Operator::Params const params) {
  extern __shared__ char smem[];
  Operator{}(params, smem);
}

}  // namespace cutlass
#endif
