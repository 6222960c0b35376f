// Destinations of other ranks, mapped into this process.
#pragma once

#include "distributed/nvlink/control.hpp"
#include "engine/cuda/device.hpp"

#include <memory>

namespace tilewright::nvlink {

/// An allocation of another process. One mapping serves all redistributions of this process.
class mapped_memory {
 public:
  mapped_memory(gpu::gpu_device const& device, gpu::ipc_handle const& handle);
  ~mapped_memory();
  mapped_memory(mapped_memory const&) = delete;
  mapped_memory& operator=(mapped_memory const&) = delete;
  gpu::device_address base() const { return base_; }

 private:
  gpu::gpu_device const& device_;
  gpu::device_address base_ = 0;
};

/// What other ranks map `pointer` by. Processes other than this one need a memory that the driver exports: that of cudaMalloc.
/// error: copy_error bad_pointer for memory of another device; no_device for memory that cannot be exported
/// Memory that `before` exported, by the driver's number of the allocation, is not exported again: that costs microseconds.
published_memory publish(gpu::gpu_device const& device, void* pointer, bool to_other_processes,
                         published_memory const& before = {});

/// The memory that a rank published, at an address of this process.
class peer_memory {
 public:
  /// error: copy_error no_device where this device cannot reach it
  void map(gpu::gpu_device const& device, published_memory const& from, bool is_in_this_process);
  void* pointer() const { return pointer_; }

 private:
  published_memory from_;
  std::shared_ptr<mapped_memory> mapping_;
  void* pointer_ = nullptr;
};

/// Lets kernels of the device reach memory of another one that this process uses as well.
/// error: copy_error no_device
void enable_peer(gpu::gpu_device const& device, int other);

}  // namespace tilewright::nvlink
