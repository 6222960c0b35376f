// What a CUDA call that fails becomes: an exception whose text says which call failed, why, and for a launch with which
// kernel and configuration.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/exec/limits.hpp"

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <typeinfo>
#endif

namespace tilewright {

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)

/// `what()` is one sentence; `code()` what CUDA returned.
class cuda_error : public std::runtime_error {
 public:
  cuda_error(cudaError_t code, std::string const& sentence) : std::runtime_error(sentence), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Where a CUDA grid runs and with what. shared_bytes below 0: what the kernel's own `shared_bytes` says, else 48 KiB,
/// which every device gives unasked; kernels without shared memory run more blocks at once with 0.
struct cuda_config {
  dim3 grid{};
  dim3 block{};
  bytes shared_bytes{-1};
  cudaStream_t stream = nullptr;
  dim3 cluster{};
};

namespace exec {

inline std::string text_of(dim3 const& e) {
  return std::to_string(e.x) + " x " + std::to_string(e.y) + " x " + std::to_string(e.z);
}

/// As the source spells it, without the tags of TILEWRIGHT_CUTLASS_NAME.
template <class T>
std::string name_of_type() {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const text(abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, &status),
                                                    &std::free);
  std::string name = status == 0 ? text.get() : typeid(T).name();
  constexpr char tag[] = "[abi:cutlass]";
  for (std::size_t at = name.find(tag); at != std::string::npos; at = name.find(tag, at))
    name.erase(at, sizeof(tag) - 1);
  return name;
}

inline std::string text_of(cuda_config const& config) {
  return "grid " + text_of(config.grid) + ", block " + text_of(config.block) + ", cluster " + text_of(config.cluster) +
         ", " + std::to_string(config.shared_bytes.count) + " bytes of dynamic shared memory";
}

/// What to do about the errors that a launch commonly meets.
inline char const* remedy_of(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidConfiguration: return "; give extents and shared memory within the device's limits";
    case cudaErrorInvalidValue: return "; give no more shared memory and threads than the device has for one block";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion: return "; compile for this device (-arch=native)";
    case cudaErrorLaunchOutOfResources: return "; use smaller blocks, or fewer registers for each thread";
    case cudaErrorInvalidClusterSize: return "; use smaller clusters";
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalInstruction:
      return "; the kernel stopped itself: are its shared tiles within shared_bytes, and is it compiled for this "
             "device?";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress: return "; run the same kernel under launch_checked, which names the coordinate";
    default: return "";
  }
}

inline std::string sentence_of(cudaError_t code, std::string const& call) {
  return call + " failed with " + cudaGetErrorName(code) + " (" + cudaGetErrorString(code) + ")";
}

}  // namespace exec

/// Throws cuda_error unless the call succeeded: check_cuda(cudaMalloc(&p, n), "cudaMalloc").
inline void check_cuda(cudaError_t code, char const* call) {
  if (code != cudaSuccess) raise_exception(cuda_error(code, exec::sentence_of(code, call) + exec::remedy_of(code)));
}

#endif

}  // namespace tilewright
