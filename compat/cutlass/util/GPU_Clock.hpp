// The time that work on a GPU takes, by CUDA events; without CUDA, that of the CPU.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/util/helper_cuda.hpp"

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#else
#include <chrono>
#endif

struct GPU_Clock {
#if __has_include(<cuda_runtime_api.h>)
  GPU_Clock() {
    cudaEventCreate(&begin_);
    cudaEventCreate(&end_);
    cudaEventRecord(begin_);
  }
  ~GPU_Clock() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  GPU_Clock(GPU_Clock const&) = delete;
  GPU_Clock& operator=(GPU_Clock const&) = delete;

  void start() { cudaEventRecord(begin_); }
  /// Waits for what was launched since start().
  float milliseconds() {
    float passed = 0;
    cudaEventRecord(end_);
    cudaEventSynchronize(end_);
    cudaEventElapsedTime(&passed, begin_, end_);
    return passed;
  }

 private:
  cudaEvent_t begin_{}, end_{};

 public:
#else
  void start() { begin_ = std::chrono::steady_clock::now(); }
  float milliseconds() {
    return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();

 public:
#endif
  float seconds() { return milliseconds() / 1000; }
};
