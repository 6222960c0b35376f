// NVIDIA's run-time compiler, libnvrtc, opened at run time where it is installed: CUDA C++ in, machine code for one
// architecture out. This library's headers need no folder: they are part of the binary (embedded_headers.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::gpu {

/// NVRTC's functions under their own names; all but the last return an nvrtcResult.
struct nvrtc_api {
  using program = struct program_tag*;
  int (*nvrtcVersion)(int* major, int* minor) = nullptr;
  int (*nvrtcGetNumSupportedArchs)(int* count) = nullptr;
  int (*nvrtcGetSupportedArchs)(int* architectures) = nullptr;
  int (*nvrtcCreateProgram)(program*, char const* source, char const* name, int headers, char const* const* texts,
                            char const* const* names) = nullptr;
  int (*nvrtcDestroyProgram)(program*) = nullptr;
  int (*nvrtcCompileProgram)(program, int options, char const* const* texts) = nullptr;
  int (*nvrtcGetProgramLogSize)(program, std::size_t*) = nullptr;
  int (*nvrtcGetProgramLog)(program, char*) = nullptr;
  int (*nvrtcGetCUBINSize)(program, std::size_t*) = nullptr;
  int (*nvrtcGetCUBIN)(program, char*) = nullptr;
  int (*nvrtcGetPTXSize)(program, std::size_t*) = nullptr;
  int (*nvrtcGetPTX)(program, char*) = nullptr;
  char const* (*nvrtcGetErrorString)(int) = nullptr;
};

/// Which compiler it is, and what for.
struct compiler_facts {
  std::string library;  // the file
  int major = 0, minor = 0;
  std::vector<int> architectures;  // 75, 80, …; ascending
  friend bool operator==(compiler_facts const&, compiler_facts const&) = default;
};

/// "--gpu-architecture=sm_90", or "…=compute_90" (machine-independent code, which the driver translates) for a device
/// that is newer than the compiler.
/// error: copy_error device_failed for a device that is older than all that the compiler knows
std::string architecture_option(compiler_facts const& compiler, int capability);

/// What kernels are compiled with; needs_own_instructions: as in kernel_spec.
/// error: as architecture_option
std::vector<std::string> compiler_options(compiler_facts const& compiler, int capability, bool needs_own_instructions);

class nvrtc {
 public:
  /// Opens the file or library of that name.
  /// error: copy_error device_failed when it cannot be opened or is not libnvrtc
  explicit nvrtc(std::string const& library);

  compiler_facts const& facts() const { return facts_; }

  /// Machine code of the source (or PTX, see architecture_option), which may include this library's headers.
  /// `name` is the file's name in messages.
  /// error: copy_error device_failed with the compiler's log
  std::string compile(std::string const& source, std::string const& name,
                      std::vector<std::string> const& options) const;

 private:
  nvrtc_api api_;
  compiler_facts facts_;
};

/// Searches for a compiler: TILEWRIGHT_NVRTC (a file, or "none"), else a libnvrtc that the process has open, the system's
/// libraries, the toolkit's folders, a Python environment's packages. Only a release that the driver understands is
/// taken (13000 for CUDA 13.0). Null where there is none.
/// error: copy_error device_failed when TILEWRIGHT_NVRTC names a file that is not libnvrtc
std::unique_ptr<nvrtc const> find_nvrtc(int driver_release);

/// What find_nvrtc tries, in that order.
std::vector<std::string> nvrtc_candidates(int newest_major);

}  // namespace tilewright::gpu
