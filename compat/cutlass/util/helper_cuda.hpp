// CUTE_CHECK_ERROR(call) and CUTE_CHECK_LAST(): end the program with a sentence where a call of CUDA's runtime failed.
// Without CUDA they do nothing.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

#include <cstdlib>
#include <iostream>
#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif

#if __has_include(<cuda_runtime_api.h>)
namespace cute {

inline void check_cuda(cudaError_t error, char const* what, char const* file, int line) {
  if (error == cudaSuccess) return;
  std::cerr << "Got bad cuda status: " << cudaGetErrorString(error) << " at " << file << ":" << line << " of " << what
            << "; the calls before it may have failed." << std::endl;
  std::exit(EXIT_FAILURE);
}

/// Makes a device current and names it.
inline void device_init(int device_id, bool quiet = false) {
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count), "cudaGetDeviceCount", __FILE__, __LINE__);
  check_cuda(cudaSetDevice(device_id < count ? device_id : 0), "cudaSetDevice", __FILE__, __LINE__);
  if (quiet) return;
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, device_id < count ? device_id : 0), "cudaGetDeviceProperties",
             __FILE__, __LINE__);
  std::cout << "Using device " << device_id << ": " << properties.name << "  (SM"
            << 10 * properties.major + properties.minor << ", " << properties.multiProcessorCount << " SMs)"
            << std::endl;
}

inline void device_reset() { check_cuda(cudaDeviceReset(), "cudaDeviceReset", __FILE__, __LINE__); }

}  // namespace cute

#undef CUTE_CHECK_ERROR  // of cute/util/debug.hpp
#undef CUTE_CHECK_LAST
#define CUTE_CHECK_ERROR(call) ::cute::check_cuda((call), #call, __FILE__, __LINE__)
#define CUTE_CHECK_LAST()                                                               \
  do {                                                                                  \
    ::cute::check_cuda(cudaPeekAtLastError(), "the last launch", __FILE__, __LINE__);   \
    ::cute::check_cuda(cudaDeviceSynchronize(), "the work so far", __FILE__, __LINE__); \
  } while (false)
#else
#define CUTE_CHECK_ERROR(call) static_cast<void>(0)
#define CUTE_CHECK_LAST() static_cast<void>(0)
#endif
