// Zeros and other values in a workspace on the GPU.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

#if TILEWRIGHT_HOSTED && defined(__CUDACC__)
#include <cuda_runtime_api.h>

namespace cutlass {

static constexpr int MinWorkspaceAlignment = 16;

/// Zeros `bytes` bytes; nothing where there are none.  pre: a pointer where there are some, else Status::kErrorWorkspaceNull
inline Status zero_workspace(void* workspace, std::size_t bytes, cudaStream_t stream = nullptr, void* = nullptr) {
  if (bytes == 0) return Status::kSuccess;
  if (workspace == nullptr) return Status::kErrorWorkspaceNull;
  return cudaMemsetAsync(workspace, 0, bytes, stream) == cudaSuccess ? Status::kSuccess : Status::kErrorInternal;
}

namespace detail {
template <class T>
__global__ void fill_words(T* words, T value, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * blockDim.x)
    words[i] = value;
}
}  // namespace detail
/// `count` times the value.
template <class T>
Status fill_workspace(void* workspace, T value, std::size_t count, cudaStream_t stream = nullptr, void* = nullptr) {
  if (count == 0) return Status::kSuccess;
  if (workspace == nullptr) return Status::kErrorWorkspaceNull;
  constexpr std::size_t threads = 256, most = 1024;
  std::size_t const blocks = (count + threads - 1) / threads;
  detail::fill_words<<<static_cast<unsigned>(blocks < most ? blocks : most), threads, 0, stream>>>(
      static_cast<T*>(workspace), value, count);
  return cudaGetLastError() == cudaSuccess ? Status::kSuccess : Status::kErrorInternal;
}

}  // namespace cutlass
#endif
