// A CUDA driver without a GPU, for testing what is asked of one: two devices whose memory is the host's, contexts and
// streams that are numbers, and kernels that are recorded; those of the precompiled code run, on the calling thread. Any
// call can be told to fail.
#pragma once

#include "engine/cuda/driver.hpp"
#include "engine/cuda/few_bytes.hpp"
#include "engine/cuda/generic_copy.hpp"
#include "engine/cuda/piece_copy.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::gpu::fake {

struct allocation {
  std::size_t bytes;
  int device;
};

struct launch {
  std::string kernel;
  unsigned grid, block, shared_bytes;
  stream_handle stream;
  int device;
  int half;  // of the precompiled kernel
};

/// What the driver knows and has seen. The functions of an API are free: there is one such machine.
struct machine {
  std::map<std::string, int> failing;     // call -> code
  std::set<std::string> failing_kernels;  // whose launches do
  std::map<std::string, int> calls;
  std::vector<context_handle> stack;  // of the one thread that tests use
  std::map<device_address, allocation> memory;
  std::vector<launch> launches;
  std::vector<std::string> loaded;  // code
  int boxes_of_planes = 0;          // copies by cuMemcpy3DAsync with more than one
  std::map<std::string, int> kernel_attributes;
  std::set<std::string> names;                     // keeps the names of kernels that handles point to
  float clock = 0;                                 // milliseconds: launches take some of them
  std::map<unsigned, float> milliseconds_of_grid;  // of one launch, where it is not 2
  std::vector<float> events;                       // when each was recorded
  int busy_queries = 0;                            // that answer "not ready" from now on
  bool captures = false;
};
inline machine& gpu() {
  static machine one;
  return one;
}

// Handles: context and stream d + 1 (+ 16) are of device d.
inline context_handle context_of(int device) { return reinterpret_cast<context_handle>(std::uintptr_t(device) + 1); }
inline int device_of_context(context_handle context) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(context)) - 1;
}
inline stream_handle stream_of(int device) { return reinterpret_cast<stream_handle>(std::uintptr_t(device) + 16); }

inline int entered(char const* call) {
  ++gpu().calls[call];
  auto const at = gpu().failing.find(call);
  return at == gpu().failing.end() ? cuda_success : at->second;
}

inline float& time_of(event_handle event) { return gpu().events.at(reinterpret_cast<std::uintptr_t>(event) - 1); }

/// The precompiled kernel, by as many threads as the launch has.
template <int Bits>
void run_generic(bool narrow, generic_arguments const& a, unsigned grid, unsigned block) {
  std::uint64_t const threads = std::uint64_t(grid) * block;
  for (std::uint64_t t = 0; t < threads; ++t)
    if (narrow)
      generic_copy<Bits, std::uint32_t>(a, static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(threads));
    else generic_copy<Bits, std::uint64_t>(a, t, threads);
}
inline void run_generic(std::string const& name, generic_arguments const& a, unsigned grid, unsigned block) {
  bool const narrow = name.ends_with("_32");
  switch (std::stoi(name.substr(std::strlen("tilewright_copy_")))) {
    case 4: return run_generic<4>(narrow, a, grid, block);
    case 8: return run_generic<8>(narrow, a, grid, block);
    case 16: return run_generic<16>(narrow, a, grid, block);
    case 32: return run_generic<32>(narrow, a, grid, block);
    case 64: return run_generic<64>(narrow, a, grid, block);
    case 128: return run_generic<128>(narrow, a, grid, block);
    default: break;
  }
}

/// The kernel for few bytes, by as many threads as the launch has.
inline void run_few_bytes(void** arguments, std::uint32_t threads) {
  auto const* const src = *static_cast<unsigned char const**>(arguments[0]);
  auto* const dst = *static_cast<unsigned char**>(arguments[1]);
  for (std::uint32_t t = 0; t < threads; ++t)
    copy_few_bytes(src, dst, *static_cast<std::uint64_t const*>(arguments[2]), t, threads);
}

/// The kernel for many pieces: all tasks, one after another.
inline void run_pieces(piece_arguments const& a) {
  for (std::uint32_t task = 0; task < a.number[0] + a.number[1]; ++task)
    for (std::uint32_t thread = 0; thread < piece_threads; ++thread) run_task(a, task, thread, piece_threads);
}

inline std::map<device_address, allocation>::const_iterator find_memory(device_address address) {
  auto at = gpu().memory.upper_bound(address);
  if (at == gpu().memory.begin()) return gpu().memory.end();
  --at;
  return address < at->first + at->second.bytes ? at : gpu().memory.end();
}

/// A table of these functions; the machine is as new.
inline driver_api new_driver() {
  std::vector<float> events = std::move(gpu().events);  // what was made before has kept some
  gpu() = machine();
  gpu().events = std::move(events);
  driver_api api;
  api.cuInit = [](unsigned) { return entered("cuInit"); };
  api.cuDriverGetVersion = [](int* version) {
    *version = 13000;
    return entered("cuDriverGetVersion");
  };
  api.cuGetErrorName = [](int code, char const** text) {
    *text = code == cuda_out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_A_TEST";
    return 0;
  };
  api.cuGetErrorString = [](int, char const** text) {
    *text = "the driver's words";
    return 0;
  };
  api.cuDeviceGetCount = [](int* count) {
    *count = 2;
    return entered("cuDeviceGetCount");
  };
  api.cuDeviceGet = [](device_handle* device, int ordinal) {
    *device = ordinal;
    return entered("cuDeviceGet");
  };
  api.cuDeviceGetName = [](char* name, int length, device_handle device) {
    std::strncpy(name, device == 0 ? "Fake GPU" : "Other GPU", static_cast<std::size_t>(length));
    return entered("cuDeviceGetName");
  };
  api.cuDeviceGetAttribute = [](int* value, device_attribute which, device_handle) {
    switch (which) {
      case device_attribute::clock_khz: *value = 1000000; break;
      case device_attribute::multiprocessors: *value = 132; break;
      case device_attribute::memory_clock_khz: *value = 3201000; break;
      case device_attribute::memory_bus_bits: *value = 6016; break;
      case device_attribute::l2_bytes: *value = 60 << 20; break;
      case device_attribute::capability_major: *value = 9; break;
      case device_attribute::capability_minor: *value = 0; break;
      case device_attribute::shared_bytes_per_multiprocessor: *value = 228 << 10; break;
      case device_attribute::pageable_memory_access: *value = 0; break;
      case device_attribute::shared_bytes_per_block_optin: *value = 227 << 10; break;
    }
    return entered("cuDeviceGetAttribute");
  };
  api.cuDeviceCanAccessPeer = [](int* can, device_handle, device_handle) {
    *can = 0;
    return entered("cuDeviceCanAccessPeer");
  };
  api.cuDevicePrimaryCtxRetain = [](context_handle* context, device_handle device) {
    *context = context_of(device);
    return entered("cuDevicePrimaryCtxRetain");
  };
  api.cuCtxGetCurrent = [](context_handle* context) {
    *context = gpu().stack.empty() ? nullptr : gpu().stack.back();
    return entered("cuCtxGetCurrent");
  };
  api.cuCtxGetDevice = [](device_handle* device) {
    if (gpu().stack.empty() || gpu().stack.back() == nullptr) return 201;
    *device = device_of_context(gpu().stack.back());
    return entered("cuCtxGetDevice");
  };
  api.cuCtxSynchronize = [] { return entered("cuCtxSynchronize"); };
  api.cuCtxPushCurrent = [](context_handle context) {
    if (int const code = entered("cuCtxPushCurrent")) return code;
    gpu().stack.push_back(context);
    return 0;
  };
  api.cuCtxPopCurrent = [](context_handle* context) {
    *context = gpu().stack.back();
    gpu().stack.pop_back();
    return entered("cuCtxPopCurrent");
  };
  api.cuThreadExchangeStreamCaptureMode = [](capture_mode*) { return entered("cuThreadExchangeStreamCaptureMode"); };
  api.cuStreamCreate = [](stream_handle* stream, unsigned) {
    *stream = stream_of(device_of_context(gpu().stack.back()));
    return entered("cuStreamCreate");
  };
  api.cuStreamDestroy = [](stream_handle) { return entered("cuStreamDestroy"); };
  api.cuStreamSynchronize = [](stream_handle) { return entered("cuStreamSynchronize"); };
  api.cuStreamQuery = [](stream_handle) { return entered("cuStreamQuery"); };
  api.cuStreamWriteValue32 = [](stream_handle, device_address at, std::uint32_t value, unsigned) {
    std::memcpy(reinterpret_cast<void*>(at), &value, sizeof value);
    return entered("cuStreamWriteValue32");
  };
  // What a stream does is done at once here, so a value that is not there yet would never come.
  api.cuStreamWaitValue32 = [](stream_handle, device_address at, std::uint32_t value, unsigned) {
    std::uint32_t found = 0;
    std::memcpy(&found, reinterpret_cast<void const*>(at), sizeof found);
    if (static_cast<std::int32_t>(found - value) < 0) return 999;
    return entered("cuStreamWaitValue32");
  };
  api.cuStreamGetCtx = [](stream_handle stream, context_handle* context) {
    *context = context_of(static_cast<int>(reinterpret_cast<std::uintptr_t>(stream)) - 16);
    return entered("cuStreamGetCtx");
  };
  api.cuStreamIsCapturing = [](stream_handle, int* status) {
    *status = gpu().captures ? 1 : 0;
    return entered("cuStreamIsCapturing");
  };
  api.cuEventCreate = [](event_handle* event, unsigned) {
    gpu().events.push_back(0);
    *event = reinterpret_cast<event_handle>(std::uintptr_t(gpu().events.size()));
    return entered("cuEventCreate");
  };
  api.cuEventDestroy = [](event_handle) { return entered("cuEventDestroy"); };
  api.cuEventRecord = [](event_handle event, stream_handle) {
    time_of(event) = gpu().clock;
    return entered("cuEventRecord");
  };
  api.cuEventQuery = [](event_handle) {
    if (gpu().busy_queries > 0) {
      --gpu().busy_queries;
      return static_cast<int>(cuda_not_ready);
    }
    return entered("cuEventQuery");
  };
  api.cuEventSynchronize = [](event_handle) { return entered("cuEventSynchronize"); };
  api.cuEventElapsedTime = [](float* milliseconds, event_handle from, event_handle to) {
    *milliseconds = time_of(to) - time_of(from);
    return entered("cuEventElapsedTime");
  };
  api.cuStreamWaitEvent = [](stream_handle, event_handle, unsigned) { return entered("cuStreamWaitEvent"); };
  api.cuCtxEnablePeerAccess = [](context_handle, unsigned) { return entered("cuCtxEnablePeerAccess"); };
  api.cuIpcGetMemHandle = [](ipc_handle* handle, device_address) {
    *handle = {};
    return entered("cuIpcGetMemHandle");
  };
  api.cuIpcOpenMemHandle = [](device_address*, ipc_handle, unsigned) { return entered("cuIpcOpenMemHandle"); };
  api.cuIpcCloseMemHandle = [](device_address) { return entered("cuIpcCloseMemHandle"); };
  api.cuMemAlloc = [](device_address* address, std::size_t bytes) {
    if (int const code = entered("cuMemAlloc")) return code;
    *address = reinterpret_cast<device_address>(::operator new(bytes, std::align_val_t(256)));
    gpu().memory[*address] = {bytes, device_of_context(gpu().stack.back())};
    return 0;
  };
  api.cuMemFree = [](device_address address) {
    gpu().memory.erase(address);
    ::operator delete(reinterpret_cast<void*>(address), std::align_val_t(256));
    return entered("cuMemFree");
  };
  api.cuMemHostAlloc = [](void** address, std::size_t bytes, unsigned) {
    if (int const code = entered("cuMemHostAlloc")) return code;
    *address = ::operator new(bytes, std::align_val_t(256));
    return 0;
  };
  api.cuMemFreeHost = [](void* address) {
    ::operator delete(address, std::align_val_t(256));
    return entered("cuMemFreeHost");
  };
  api.cuMemcpyAsync = [](device_address to, device_address from, std::size_t bytes, stream_handle) {
    if (int const code = entered("cuMemcpyAsync")) return code;
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void const*>(from), bytes);
    return 0;
  };
  api.cuMemcpy3DAsync = [](memory_box const* box, stream_handle) {
    if (int const code = entered("cuMemcpy3DAsync")) return code;
    if (std::max(box->src_pitch, box->dst_pitch) > 0x7fffffff ||
        std::min(box->src_pitch, box->dst_pitch) < box->row_bytes)
      return 1;  // CUDA_ERROR_INVALID_VALUE
    if (box->depth > 1) ++gpu().boxes_of_planes;
    for (std::size_t z = 0; z < box->depth; ++z)
      for (std::size_t y = 0; y < box->rows; ++y)
        std::memcpy(reinterpret_cast<void*>(box->dst_device + (z * box->dst_rows + y) * box->dst_pitch),
                    reinterpret_cast<void const*>(box->src_device + (z * box->src_rows + y) * box->src_pitch),
                    box->row_bytes);
    return 0;
  };
  api.cuMemsetD8Async = [](device_address to, unsigned char value, std::size_t bytes, stream_handle) {
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return entered("cuMemsetD8Async");
  };
  api.cuPointerGetAttributes = [](unsigned count, pointer_attribute* which, void** values, device_address address) {
    auto const at = find_memory(address);
    bool const known = at != gpu().memory.end();
    for (unsigned i = 0; i < count; ++i) {
      switch (which[i]) {
        case pointer_attribute::context:
          *static_cast<context_handle*>(values[i]) = known ? context_of(at->second.device) : nullptr;
          break;
        case pointer_attribute::memory_type:
          *static_cast<unsigned*>(values[i]) =
              static_cast<unsigned>(known ? memory_type::device : memory_type::unknown);
          break;
        case pointer_attribute::device_ordinal: *static_cast<int*>(values[i]) = known ? at->second.device : -2; break;
        case pointer_attribute::buffer_id: *static_cast<unsigned long long*>(values[i]) = known ? at->first : 0; break;
        case pointer_attribute::can_be_exported: *static_cast<int*>(values[i]) = known ? 1 : 0; break;
        case pointer_attribute::range_start: *static_cast<device_address*>(values[i]) = known ? at->first : 0; break;
        case pointer_attribute::range_bytes:
          *static_cast<std::size_t*>(values[i]) = known ? at->second.bytes : 0;
          break;
      }
    }
    return entered("cuPointerGetAttributes");
  };
  api.cuLibraryLoadData = [](library_handle* library, void const* code, int*, void**, unsigned, int*, void**,
                             unsigned) {
    if (int const failed = entered("cuLibraryLoadData")) return failed;
    gpu().loaded.emplace_back(static_cast<char const*>(code));
    *library = reinterpret_cast<library_handle>(gpu().loaded.size());
    return 0;
  };
  api.cuLibraryUnload = [](library_handle) { return entered("cuLibraryUnload"); };
  api.cuLibraryGetKernel = [](kernel_handle* kernel, library_handle, char const* name) {
    if (int const failed = entered("cuLibraryGetKernel")) return failed;
    *kernel = reinterpret_cast<kernel_handle>(const_cast<char*>(gpu().names.insert(name).first->c_str()));
    return 0;
  };
  api.cuKernelSetAttribute = [](kernel_attribute, int value, kernel_handle kernel, device_handle) {
    gpu().kernel_attributes[reinterpret_cast<char const*>(kernel)] = value;
    return entered("cuKernelSetAttribute");
  };
  api.cuLaunchKernel = [](kernel_handle kernel, unsigned grid, unsigned, unsigned, unsigned block, unsigned, unsigned,
                          unsigned shared_bytes, stream_handle stream, void** arguments, void**) {
    if (int const failed = entered("cuLaunchKernel")) return failed;
    std::string const name = reinterpret_cast<char const*>(kernel);
    if (gpu().failing_kernels.contains(name)) return static_cast<int>(cuda_launch_out_of_resources);
    launch one{name, grid, block, shared_bytes, stream, device_of_context(gpu().stack.back()), 0};
    if (name.starts_with("tilewright_copy_")) {
      auto const& a = *static_cast<generic_arguments const*>(arguments[0]);
      one.half = a.half;
      run_generic(name, a, grid, block);
    }
    if (name == "tilewright_few_bytes") run_few_bytes(arguments, grid * block);
    if (name == "tilewright_pieces") run_pieces(*static_cast<piece_arguments const*>(arguments[0]));
    gpu().launches.push_back(one);
    auto const known = gpu().milliseconds_of_grid.find(grid);
    gpu().clock += known == gpu().milliseconds_of_grid.end() ? 2 : known->second;
    return 0;
  };
  return api;
}

}  // namespace tilewright::gpu::fake
