// cuBLAS's product of matrices in bfloat16, opened at run time, and the time of a call: for benchmarks of products.
#pragma once

#include "tilewright/exec/cuda/error.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

namespace tilewright::bench {

/// cublasGemmEx for C (M,N) row by row = A·Bᵀ.
class cublas {
 public:
  cublas() {
    for (char const* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (library_ == nullptr) return;
    auto const create = reinterpret_cast<int (*)(void**)>(dlsym(library_, "cublasCreate_v2"));
    gemm_ = reinterpret_cast<gemm_function*>(dlsym(library_, "cublasGemmEx"));
    if (create == nullptr || create(&handle_) != 0) gemm_ = nullptr;
  }
  bool is_there() const { return gemm_ != nullptr; }
  void run(int m, int n, int k, void const* a, void const* b, void* c) const {
    float const one = 1, zero = 0;
    constexpr int transposed = 1, plain = 0, bf16 = 14, compute_32f = 68, default_algorithm = -1;
    // Column by column: Cᵀ (N,M) = B (N,K) · Aᵀ.
    if (gemm_(handle_, transposed, plain, n, m, k, &one, b, bf16, k, a, bf16, k, &zero, c, bf16, n, compute_32f,
              default_algorithm) != 0)
      std::printf("cublasGemmEx failed\n");
  }

 private:
  using gemm_function = int(void*, int, int, int, int, int, void const*, void const*, int, int, void const*, int, int,
                            void const*, void*, int, int, int, int);
  void* library_ = nullptr;
  void* handle_ = nullptr;
  gemm_function* gemm_ = nullptr;
};

/// Seconds of one call: the median of five times ten calls, after a warm-up.
inline double seconds(std::function<void()> const& call) {
  cudaEvent_t begin, end;
  check_cuda(cudaEventCreate(&begin), "cudaEventCreate");
  check_cuda(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<double> all;
  for (int i = 0; i < 3; ++i) call();
  for (int round = 0; round < 5; ++round) {
    check_cuda(cudaEventRecord(begin), "cudaEventRecord");
    for (int i = 0; i < 10; ++i) call();
    check_cuda(cudaEventRecord(end), "cudaEventRecord");
    check_cuda(cudaEventSynchronize(end), "cudaEventSynchronize");
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    all.push_back(ms / 10e3);
  }
  std::sort(all.begin(), all.end());
  return all[2];
}

}  // namespace tilewright::bench
