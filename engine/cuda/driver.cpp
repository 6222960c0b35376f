#include "engine/cuda/driver.hpp"

#include <dlfcn.h>

#include <fmt/format.h>
#include <optional>

namespace tilewright::gpu {
namespace {

/// The library stays open for the life of the process: its threads would not survive it.
class driver_library {
 public:
  explicit driver_library(std::string const& name) : name_(name), handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ != nullptr) return;
    char const* const why = dlerror();
    throw copy_error(copy_errc::no_device,
                     fmt::format("no CUDA device can be used: the driver's library {} cannot be opened ({}); install "
                                 "NVIDIA's driver, or copy on the CPU",
                                 name, why == nullptr ? "no reason given" : why));
  }

  /// `symbol` is the name in the library, which carries the version of a changed signature.
  template <class Function>
  void find(Function& function, char const* symbol) const {
    function = reinterpret_cast<Function>(dlsym(handle_, symbol));
    if (function == nullptr)
      throw copy_error(
          copy_errc::no_device,
          fmt::format("no CUDA device can be used: the driver's library {} has no {}; install a driver for "
                      "CUDA 12.0 or later",
                      name_, symbol));
  }

 private:
  std::string name_;
  void* handle_;
};

std::string words_of(driver_api const& api, int code) {
  char const *name = nullptr, *text = nullptr;
  if (code == cuda_stub_library) return "CUDA_ERROR_STUB_LIBRARY (it is the toolkit's stand-in, no driver)";
  if (api.cuGetErrorName == nullptr || api.cuGetErrorName(code, &name) != cuda_success || name == nullptr)
    return fmt::format("error {}", code);
  if (api.cuGetErrorString(code, &text) != cuda_success || text == nullptr) return name;
  return fmt::format("{} ({})", name, text);
}

copy_errc errc_of(int code) {
  switch (code) {
    case cuda_out_of_memory: return copy_errc::out_of_memory;
    case cuda_stub_library:
    case cuda_no_device:
    case cuda_invalid_device: return copy_errc::no_device;
    default: return copy_errc::device_failed;
  }
}

char const* remedy_of(int code) {
  switch (code) {
    case cuda_out_of_memory: return "; free memory of the device, or copy in parts";
    case cuda_invalid_image:
    case cuda_no_binary_for_gpu:
    case cuda_unsupported_ptx_version:
      return "; the driver is older than the compiler that made the kernel: update the driver, or set "
             "TILEWRIGHT_NVRTC to an older libnvrtc";
    case cuda_illegal_address:
    case cuda_misaligned_address:
      return "; a kernel, this one or one before it, left its memory: check that both tensors' layouts are within "
             "their "
             "allocations; this process can use the device no more";
    case cuda_launch_failed:
    case cuda_mps_client_terminated: return "; this process can use the device no more";
    default: return "";
  }
}

struct loaded_driver {
  driver_api api;
  std::optional<copy_error> failure;
};

loaded_driver const& load_once() {
  static loaded_driver const once = [] {
    loaded_driver out;
    try {
      out.api = load_driver();
    } catch (copy_error const& error) {
      out.failure = error;
    }
    return out;
  }();
  return once;
}

driver_api functions_of(driver_library const& found) {
  driver_api api;
  found.find(api.cuInit, "cuInit");
  found.find(api.cuDriverGetVersion, "cuDriverGetVersion");
  found.find(api.cuGetErrorName, "cuGetErrorName");
  found.find(api.cuGetErrorString, "cuGetErrorString");
  found.find(api.cuDeviceGetCount, "cuDeviceGetCount");
  found.find(api.cuDeviceGet, "cuDeviceGet");
  found.find(api.cuDeviceGetName, "cuDeviceGetName");
  found.find(api.cuDeviceGetAttribute, "cuDeviceGetAttribute");
  found.find(api.cuDeviceCanAccessPeer, "cuDeviceCanAccessPeer");
  found.find(api.cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  found.find(api.cuCtxGetCurrent, "cuCtxGetCurrent");
  found.find(api.cuCtxGetDevice, "cuCtxGetDevice");
  found.find(api.cuCtxSynchronize, "cuCtxSynchronize");
  found.find(api.cuCtxPushCurrent, "cuCtxPushCurrent_v2");
  found.find(api.cuCtxPopCurrent, "cuCtxPopCurrent_v2");
  found.find(api.cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode");
  found.find(api.cuStreamCreate, "cuStreamCreate");
  found.find(api.cuStreamDestroy, "cuStreamDestroy_v2");
  found.find(api.cuStreamSynchronize, "cuStreamSynchronize");
  found.find(api.cuStreamQuery, "cuStreamQuery");
  found.find(api.cuStreamWriteValue32, "cuStreamWriteValue32_v2");
  found.find(api.cuStreamWaitValue32, "cuStreamWaitValue32_v2");
  found.find(api.cuStreamGetCtx, "cuStreamGetCtx");
  found.find(api.cuStreamIsCapturing, "cuStreamIsCapturing");
  found.find(api.cuEventCreate, "cuEventCreate");
  found.find(api.cuEventDestroy, "cuEventDestroy_v2");
  found.find(api.cuEventRecord, "cuEventRecord");
  found.find(api.cuEventSynchronize, "cuEventSynchronize");
  found.find(api.cuEventQuery, "cuEventQuery");
  found.find(api.cuEventElapsedTime, "cuEventElapsedTime");
  found.find(api.cuStreamWaitEvent, "cuStreamWaitEvent");
  found.find(api.cuCtxEnablePeerAccess, "cuCtxEnablePeerAccess");
  found.find(api.cuIpcGetMemHandle, "cuIpcGetMemHandle");
  found.find(api.cuIpcOpenMemHandle, "cuIpcOpenMemHandle_v2");
  found.find(api.cuIpcCloseMemHandle, "cuIpcCloseMemHandle");
  found.find(api.cuMemAlloc, "cuMemAlloc_v2");
  found.find(api.cuMemFree, "cuMemFree_v2");
  found.find(api.cuMemHostAlloc, "cuMemHostAlloc");
  found.find(api.cuMemFreeHost, "cuMemFreeHost");
  found.find(api.cuMemcpyAsync, "cuMemcpyAsync");
  found.find(api.cuMemcpy3DAsync, "cuMemcpy3DAsync_v2");
  found.find(api.cuMemsetD8Async, "cuMemsetD8Async");
  found.find(api.cuPointerGetAttributes, "cuPointerGetAttributes");
  found.find(api.cuLibraryLoadData, "cuLibraryLoadData");
  found.find(api.cuLibraryUnload, "cuLibraryUnload");
  found.find(api.cuLibraryGetKernel, "cuLibraryGetKernel");
  found.find(api.cuKernelSetAttribute, "cuKernelSetAttribute");
  found.find(api.cuLaunchKernel, "cuLaunchKernel");
  found.find(api.cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel");
  found.find(api.cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled");
  return api;
}

}  // namespace

driver_api load_driver(std::string const& library) {
  driver_api const api = functions_of(driver_library(library));
  int count = 0;
  int code = api.cuInit(0);
  if (code == cuda_success) code = api.cuDeviceGetCount(&count);
  if (code == cuda_success && count == 0) code = cuda_no_device;
  if (code != cuda_success)
    throw copy_error(copy_errc::no_device,
                     fmt::format("no CUDA device can be used: the driver {} answers {}; see whether nvidia-smi lists a "
                                 "GPU here and CUDA_VISIBLE_DEVICES hides none, or copy on the CPU",
                                 library, words_of(api, code)));
  return api;
}

driver_api const& the_driver() {
  loaded_driver const& loaded = load_once();
  if (loaded.failure) throw copy_error(*loaded.failure);
  return loaded.api;
}

void check(driver_api const& api, int code, char const* call, std::string const& doing) {
  if (code == cuda_success) return;
  throw copy_error(errc_of(code),
                   fmt::format("{}: {} failed with {}{}", doing, call, words_of(api, code), remedy_of(code)));
}

current_context::current_context(driver_api const& api, context_handle wanted) : api_(api) {
  context_handle current = nullptr;
  check(api, api.cuCtxGetCurrent(&current), "cuCtxGetCurrent", "copy on a CUDA device");
  if (wanted == current) return;
  check(api, api.cuCtxPushCurrent(wanted), "cuCtxPushCurrent", "copy on a CUDA device");
  pushed_ = true;
}

current_context::~current_context() {
  context_handle popped = nullptr;
  if (pushed_) api_.cuCtxPopCurrent(&popped);
}

}  // namespace tilewright::gpu
