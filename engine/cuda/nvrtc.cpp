#include "engine/cuda/nvrtc.hpp"

#include "engine/cuda/embedded_headers.hpp"
#include "engine/environment.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <dlfcn.h>

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace tilewright::gpu {
namespace {

// Releases whose interface and language (C++20) this library knows.
constexpr int oldest_major = 12, latest_major = 13;

/// Existing libnvrtc of that release in FOLDER/*/lib (Python's packages: nvidia/cu13/lib, nvidia/cuda_nvrtc/lib).
void add_packages(std::vector<std::string>& out, std::filesystem::path const& folder, std::string const& file) {
  std::error_code ignored;
  for (auto const& entry : std::filesystem::directory_iterator(folder, ignored)) {
    auto const library = entry.path() / "lib" / file;
    if (std::filesystem::exists(library, ignored)) out.push_back(library.string());
  }
}

void add_python_environment(std::vector<std::string>& out, std::filesystem::path const& root, std::string const& file) {
  std::error_code ignored;
  for (auto const& entry : std::filesystem::directory_iterator(root / "lib", ignored))
    if (entry.path().filename().string().starts_with("python3"))
      add_packages(out, entry.path() / "site-packages" / "nvidia", file);
}

/// Destroys the program on every way out.
struct program_holder {
  nvrtc_api const& api;
  nvrtc_api::program program = nullptr;
  ~program_holder() {
    if (program != nullptr) api.nvrtcDestroyProgram(&program);
  }
};

}  // namespace

std::string architecture_option(compiler_facts const& compiler, int capability) {
  auto const& known = compiler.architectures;
  if (std::binary_search(known.begin(), known.end(), capability))
    return fmt::format("--gpu-architecture=sm_{}", capability);
  auto const above = std::upper_bound(known.begin(), known.end(), capability);
  if (above == known.begin())
    throw copy_error(copy_errc::device_failed,
                     fmt::format("{} (CUDA {}.{}) compiles for compute capability {}.{} and later, this device has "
                                 "{}.{}; set TILEWRIGHT_NVRTC to an older libnvrtc",
                                 compiler.library, compiler.major, compiler.minor, *above / 10, *above % 10,
                                 capability / 10, capability % 10));
  return fmt::format("--gpu-architecture=compute_{}", *(above - 1));
}

std::vector<std::string> compiler_options(compiler_facts const& compiler, int capability, bool needs_own_instructions) {
  std::vector<std::string> out = {"-std=c++20", "-DNDEBUG", architecture_option(compiler, capability)};
  // Code for sm_90a runs on devices of 9.0 alone, and so is machine code always.
  if (needs_own_instructions && capability >= 90 && out.back().find("=sm_") != std::string::npos) out.back() += 'a';
  // No kernel needs textures or the run-time library's own declarations, which take longer to read than a kernel.
  if (std::pair(compiler.major, compiler.minor) >= std::pair(12, 4)) out.emplace_back("--minimal");
  return out;
}

nvrtc::nvrtc(std::string const& library) {
  // Lazily: binding all of so large a library at once takes longer than loading a kernel from the disk.
  void* const handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    char const* const why = dlerror();
    throw copy_error(copy_errc::device_failed, fmt::format("CUDA's run-time compiler {} cannot be opened ({})", library,
                                                           why == nullptr ? "no reason given" : why));
  }
  auto const find = [&](auto& function, char const* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
    if (function != nullptr) return;
    dlclose(handle);
    throw copy_error(copy_errc::device_failed, fmt::format("{} has no {}, so it is not libnvrtc of CUDA {} or later; "
                                                           "install one, or set TILEWRIGHT_NVRTC to it",
                                                           library, symbol, oldest_major));
  };
  find(api_.nvrtcVersion, "nvrtcVersion");
  find(api_.nvrtcGetNumSupportedArchs, "nvrtcGetNumSupportedArchs");
  find(api_.nvrtcGetSupportedArchs, "nvrtcGetSupportedArchs");
  find(api_.nvrtcCreateProgram, "nvrtcCreateProgram");
  find(api_.nvrtcDestroyProgram, "nvrtcDestroyProgram");
  find(api_.nvrtcCompileProgram, "nvrtcCompileProgram");
  find(api_.nvrtcGetProgramLogSize, "nvrtcGetProgramLogSize");
  find(api_.nvrtcGetProgramLog, "nvrtcGetProgramLog");
  find(api_.nvrtcGetCUBINSize, "nvrtcGetCUBINSize");
  find(api_.nvrtcGetCUBIN, "nvrtcGetCUBIN");
  find(api_.nvrtcGetPTXSize, "nvrtcGetPTXSize");
  find(api_.nvrtcGetPTX, "nvrtcGetPTX");
  find(api_.nvrtcGetErrorString, "nvrtcGetErrorString");
  Dl_info where{};
  bool const has_path = dladdr(reinterpret_cast<void*>(api_.nvrtcVersion), &where) != 0 && where.dli_fname != nullptr;
  facts_.library = has_path ? where.dli_fname : library;
  int count = 0;
  if (api_.nvrtcVersion(&facts_.major, &facts_.minor) == 0 && api_.nvrtcGetNumSupportedArchs(&count) == 0 &&
      count > 0) {
    facts_.architectures.resize(static_cast<std::size_t>(count));
    if (api_.nvrtcGetSupportedArchs(facts_.architectures.data()) != 0) facts_.architectures.clear();
  }
  std::sort(facts_.architectures.begin(), facts_.architectures.end());
  if (!facts_.architectures.empty() && facts_.major >= oldest_major) return;
  dlclose(handle);
  throw copy_error(copy_errc::device_failed,
                   fmt::format("{} is the compiler of CUDA {}.{}; install that of CUDA {} or later, or set "
                               "TILEWRIGHT_NVRTC to it",
                               library, facts_.major, facts_.minor, oldest_major));
}

std::string nvrtc::compile(std::string const& source, std::string const& name,
                           std::vector<std::string> const& options) const {
  auto const fail = [&](int code, char const* call, std::string const& log) {
    throw copy_error(
        copy_errc::device_failed,
        fmt::format("{} of {} failed compiling {} with {}; set TILEWRIGHT_NVRTC=none to copy with the precompiled "
                    "kernel{}{}",
                    call, facts_.library, name, api_.nvrtcGetErrorString(code),
                    log.empty() ? "" : "; the compiler says:\n", log));
  };
  auto const& headers = embedded_headers();
  std::vector<char const*> names, texts, arguments;
  for (auto const& header : headers) {
    names.push_back(header.name);
    texts.push_back(header.text);
  }
  for (auto const& option : options) arguments.push_back(option.c_str());
  // Only kernels that compute with them need it, and it is no default.
  if (source.find("__int128") != std::string::npos) arguments.push_back("--device-int128");
  program_holder held{api_};
  if (int const code = api_.nvrtcCreateProgram(&held.program, source.c_str(), name.c_str(),
                                               static_cast<int>(headers.size()), texts.data(), names.data()))
    fail(code, "nvrtcCreateProgram", "");
  int const compiled = api_.nvrtcCompileProgram(held.program, static_cast<int>(arguments.size()), arguments.data());
  if (compiled != 0) {
    std::size_t bytes = 0;
    std::string log;
    if (api_.nvrtcGetProgramLogSize(held.program, &bytes) == 0 && bytes > 1) {
      log.resize(bytes);
      if (api_.nvrtcGetProgramLog(held.program, log.data()) != 0) log.clear();
      while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
    }
    fail(compiled, "nvrtcCompileProgram", log);
  }
  std::size_t bytes = 0;
  std::string code;
  bool const is_binary = api_.nvrtcGetCUBINSize(held.program, &bytes) == 0 && bytes != 0;
  if (int const failed = is_binary ? 0 : api_.nvrtcGetPTXSize(held.program, &bytes))
    fail(failed, "nvrtcGetPTXSize", "");
  code.resize(bytes);
  if (int const failed =
          is_binary ? api_.nvrtcGetCUBIN(held.program, code.data()) : api_.nvrtcGetPTX(held.program, code.data()))
    fail(failed, is_binary ? "nvrtcGetCUBIN" : "nvrtcGetPTX", "");
  return code;
}

std::vector<std::string> nvrtc_candidates(int newest_major) {
  std::vector<std::string> out;
  for (int major = std::min(newest_major, latest_major); major >= oldest_major; --major) {
    std::string const file = fmt::format("libnvrtc.so.{}", major);
    out.push_back(file);  // open in this process, or on the loader's path
    for (std::string const& root : {environment("CUDA_HOME"), environment("CUDA_PATH"), std::string("/usr/local/cuda"),
                                    fmt::format("/usr/local/cuda-{}", major), std::string("/opt/cuda")})
      if (!root.empty())
        for (char const* const folder : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"})
          out.push_back(fmt::format("{}/{}/{}", root, folder, file));
    for (char const* const variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
      std::string const root = environment(variable);
      if (root.empty()) continue;
      out.push_back(fmt::format("{}/lib/{}", root, file));
      add_python_environment(out, root, file);
    }
  }
  return out;
}

std::unique_ptr<nvrtc const> find_nvrtc(int driver_release) {
  std::string const named = environment("TILEWRIGHT_NVRTC");
  if (named == "none") return nullptr;
  if (!named.empty()) return std::make_unique<nvrtc>(named);
  for (std::string const& candidate : nvrtc_candidates(driver_release / 1000)) {
    // Most candidates do not exist; what exists and is unfit is passed over too.
    try {
      return std::make_unique<nvrtc>(candidate);
    } catch (copy_error const&) {
      continue;
    }
  }
  return nullptr;
}

}  // namespace tilewright::gpu
