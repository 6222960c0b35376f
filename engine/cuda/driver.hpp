// NVIDIA's driver, libcuda.so.1, opened at run time: a table of the functions that this library calls and the few types
// they take, declared here, so that building needs no CUDA and one binary runs on machines with and without a GPU. Every
// call that fails becomes a copy_error with the call, the driver's own words and what was being done.
#pragma once

#include "tilewright/plan/copy_error.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilewright::gpu {

// The driver's handles, as its ABI has them: pointers to structures that only it knows, and numbers.
using device_handle = int;                   // CUdevice
using context_handle = struct context_tag*;  // CUcontext
using stream_handle = struct stream_tag*;    // CUstream
using event_handle = struct event_tag*;      // CUevent
using library_handle = struct library_tag*;  // CUlibrary: code that is loaded into each context where it is used
using kernel_handle = struct kernel_tag*;    // CUkernel: a function of a library, for every context
using device_address = unsigned long long;   // CUdeviceptr

/// The codes (CUresult) that this library tells apart.
enum : int {
  cuda_success = 0,
  cuda_invalid_value = 1,
  cuda_out_of_memory = 2,
  cuda_stub_library = 34,
  cuda_no_device = 100,
  cuda_invalid_device = 101,
  cuda_invalid_image = 200,
  cuda_no_binary_for_gpu = 209,
  cuda_unsupported_ptx_version = 222,
  cuda_not_ready = 600,
  cuda_illegal_address = 700,
  cuda_launch_out_of_resources = 701,
  cuda_peer_access_already_enabled = 704,
  cuda_misaligned_address = 716,
  cuda_launch_failed = 719,
  cuda_mps_client_terminated = 809,
};

/// Attributes of a device (CUdevice_attribute).
enum class device_attribute : int {
  clock_khz = 13,
  multiprocessors = 16,
  memory_clock_khz = 36,
  memory_bus_bits = 37,
  l2_bytes = 38,
  capability_major = 75,
  capability_minor = 76,
  shared_bytes_per_multiprocessor = 81,
  pageable_memory_access = 88,
  shared_bytes_per_block_optin = 97,
};

/// Attributes of a pointer (CUpointer_attribute), and what memory_type tells; memory the driver does not know has type 0.
enum class pointer_attribute : int {
  context = 1,
  memory_type = 2,
  buffer_id = 7,  // of the allocation: another one where an address is allocated again
  device_ordinal = 9,
  can_be_exported = 10,  // by cuIpcGetMemHandle
  range_start = 11,
  range_bytes = 12,
};
enum class memory_type : unsigned { unknown = 0, host = 1, device = 2, array = 3, unified = 4 };

/// Attributes of a kernel (CUfunction_attribute).
enum class kernel_attribute : int { max_dynamic_shared_bytes = 8 };

/// cuThreadExchangeStreamCaptureMode's modes: in `relaxed` a thread may load code while one of its streams is captured.
enum class capture_mode : int { global = 0, thread_local_ = 1, relaxed = 2 };

/// What other processes open an allocation by.
struct ipc_handle {
  char bytes[64];
  friend bool operator==(ipc_handle const&, ipc_handle const&) = default;
};
inline constexpr unsigned stream_non_blocking = 1, event_without_timing = 2;
/// cuStreamWaitValue32: until the value, as a number modulo 2^32, is the given one or later.
inline constexpr unsigned wait_value_reached = 0;

/// cuMemcpy3DAsync's description (CUDA_MEMCPY3D) of a box of memory on both sides: `depth` planes of `rows` rows of `row_bytes`.
struct memory_box {
  std::size_t src_x = 0, src_y = 0, src_z = 0, src_level = 0;
  unsigned src_type = 2;  // CU_MEMORYTYPE_DEVICE
  void const* src_host = nullptr;
  device_address src_device = 0;
  void* src_array = nullptr;
  void* reserved_0 = nullptr;
  std::size_t src_pitch = 0, src_rows = 0;  // bytes from row to row; rows from plane to plane
  std::size_t dst_x = 0, dst_y = 0, dst_z = 0, dst_level = 0;
  unsigned dst_type = 2;
  void* dst_host = nullptr;
  device_address dst_device = 0;
  void* dst_array = nullptr;
  void* reserved_1 = nullptr;
  std::size_t dst_pitch = 0, dst_rows = 0;
  std::size_t row_bytes = 0, rows = 0, depth = 0;
};

/// The driver's functions under their own names; all return a CUresult.
struct driver_api {
  int (*cuInit)(unsigned flags) = nullptr;
  int (*cuDriverGetVersion)(int* version) = nullptr;
  int (*cuGetErrorName)(int code, char const** text) = nullptr;
  int (*cuGetErrorString)(int code, char const** text) = nullptr;
  int (*cuDeviceGetCount)(int* count) = nullptr;
  int (*cuDeviceGet)(device_handle*, int ordinal) = nullptr;
  int (*cuDeviceGetName)(char* name, int length, device_handle) = nullptr;
  int (*cuDeviceGetAttribute)(int* value, device_attribute, device_handle) = nullptr;
  int (*cuDeviceCanAccessPeer)(int* can, device_handle, device_handle peer) = nullptr;
  int (*cuDevicePrimaryCtxRetain)(context_handle*, device_handle) = nullptr;
  int (*cuCtxGetCurrent)(context_handle*) = nullptr;
  int (*cuCtxGetDevice)(device_handle*) = nullptr;
  int (*cuCtxSynchronize)() = nullptr;
  int (*cuCtxPushCurrent)(context_handle) = nullptr;
  int (*cuCtxPopCurrent)(context_handle*) = nullptr;
  int (*cuThreadExchangeStreamCaptureMode)(capture_mode*) = nullptr;
  int (*cuStreamCreate)(stream_handle*, unsigned flags) = nullptr;
  int (*cuStreamDestroy)(stream_handle) = nullptr;
  int (*cuStreamSynchronize)(stream_handle) = nullptr;
  int (*cuStreamQuery)(stream_handle) = nullptr;
  int (*cuStreamWriteValue32)(stream_handle, device_address, std::uint32_t value, unsigned flags) = nullptr;
  int (*cuStreamWaitValue32)(stream_handle, device_address, std::uint32_t value, unsigned flags) = nullptr;
  int (*cuStreamGetCtx)(stream_handle, context_handle*) = nullptr;
  int (*cuStreamIsCapturing)(stream_handle, int* status) = nullptr;
  int (*cuEventCreate)(event_handle*, unsigned flags) = nullptr;
  int (*cuEventDestroy)(event_handle) = nullptr;
  int (*cuEventRecord)(event_handle, stream_handle) = nullptr;
  int (*cuEventSynchronize)(event_handle) = nullptr;
  int (*cuEventQuery)(event_handle) = nullptr;
  int (*cuEventElapsedTime)(float* milliseconds, event_handle from, event_handle to) = nullptr;
  int (*cuStreamWaitEvent)(stream_handle, event_handle, unsigned flags) = nullptr;
  int (*cuCtxEnablePeerAccess)(context_handle peer, unsigned flags) = nullptr;
  int (*cuIpcGetMemHandle)(ipc_handle*, device_address) = nullptr;
  int (*cuIpcOpenMemHandle)(device_address*, ipc_handle, unsigned flags) = nullptr;
  int (*cuIpcCloseMemHandle)(device_address) = nullptr;
  int (*cuMemAlloc)(device_address*, std::size_t bytes) = nullptr;
  int (*cuMemFree)(device_address) = nullptr;
  int (*cuMemHostAlloc)(void**, std::size_t bytes, unsigned flags) = nullptr;
  int (*cuMemFreeHost)(void*) = nullptr;
  int (*cuMemcpyAsync)(device_address to, device_address from, std::size_t bytes, stream_handle) = nullptr;
  int (*cuMemcpy3DAsync)(memory_box const*, stream_handle) = nullptr;
  int (*cuMemsetD8Async)(device_address to, unsigned char value, std::size_t bytes, stream_handle) = nullptr;
  int (*cuPointerGetAttributes)(unsigned count, pointer_attribute*, void** values, device_address) = nullptr;
  int (*cuLibraryLoadData)(library_handle*, void const* code, int* jit_options, void** jit_values, unsigned jit_count,
                           int* options, void** values, unsigned count) = nullptr;
  int (*cuLibraryUnload)(library_handle) = nullptr;
  int (*cuLibraryGetKernel)(kernel_handle*, library_handle, char const* name) = nullptr;
  int (*cuKernelSetAttribute)(kernel_attribute, int value, kernel_handle, device_handle) = nullptr;
  int (*cuLaunchKernel)(kernel_handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, stream_handle, void** arguments,
                        void** extra) = nullptr;
  int (*cuLaunchCooperativeKernel)(kernel_handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                   unsigned block_y, unsigned block_z, unsigned shared_bytes, stream_handle,
                                   void** arguments) = nullptr;
  int (*cuTensorMapEncodeTiled)(void* map, int element, std::uint32_t rank, void* address, std::uint64_t const* extents,
                                std::uint64_t const* strides, std::uint32_t const* box, std::uint32_t const* steps,
                                int interleave, int swizzle, int promotion, int fill) = nullptr;
};

/// Opens the driver's library of that name and initialises it.
/// error: copy_error no_device when there is none, it is too old (before CUDA 12.0), or it finds no GPU
driver_api load_driver(std::string const& library = "libcuda.so.1");

/// The process's driver, opened at the first call; a failure is remembered.
/// error: as load_driver
driver_api const& the_driver();

/// Throws copy_error (device_failed, out_of_memory, no_device) unless `code` is success: "<doing>: <call> failed with
/// CUDA_ERROR_… (…); <remedy>".
void check(driver_api const& api, int code, char const* call, std::string const& doing);

/// The two default streams have names for handles, which mean a stream of whatever context is current.
inline bool is_default(stream_handle stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

/// Makes a context current for as long as it lives, and then again what the thread had before.
class current_context {
 public:
  current_context(driver_api const& api, context_handle wanted);
  ~current_context();
  current_context(current_context const&) = delete;
  current_context& operator=(current_context const&) = delete;

 private:
  driver_api const& api_;
  bool pushed_ = false;
};

}  // namespace tilewright::gpu
