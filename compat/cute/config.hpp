// CuTe's macros over the library's own, and nothing else. Code written for CuTe finds its names in namespace cute; what
// they mean is documented with the library (include/tilewright).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/architectures.hpp"
#include "tilewright/base/traits.hpp"

// CuTe's headers bring these along, and programs rely on it.
#if TILEWRIGHT_HOSTED
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <type_traits>
#include <utility>
#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#endif
#if __has_include(<cuda/std/limits>)
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#endif
#if __has_include(<cuda_fp8.h>)
#include <cuda_fp8.h>
#endif
#endif

// The standard library that CuTe's names are taken from.
#define CUTE_STL_NAMESPACE std

#define CUTE_HOST_DEVICE TILEWRIGHT_FN
#define CUTE_DEVICE TILEWRIGHT_DEVICE TILEWRIGHT_INLINE
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define CUTE_HOST __host__ inline
#define CUTE_HOST_RTC __host__ __device__ inline
#define CUTE_GRID_CONSTANT __grid_constant__
#else
#define CUTE_HOST inline
#define CUTE_HOST_RTC inline
#define CUTE_GRID_CONSTANT
#endif

#define CUTE_UNROLL TILEWRIGHT_UNROLL
#if TILEWRIGHT_ON_DEVICE || defined(__CUDACC_RTC__)
#define CUTE_NO_UNROLL _Pragma("unroll 1")
#define CUTE_INLINE_CONSTANT static const __device__
#else
#define CUTE_NO_UNROLL
#define CUTE_INLINE_CONSTANT inline constexpr
#endif

#define CUTE_STATIC static
#define CUTE_STATIC_V(x) decltype(x)::value
#define CUTE_STATIC_ASSERT static_assert
#define CUTE_STATIC_ASSERT_V(x, ...) static_assert(decltype(x)::value __VA_OPT__(, ) __VA_ARGS__)
#define CUTE_ALIGNAS(n) alignas(n)
#define CUTE_GCC_UNREACHABLE __builtin_unreachable()
#define CUTE_RUNTIME_ASSERT(x) assert(!(x))
#define CUTE_STRINGIFY_IMPL(x) #x
#define CUTE_STRINGIFY(x) CUTE_STRINGIFY_IMPL(x)
#define CUTE_UNUSED [[maybe_unused]]
#define CUTE_INVALID_CONTROL_PATH(x) assert(0 && x)

#define __CUTE_REQUIRES(...) typename ::std::enable_if<(__VA_ARGS__)>::type* = nullptr
#define __CUTE_REQUIRES_V(...) typename ::std::enable_if<decltype((__VA_ARGS__))::value>::type* = nullptr
#define __CUTE_REQUIRES_COMMA(...) typename ::std::enable_if<(__VA_ARGS__)>::type* = nullptr,

// Checks of calls to CUDA's runtime, and logging. cutlass/util/helper_cuda.hpp replaces the first two.
#if TILEWRIGHT_HOSTED && __has_include(<cuda_runtime_api.h>)
#define CUTE_ERROR_EXIT(call)                                                                  \
  do {                                                                                         \
    cudaError_t const cute_error_ = (call);                                                    \
    if (cute_error_ != cudaSuccess) {                                                          \
      std::printf("CUDA: %s at %s:%d\n", cudaGetErrorString(cute_error_), __FILE__, __LINE__); \
      std::exit(EXIT_FAILURE);                                                                 \
    }                                                                                          \
  } while (false)
#if !defined(CUTE_CHECK_ERROR)
#define CUTE_CHECK_ERROR(call) CUTE_ERROR_EXIT(call)
#define CUTE_CHECK_LAST()                     \
  do {                                        \
    CUTE_ERROR_EXIT(cudaPeekAtLastError());   \
    CUTE_ERROR_EXIT(cudaDeviceSynchronize()); \
  } while (false)
#endif
#endif
#define CUTE_LOG(format, ...) std::printf(format __VA_OPT__(, ) __VA_ARGS__)
#if defined(DEBUG)
#define CUTE_LOG_DEBUG(format, ...) CUTE_LOG(format __VA_OPT__(, ) __VA_ARGS__)
#else
#define CUTE_LOG_DEBUG(format, ...) static_cast<void>(0)
#endif
