// CUTLASS's macros and constants that kernels use; its matrix operations are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/traits.hpp"
#include "tilewright/machine/host_thread.hpp"

#if TILEWRIGHT_HOSTED
#include <cassert>
#include <cstdio>
#endif

// A function of CUDA's driver, for code that includes cutlass/cuda_host_adapter.hpp.
#if defined(__CUDACC__)
#define CUTLASS_CUDA_DRIVER_WRAPPER_CALL(function) \
  ::cutlass::detail::driver_call<decltype(function)> { #function }
#else
#define CUTLASS_CUDA_DRIVER_WRAPPER_CALL(function) function
#endif
#define CUTLASS_HOST_DEVICE TILEWRIGHT_FN
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define CUDA_STD_HEADER(header) <cuda/std/header>
#else
#define CUDA_STD_HEADER(header) <header>
#endif
#define CUTLASS_DEVICE TILEWRIGHT_DEVICE TILEWRIGHT_INLINE
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define CUTLASS_HOST __host__
#define CUTLASS_GLOBAL __global__ static
#define CUTLASS_GRID_CONSTANT __grid_constant__
#else
#define CUTLASS_HOST
#define CUTLASS_GLOBAL static
#define CUTLASS_GRID_CONSTANT
#endif

#define CUTLASS_PRAGMA_UNROLL TILEWRIGHT_UNROLL
#if TILEWRIGHT_ON_DEVICE || defined(__CUDACC_RTC__)
#define CUTLASS_PRAGMA_NO_UNROLL _Pragma("unroll 1")
#else
#define CUTLASS_PRAGMA_NO_UNROLL
#endif
#define CUTLASS_GEMM_LOOP CUTLASS_PRAGMA_NO_UNROLL
#define CUTLASS_ASSERT(condition) assert(condition)
#define CUTLASS_NOT_IMPLEMENTED() assert(0 && "not implemented")
#define CUTLASS_UNUSED(expression) static_cast<void>(expression)
#define CUTLASS_CONSTEXPR_IF_CXX17 constexpr
#define CUTLASS_TRACE_HOST(...) static_cast<void>(0)

namespace cutlass {

enum class Status {
  kSuccess,
  kErrorMisalignedOperand,
  kErrorInvalidDataType,
  kErrorInvalidLayout,
  kErrorInvalidProblem,
  kErrorNotSupported,
  kErrorWorkspaceNull,
  kErrorInternal,
  kErrorArchMismatch,
  kErrorInsufficientDriver,
  kErrorMemoryAllocation,
  kInvalid
};

CUTLASS_HOST_DEVICE char const* cutlassGetStatusString(Status status) {
  switch (status) {
    case Status::kSuccess: return "Success";
    case Status::kErrorMisalignedOperand: return "Error Misaligned Operand";
    case Status::kErrorInvalidDataType: return "Error Invalid Data Type";
    case Status::kErrorInvalidLayout: return "Error Invalid Layout";
    case Status::kErrorInvalidProblem: return "Error Invalid Problem";
    case Status::kErrorNotSupported: return "Error Not Supported";
    case Status::kErrorWorkspaceNull: return "Error Workspace Null";
    case Status::kErrorInternal: return "Error Internal";
    case Status::kErrorArchMismatch: return "Error Architecture Mismatch";
    case Status::kErrorInsufficientDriver: return "Error Insufficient Driver";
    case Status::kErrorMemoryAllocation: return "Error Memory Allocation failed";
    case Status::kInvalid: break;
  }
  return "Invalid status";
}

static constexpr int NumThreadsPerWarp = 32;
static constexpr int NumThreadsPerHalfWarp = NumThreadsPerWarp / 2;
static constexpr int NumThreadsPerQuad = 4;
static constexpr int NumThreadsPerQuadPair = NumThreadsPerQuad * 2;
static constexpr int NumWarpsPerWarpGroup = 4;
static constexpr int NumThreadsPerWarpGroup = NumThreadsPerWarp * NumWarpsPerWarpGroup;

namespace detail {
CUTLASS_HOST_DEVICE int number_of_this_thread() {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  if (tilewright::host_thread != nullptr) return tilewright::host_thread->thread_number();
#endif
  return 0;
}
}  // namespace detail

/// Of this thread in a block of one dimension; on a CPU 0 outside of launches.
CUTLASS_HOST_DEVICE int canonical_lane_idx() {
#if TILEWRIGHT_ON_DEVICE
  return static_cast<int>(threadIdx.x) % NumThreadsPerWarp;
#else
  return detail::number_of_this_thread() % NumThreadsPerWarp;
#endif
}
/// Uniform across the warp, as the compiler can tell.  pre: all threads of the warp call it
CUTLASS_HOST_DEVICE int canonical_warp_idx_sync() {
#if TILEWRIGHT_ON_DEVICE
  return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / NumThreadsPerWarp, 0);
#else
  return detail::number_of_this_thread() / NumThreadsPerWarp;
#endif
}
CUTLASS_HOST_DEVICE int canonical_warp_idx() {
#if TILEWRIGHT_ON_DEVICE
  return static_cast<int>(threadIdx.x) / NumThreadsPerWarp;
#else
  return detail::number_of_this_thread() / NumThreadsPerWarp;
#endif
}
/// pre: all threads of the warp call it
CUTLASS_HOST_DEVICE int canonical_warp_group_idx() {
#if TILEWRIGHT_ON_DEVICE
  return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / NumThreadsPerWarpGroup, 0);
#else
  return detail::number_of_this_thread() / NumThreadsPerWarpGroup;
#endif
}

}  // namespace cutlass
