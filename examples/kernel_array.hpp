// An array that the kernels of launch() can reach: a plain vector where they run on the CPU, memory of the GPU where nvcc
// has compiled them. The programs are the same for both: fill a vector, put it into a kernel_array, launch, take it out.
#pragma once

#include "tilewright/exec/cuda/error.hpp"

#include <cstddef>
#include <vector>

namespace tilewright::examples {

#if defined(__CUDACC__)

/// post: lives as long as this does, at one address
template <class T>
class kernel_array {
 public:
  explicit kernel_array(std::vector<T> const& from) : size_(from.size()) {
    check_cuda(cudaMalloc(&data_, size_ * sizeof(T)), "cudaMalloc");
    check_cuda(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy to the device");
  }
  explicit kernel_array(std::size_t n, T const& value = T()) : kernel_array(std::vector<T>(n, value)) {}
  kernel_array(kernel_array const&) = delete;
  kernel_array& operator=(kernel_array const&) = delete;
  ~kernel_array() { (void)cudaFree(data_); }

  T* data() { return data_; }
  T const* data() const { return data_; }
  /// What it holds now, after every launch so far.
  std::vector<T> host() const {
    std::vector<T> out(size_);
    check_cuda(cudaMemcpy(out.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy to the host");
    return out;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

#else

template <class T>
class kernel_array {
 public:
  explicit kernel_array(std::vector<T> const& from) : elements_(from) {}
  explicit kernel_array(std::size_t n, T const& value = T()) : elements_(n, value) {}
  kernel_array(kernel_array const&) = delete;
  kernel_array& operator=(kernel_array const&) = delete;

  T* data() { return elements_.data(); }
  T const* data() const { return elements_.data(); }
  std::vector<T> host() const { return elements_; }

 private:
  std::vector<T> elements_;
};

#endif

}  // namespace tilewright::examples
