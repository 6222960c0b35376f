// Launching a kernel whose blocks form clusters. Empty where CUDA's runtime is not installed.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/cluster_sm90.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/detail/launch_attributes.h"

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif

#if __has_include(<cuda_runtime_api.h>)
namespace cutlass {

struct ClusterLaunchParams {
  dim3 grid_dims{1, 1, 1};
  dim3 block_dims{1, 1, 1};
  dim3 cluster_dims{1, 1, 1};
  int smem_size_in_bytes = 0;
  cudaStream_t cuda_stream = nullptr;
};

struct ClusterLauncher {
  /// kernel_params: the addresses of the kernel's arguments.
  /// launch_with_pdl: the grid may begin before the one ahead of it in the stream has ended (sm_90)
  static Status launch(dim3 grid, dim3 cluster, dim3 block, std::size_t smem_size, cudaStream_t stream,
                       void const* kernel, void** kernel_params, bool launch_with_pdl = false) {
    cudaLaunchAttribute attributes[] = {detail::cluster_attribute(cluster), detail::dependent_launch_attribute()};
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = smem_size;
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = launch_with_pdl ? 2 : 1;
    return cudaLaunchKernelExC(&config, kernel, kernel_params) == cudaSuccess ? Status::kSuccess
                                                                              : Status::kErrorInternal;
  }
};

/// pre: args have the types of the kernel's parameters; more than 48 KiB of shared memory were allowed by
///      cudaFuncSetAttribute; the grid is a multiple of the cluster
template <class... Args>
Status launch_kernel_on_cluster(ClusterLaunchParams const& params, void const* kernel_ptr, Args&&... args) {
  void* addresses[sizeof...(Args) > 0 ? sizeof...(Args) : 1] = {
      const_cast<void*>(static_cast<void const volatile*>(&args))...};
  return ClusterLauncher::launch(params.grid_dims, params.cluster_dims, params.block_dims,
                                 static_cast<std::size_t>(params.smem_size_in_bytes), params.cuda_stream, kernel_ptr,
                                 addresses);
}

}  // namespace cutlass
#endif
