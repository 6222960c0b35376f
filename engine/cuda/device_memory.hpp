// Memory of a GPU that frees itself, and the copies between it and the host's.
#pragma once

#include "engine/cuda/device.hpp"

#include <cstddef>

namespace tilewright::gpu {

class device_memory {
 public:
  device_memory() = default;
  /// error: copy_error out_of_memory, or as device_of
  device_memory(gpu_device const& device, std::size_t bytes);
  ~device_memory();
  device_memory(device_memory&& other) noexcept;
  device_memory& operator=(device_memory&& other) noexcept;

  void* data() const { return reinterpret_cast<void*>(address_); }
  std::size_t bytes() const { return bytes_; }

  /// Both wait until the bytes have arrived.
  /// pre: offset + bytes <= this->bytes()
  void upload(void const* from, std::size_t bytes, std::size_t offset = 0);
  void download(void* to, std::size_t bytes, std::size_t offset = 0) const;
  void fill(unsigned char value);

 private:
  gpu_device const* device_ = nullptr;
  device_address address_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tilewright::gpu
