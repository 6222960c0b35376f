// A kernel that is a function object: device_kernel<Operator><<<…>>>(params) calls Operator{}(params, shared memory).
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

#if defined(__CUDACC__)
namespace cutlass {

/// Bounds of the launch fix how many registers a thread has, without which setmaxnreg is ignored.
template <class Operator>
__global__ void __launch_bounds__(Operator::MaxThreadsPerBlock, Operator::MinBlocksPerMultiprocessor)
    device_kernel(CUTLASS_GRID_CONSTANT typename Operator::Params const params) {
  extern __shared__ char smem[];
  Operator{}(params, smem);
}

}  // namespace cutlass
#endif
