// What the CUDA tests share: memory on the device, random bits, and a count of expectations that failed. These programs
// need nothing but the CUDA runtime, so that they build and run on any GPU machine.
#pragma once

#include "tilewright/exec/cuda/launch.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace tilewright::cuda_test {

inline int failures = 0;

/// Prints what went wrong the first few times.
inline void expect(bool holds, char const* what, long long where = 0) {
  if (holds) return;
  if (++failures <= 10) std::printf("FAILED: %s (at %lld)\n", what, where);
}

/// The bits of a device array of Ts, which lives as long as this does.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t n) : size_(n) { check_cuda(cudaMalloc(&data_, n * sizeof(T)), "cudaMalloc"); }
  explicit device_array(std::vector<T> const& host) : device_array(host.size()) { *this = host; }
  device_array(device_array const&) = delete;
  ~device_array() { cudaFree(data_); }

  device_array& operator=(std::vector<T> const& host) {
    check_cuda(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
    return *this;
  }
  std::vector<T> host() const {
    std::vector<T> out(size_);
    check_cuda(cudaMemcpy(out.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
    return out;
  }
  /// Every byte 0xee, so that elements nobody wrote are seen.
  void poison() { check_cuda(cudaMemset(data_, 0xee, size_ * sizeof(T)), "cudaMemset"); }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// What the device takes for each of `runs` starts of some work, after `before` that do not count; ascending.
template <class Start>
std::vector<float> sorted_milliseconds(Start const& start, int runs, int before) {
  cudaEvent_t begin{}, end{};
  check_cuda(cudaEventCreate(&begin), "cudaEventCreate");
  check_cuda(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int i = 0; i < before + runs; ++i) {
    check_cuda(cudaEventRecord(begin), "cudaEventRecord");
    start();
    check_cuda(cudaEventRecord(end), "cudaEventRecord");
    check_cuda(cudaEventSynchronize(end), "cudaEventSynchronize");
    float time = 0;
    check_cuda(cudaEventElapsedTime(&time, begin, end), "cudaEventElapsedTime");
    if (i >= before) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  return times;
}

/// SplitMix64, the same on every machine.
template <class T>
std::vector<T> random_bits(std::size_t n, std::uint64_t seed) {
  std::vector<T> out(n);
  for (T& x : out) {
    std::uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    x = static_cast<T>(z ^ (z >> 31));
  }
  return out;
}

/// Runs the tests and turns what they threw and counted into an exit status.
template <class Tests>
int run(char const* name, Tests const& tests) {
  try {
    tests();
  } catch (std::exception const& e) {
    std::printf("%s: threw: %s\n", name, e.what());
    return 1;
  }
  std::printf("%s: %s (%d failures)\n", name, failures == 0 ? "passed" : "FAILED", failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace tilewright::cuda_test
