#include "engine/cuda/device_memory.hpp"

#include <fmt/format.h>
#include <utility>

namespace tilewright::gpu {
namespace {

void require_within(std::size_t offset, std::size_t bytes, std::size_t whole) {
  if (offset > whole || bytes > whole - offset)
    throw copy_error(copy_errc::bad_option, fmt::format("{} bytes at {} are beyond the {} bytes of the device's memory",
                                                        bytes, offset, whole));
}

}  // namespace

device_memory::device_memory(gpu_device const& device, std::size_t bytes) : device_(&device), bytes_(bytes) {
  if (bytes == 0) return;
  driver_api const& api = *device.api;
  current_context const scope(api, device.primary);
  if (int const code = api.cuMemAlloc(&address_, bytes))
    check(api, code, "cuMemAlloc", fmt::format("allocate {} bytes on {}", bytes, device.name));
}

device_memory::~device_memory() {
  if (address_ == 0) return;
  try {
    current_context const scope(*device_->api, device_->primary);
    device_->api->cuMemFree(address_);
  } catch (copy_error const&) {
    // The context is lost, and its memory with it.
  }
}

device_memory::device_memory(device_memory&& other) noexcept
    : device_(other.device_),
      address_(std::exchange(other.address_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

device_memory& device_memory::operator=(device_memory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void device_memory::upload(void const* from, std::size_t bytes, std::size_t offset) {
  require_within(offset, bytes, bytes_);
  if (bytes == 0) return;
  driver_api const& api = *device_->api;
  current_context const scope(api, device_->primary);
  check(api, api.cuMemcpyAsync(address_ + offset, reinterpret_cast<device_address>(from), bytes, nullptr),
        "cuMemcpyAsync", "copy from the host to the device");
  check(api, api.cuStreamSynchronize(nullptr), "cuStreamSynchronize", "copy from the host to the device");
}

void device_memory::download(void* to, std::size_t bytes, std::size_t offset) const {
  require_within(offset, bytes, bytes_);
  if (bytes == 0) return;
  driver_api const& api = *device_->api;
  current_context const scope(api, device_->primary);
  check(api, api.cuMemcpyAsync(reinterpret_cast<device_address>(to), address_ + offset, bytes, nullptr),
        "cuMemcpyAsync", "copy from the device to the host");
  check(api, api.cuStreamSynchronize(nullptr), "cuStreamSynchronize", "copy from the device to the host");
}

void device_memory::fill(unsigned char value) {
  if (bytes_ == 0) return;
  driver_api const& api = *device_->api;
  current_context const scope(api, device_->primary);
  check(api, api.cuMemsetD8Async(address_, value, bytes_, nullptr), "cuMemsetD8Async", "fill memory of the device");
  check(api, api.cuStreamSynchronize(nullptr), "cuStreamSynchronize", "fill memory of the device");
}

}  // namespace tilewright::gpu
