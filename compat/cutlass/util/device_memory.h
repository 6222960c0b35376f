// Memory of a GPU for programs of their own: allocation, copies, and an owner. Elements of less than a byte are packed. Without
// CUDA nothing is declared.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/numeric_types.h"
#include "cutlass/util/exceptions.h"

#if __has_include(<cuda_runtime_api.h>)
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace cutlass {
namespace device_memory {

/// The bytes of `count` elements.
template <class T>
constexpr std::size_t bytes_of(std::size_t count) {
  return (count * static_cast<std::size_t>(sizeof_bits<T>::value) + 7) / 8;
}

inline void check(cudaError_t error, char const* sentence) {
  if (error != cudaSuccess) throw cuda_exception(sentence, error);
}

/// error: cuda_exception, as of all functions here
template <class T>
T* allocate(std::size_t count = 1) {
  void* out = nullptr;
  check(cudaMalloc(&out, bytes_of<T>(count)),
        "cudaMalloc failed: the device has too little memory left, or an earlier call failed");
  return static_cast<T*>(out);
}

template <class T>
void free(T* p) {
  check(cudaFree(p), "cudaFree failed: the pointer is not from cudaMalloc, or an earlier call failed");
}

template <class T>
void copy(T* dst, T const* src, std::size_t count, cudaMemcpyKind kind) {
  check(cudaMemcpy(dst, src, bytes_of<T>(count), kind),
        "cudaMemcpy failed: a pointer or the size is wrong, or an earlier call failed");
}

template <class T>
void copy_to_device(T* dst, T const* src, std::size_t count = 1) {
  copy(dst, src, count, cudaMemcpyHostToDevice);
}
template <class T>
void copy_to_host(T* dst, T const* src, std::size_t count = 1) {
  copy(dst, src, count, cudaMemcpyDeviceToHost);
}
template <class T>
void copy_device_to_device(T* dst, T const* src, std::size_t count = 1) {
  copy(dst, src, count, cudaMemcpyDeviceToDevice);
}
template <class T>
void copy_host_to_host(T* dst, T const* src, std::size_t count = 1) {
  copy(dst, src, count, cudaMemcpyHostToHost);
}

/// pre: [begin, end) is contiguous
template <class OutputIterator, class T>
void insert_to_host(OutputIterator begin, OutputIterator end, T const* device_begin) {
  if (begin != end) copy_to_host(&*begin, device_begin, static_cast<std::size_t>(end - begin));
}
template <class T, class InputIterator>
void insert_to_device(T* device_begin, InputIterator begin, InputIterator end) {
  if (begin != end) copy_to_device(device_begin, &*begin, static_cast<std::size_t>(end - begin));
}

}  // namespace device_memory

/// Owns elements in a GPU's memory. A copy has memory of its own with the same elements.
template <class T>
class DeviceAllocation {
 public:
  struct deleter {
    void operator()(T* p) const { (void)cudaFree(p); }  // where a destructor runs, an error has no place to go
  };

  std::unique_ptr<T, deleter> smart_ptr;
  std::size_t capacity = 0;  // elements

  static std::size_t bytes(std::size_t elements) { return device_memory::bytes_of<T>(elements); }

  DeviceAllocation() = default;
  explicit(false) DeviceAllocation(std::size_t count) : smart_ptr(device_memory::allocate<T>(count)), capacity(count) {}
  /// Takes `p`, which is from device_memory::allocate.
  DeviceAllocation(T* p, std::size_t count) : smart_ptr(p), capacity(count) {}
  DeviceAllocation(DeviceAllocation const& other) : DeviceAllocation(other.capacity) {
    device_memory::copy_device_to_device(get(), other.get(), capacity);
  }
  DeviceAllocation(DeviceAllocation&& other) noexcept
      : smart_ptr(std::move(other.smart_ptr)),
        capacity(std::exchange(other.capacity, 0)) {}
  ~DeviceAllocation() = default;
  DeviceAllocation& operator=(DeviceAllocation const& other) {
    if (this != &other) *this = DeviceAllocation(other);
    return *this;
  }
  DeviceAllocation& operator=(DeviceAllocation&& other) noexcept {
    smart_ptr = std::move(other.smart_ptr);
    capacity = std::exchange(other.capacity, 0);
    return *this;
  }

  T* get() const { return smart_ptr.get(); }
  T* operator->() const { return get(); }
  deleter& get_deleter() { return smart_ptr.get_deleter(); }
  deleter const& get_deleter() const { return smart_ptr.get_deleter(); }
  std::size_t size() const { return capacity; }
  std::size_t bytes() const { return bytes(capacity); }

  /// The memory, which is the caller's from now on.
  T* release() {
    capacity = 0;
    return smart_ptr.release();
  }
  void reset() { reset(nullptr, 0); }
  void reset(std::size_t count) { reset(device_memory::allocate<T>(count), count); }
  void reset(T* p, std::size_t count) {
    smart_ptr.reset(p);
    capacity = count;
  }
  /// Keeps the elements that fit.
  void reallocate(std::size_t count) {
    DeviceAllocation other(count);
    device_memory::copy_device_to_device(other.get(), get(), std::min(count, capacity));
    *this = std::move(other);
  }

  void copy_from_device(T const* p) const { copy_from_device(p, capacity); }
  void copy_from_device(T const* p, std::size_t count) const { device_memory::copy_device_to_device(get(), p, count); }
  void copy_to_device(T* p) const { copy_to_device(p, capacity); }
  void copy_to_device(T* p, std::size_t count) const { device_memory::copy_device_to_device(p, get(), count); }
  void copy_from_host(T const* p) const { copy_from_host(p, capacity); }
  void copy_from_host(T const* p, std::size_t count) const { device_memory::copy_to_device(get(), p, count); }
  void copy_to_host(T* p) const { copy_to_host(p, capacity); }
  void copy_to_host(T* p, std::size_t count) const { device_memory::copy_to_host(p, get(), count); }
};

namespace device_memory {
template <class T>
using allocation = DeviceAllocation<T>;
}  // namespace device_memory

}  // namespace cutlass
#endif
