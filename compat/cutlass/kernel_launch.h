// Launching a kernel that is a function object (device_kernel.h), perhaps before the grid ahead of it has ended. For nvcc alone.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
#include "cutlass/detail/launch_attributes.h"
#include "cutlass/device_kernel.h"

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>

#include <cstddef>

namespace cutlass {

struct KernelLaunchConfiguration {
  dim3 grid, block;
  std::size_t dynamic_smem;
  explicit KernelLaunchConfiguration(dim3 grid_ = dim3(1), dim3 block_ = dim3(1), std::size_t dynamic_smem_ = 0)
      : grid(grid_),
        block(block_),
        dynamic_smem(dynamic_smem_) {}
};

/// launch_with_pdl: the grid may begin before the one ahead of it in the stream has ended; it waits by
///   cutlass::arch::wait_on_dependent_grids() before it reads what that one writes (sm_90)
/// pre: more than 48 KiB of shared memory were allowed by cudaFuncSetAttribute
template <class Kernel, class Params>
Status kernel_launch(dim3 const grid_dims, dim3 const block_dims, std::size_t const smem_size, cudaStream_t cuda_stream,
                     Params const& kernel_params, bool launch_with_pdl) {
  cudaLaunchAttribute attribute = detail::dependent_launch_attribute();
  cudaLaunchConfig_t config{};
  config.gridDim = grid_dims;
  config.blockDim = block_dims;
  config.dynamicSmemBytes = smem_size;
  config.stream = cuda_stream;
  config.attrs = &attribute;
  config.numAttrs = launch_with_pdl ? 1 : 0;
  return cudaLaunchKernelEx(&config, device_kernel<Kernel>, kernel_params) == cudaSuccess ? Status::kSuccess
                                                                                          : Status::kErrorInternal;
}

}  // namespace cutlass
#endif
