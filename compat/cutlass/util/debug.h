// Reports of CUDA's errors with their place, and of types and values by the compiler's messages.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

/// printf; in a kernel with the block and the thread ahead of the text.
#if !defined(CUDA_LOG)
#if TILEWRIGHT_ON_DEVICE
#define CUDA_LOG(format, ...)                                                                               \
  printf("[block (%d,%d,%d), thread (%d,%d,%d)]: " format, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, \
         threadIdx.y, threadIdx.z, __VA_ARGS__)
#else
#define CUDA_LOG(format, ...) printf(format, __VA_ARGS__)
#endif
#endif
#if !defined(CUDA_LOG_DEBUG)
#if defined(DEBUG)
#define CUDA_LOG_DEBUG(format, ...) CUDA_LOG(format, __VA_ARGS__)
#else
#define CUDA_LOG_DEBUG(format, ...)
#endif
#endif

/// Prints an error, the expression it is of and where that is; returns the error.
CUTLASS_HOST_DEVICE cudaError_t cuda_perror_impl(cudaError_t error, char const* expression, char const* file,
                                                 int line) {
  if (error == cudaSuccess) return error;
#if TILEWRIGHT_ON_DEVICE
  printf("CUDA error %d [%s, %d] in %s\n", static_cast<int>(error), file, line, expression);
#else
  std::fprintf(stderr, "CUDA error %d [%s, %d] in %s: %s\n", static_cast<int>(error), file, line, expression,
               cudaGetErrorString(error));
#endif
  return error;
}

#if !defined(CUDA_PERROR)
#define CUDA_PERROR(e) cuda_perror_impl(static_cast<cudaError_t>(e), #e, __FILE__, __LINE__)
#endif
/// The same, and the program ends.
#if !defined(CUDA_PERROR_EXIT)
#define CUDA_PERROR_EXIT(e)                                     \
  do {                                                          \
    if (CUDA_PERROR(e) != cudaSuccess) std::exit(EXIT_FAILURE); \
  } while (false)
#endif
#if !defined(CUDA_PERROR_DEBUG)
#if defined(DEBUG)
#define CUDA_PERROR_DEBUG(e) CUDA_PERROR(e)
#else
#define CUDA_PERROR_DEBUG(e) (e)
#endif
#endif

#endif

/// Types that name T or a value where a compiler prints its types.
template <class T>
struct DebugType {};
template <class T>
void DebugTypeFunc(T const&) {
  (void)DebugType<T>{};
}
template <int Value>
struct DebugValue {};
