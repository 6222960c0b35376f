#include "distributed/nvlink/peer_memory.hpp"

#include <fmt/format.h>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace tilewright::nvlink {
namespace {

using gpu::check;
using gpu::current_context;
using gpu::device_address;
using gpu::gpu_device;
using gpu::ipc_handle;
using gpu::pointer_attribute;

constexpr unsigned enable_peer_access = 1;  // cuIpcOpenMemHandle: of the devices, where they need it

std::shared_ptr<mapped_memory> mapping_of(gpu_device const& device, published_memory const& from) {
  static std::mutex mutex;
  static std::map<std::pair<int, std::string>, std::weak_ptr<mapped_memory>> mappings;
  std::lock_guard const lock(mutex);
  auto& entry = mappings[{device.ordinal, std::string(from.handle.bytes, sizeof from.handle.bytes)}];
  if (auto found = entry.lock()) return found;
  auto made = std::make_shared<mapped_memory>(device, from.handle);
  entry = made;
  return made;
}

}  // namespace

mapped_memory::mapped_memory(gpu_device const& device, ipc_handle const& handle) : device_(device) {
  current_context const scope(*device.api, device.primary);
  check(*device.api, device.api->cuIpcOpenMemHandle(&base_, handle, enable_peer_access), "cuIpcOpenMemHandle",
        fmt::format("map the destination of another process on {} (CUDA device {})", device.name, device.ordinal));
}

mapped_memory::~mapped_memory() {
  try {
    current_context const scope(*device_.api, device_.primary);
    device_.api->cuIpcCloseMemHandle(base_);
  } catch (copy_error const&) {
    // The context is lost, and its mappings with it.
  }
}

published_memory publish(gpu_device const& device, void* pointer, bool to_other_processes,
                         published_memory const& before) {
  published_memory out;
  if (pointer == nullptr) return out;
  unsigned type = 0;
  int exportable = 0;
  pointer_attribute which[] = {pointer_attribute::memory_type, pointer_attribute::device_ordinal,
                               pointer_attribute::buffer_id,   pointer_attribute::can_be_exported,
                               pointer_attribute::range_start, pointer_attribute::range_bytes};
  void* values[] = {&type, &out.ordinal, &out.buffer, &exportable, &out.base, &out.bytes};
  auto const address = reinterpret_cast<device_address>(pointer);
  current_context const scope(*device.api, device.primary);
  check(*device.api, device.api->cuPointerGetAttributes(6, which, values, address), "cuPointerGetAttributes",
        fmt::format("look up the destination at {}", pointer));
  if (static_cast<gpu::memory_type>(type) != gpu::memory_type::device || out.ordinal != device.ordinal)
    throw copy_error(
        copy_errc::bad_pointer,
        fmt::format("the destination at {} is not memory of CUDA device {}, which this rank uses; allocate "
                    "it there",
                    pointer, device.ordinal));
  out.pointer = address;
  if (!to_other_processes) return out;
  if (before.is_exported && before.buffer == out.buffer && before.base == out.base) {
    out.handle = before.handle;
    out.is_exported = true;
    return out;
  }
  if (exportable == 0 || device.api->cuIpcGetMemHandle(&out.handle, address) != gpu::cuda_success)
    throw copy_error(copy_errc::no_device,
                     fmt::format("the destination at {} cannot be mapped by other processes: its allocator is not "
                                 "cudaMalloc; allocate it so (PyTorch: without expandable_segments), or give "
                                 "transport::nccl",
                                 pointer));
  out.is_exported = true;
  return out;
}

void peer_memory::map(gpu_device const& device, published_memory const& from, bool is_in_this_process) {
  if (from == from_) return;
  mapping_.reset();
  if (is_in_this_process) {
    enable_peer(device, from.ordinal);
    pointer_ = reinterpret_cast<void*>(from.pointer);
  } else {
    mapping_ = mapping_of(device, from);
    pointer_ = reinterpret_cast<void*>(mapping_->base() + (from.pointer - from.base));
  }
  from_ = from;
}

void enable_peer(gpu_device const& device, int other) {
  if (other == device.ordinal) return;
  gpu::driver_api const& api = *device.api;
  gpu::device_handle handle = 0;
  gpu::context_handle context = nullptr;
  std::string const doing = fmt::format("reach CUDA device {} from device {}", other, device.ordinal);
  check(api, api.cuDeviceGet(&handle, other), "cuDeviceGet", doing);
  int reachable = 0;
  check(api, api.cuDeviceCanAccessPeer(&reachable, device.handle, handle), "cuDeviceCanAccessPeer", doing);
  if (reachable == 0)
    throw copy_error(copy_errc::no_device, fmt::format("CUDA device {} cannot reach the memory of device {}; give "
                                                       "transport::nccl",
                                                       device.ordinal, other));
  check(api, api.cuDevicePrimaryCtxRetain(&context, handle), "cuDevicePrimaryCtxRetain", doing);
  current_context const scope(api, device.primary);
  int const code = api.cuCtxEnablePeerAccess(context, 0);
  if (code != gpu::cuda_peer_access_already_enabled) check(api, code, "cuCtxEnablePeerAccess", doing);
}

}  // namespace tilewright::nvlink
