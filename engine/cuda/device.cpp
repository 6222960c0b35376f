#include "engine/cuda/device.hpp"

#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>

namespace tilewright::gpu {
namespace {

// Of the bytes that the memory's clock and width promise, a long copy moves about this share (an H200: 4.23 of 4.8 TB/s).
constexpr double share_of_promised = 0.88;
// From the launch of a kernel that does nothing to its end, about.
constexpr double launch_seconds = 4e-6;

machine_model model_of(gpu_device const& device) {
  auto const value = [&](device_attribute which) {
    int out = 0;
    check(*device.api, device.api->cuDeviceGetAttribute(&out, which, device.handle), "cuDeviceGetAttribute",
          fmt::format("read the properties of CUDA device {}", device.ordinal));
    return out;
  };
  machine_model m;
  m.kind = device_kind::cuda;
  m.processors = value(device_attribute::multiprocessors);
  m.name = fmt::format("{}, sm_{}, {} multiprocessors", device.name, device.capability, m.processors);
  m.widest_access_bits = 128;
  m.line_bytes = 32;
  m.near_bytes = value(device_attribute::shared_bytes_per_multiprocessor);
  m.block_bytes = value(device_attribute::shared_bytes_per_block_optin);
  m.far_bytes = value(device_attribute::l2_bytes);
  // Two transfers a clock.
  m.bytes_per_second = share_of_promised * 2.0 * 1000.0 * value(device_attribute::memory_clock_khz) *
                       value(device_attribute::memory_bus_bits) / 8.0;
  // A part without memory of its own tells no width; what its host's memory gives is a guess of the right order.
  if (m.bytes_per_second <= 0) m.bytes_per_second = 1e11;
  m.start_seconds = launch_seconds;
  m.compute_capability = device.capability;
  return m;
}

std::string listing_of(int count) {
  if (count == 1) return "there is one, 0";
  return fmt::format("there are {}, 0 to {}", count, count - 1);
}

}  // namespace

gpu_device open_device(driver_api const& api, int ordinal) {
  std::string const doing = fmt::format("open CUDA device {}", ordinal);
  int count = 0;
  check(api, api.cuDeviceGetCount(&count), "cuDeviceGetCount", doing);
  if (ordinal < 0 || ordinal >= count)
    throw copy_error(copy_errc::no_device, fmt::format("there is no CUDA device {}: {}; give one of those, counted as "
                                                       "CUDA_VISIBLE_DEVICES orders them",
                                                       ordinal, listing_of(count)));
  gpu_device out;
  out.api = &api;
  out.ordinal = ordinal;
  check(api, api.cuDeviceGet(&out.handle, ordinal), "cuDeviceGet", doing);
  char name[256] = {};
  check(api, api.cuDeviceGetName(name, sizeof name - 1, out.handle), "cuDeviceGetName", doing);
  out.name = name;
  int major = 0, minor = 0, pageable = 0;
  check(api, api.cuDeviceGetAttribute(&major, device_attribute::capability_major, out.handle), "cuDeviceGetAttribute",
        doing);
  check(api, api.cuDeviceGetAttribute(&minor, device_attribute::capability_minor, out.handle), "cuDeviceGetAttribute",
        doing);
  check(api, api.cuDeviceGetAttribute(&pageable, device_attribute::pageable_memory_access, out.handle),
        "cuDeviceGetAttribute", doing);
  check(api, api.cuDriverGetVersion(&out.driver_release), "cuDriverGetVersion", doing);
  check(api, api.cuDevicePrimaryCtxRetain(&out.primary, out.handle), "cuDevicePrimaryCtxRetain", doing);
  out.capability = 10 * major + minor;
  out.reads_pageable_memory = pageable != 0;
  out.machine = model_of(out);
  return out;
}

gpu_device const& device_of(int ordinal) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<gpu_device>> opened;
  driver_api const& api = the_driver();
  std::lock_guard const lock(mutex);
  auto& entry = opened[ordinal];
  if (!entry) entry = std::make_unique<gpu_device>(open_device(api, ordinal));
  return *entry;
}

pointer_facts facts_of(gpu_device const& device, void const* pointer) {
  pointer_facts out;
  unsigned type = 0;
  pointer_attribute which[] = {pointer_attribute::context, pointer_attribute::memory_type,
                               pointer_attribute::device_ordinal};
  void* values[] = {&out.context, &type, &out.ordinal};
  check(*device.api, device.api->cuPointerGetAttributes(3, which, values, reinterpret_cast<device_address>(pointer)),
        "cuPointerGetAttributes", fmt::format("look up the address {}", pointer));
  out.type = static_cast<memory_type>(type);
  return out;
}

void check_reachable(gpu_device const& device, pointer_facts const& facts, void const* pointer, char const* role) {
  if (facts.type == memory_type::unknown && !device.reads_pageable_memory)
    throw copy_error(copy_errc::bad_pointer,
                     fmt::format("the {} at {} is ordinary host memory, which {} (CUDA device {}) cannot reach; give a "
                                 "pointer to memory of the device, or say that the tensor is on the CPU",
                                 role, pointer, device.name, device.ordinal));
  if (facts.type != memory_type::device || facts.ordinal == device.ordinal || facts.ordinal < 0) return;
  device_handle other = 0;
  int reachable = 0;
  if (device.api->cuDeviceGet(&other, facts.ordinal) == cuda_success)
    device.api->cuDeviceCanAccessPeer(&reachable, device.handle, other);
  if (reachable == 0)
    throw copy_error(copy_errc::bad_pointer,
                     fmt::format("the {} at {} is memory of CUDA device {}, which device {} cannot reach; give both "
                                 "tensors on one device",
                                 role, pointer, facts.ordinal, device.ordinal));
}

}  // namespace tilewright::gpu
