// tilewright doctor: what this machine has that copies use, and what is missing with the reason. It works where there is
// no GPU, no driver and no compiler, and changes nothing.
#include "apps/cli/command.hpp"
#include "apps/cli/output.hpp"
#include "apps/cli/shared_options.hpp"
#include "engine/cpu/kernels.hpp"
#include "engine/cuda/device.hpp"
#include "engine/cuda/disk_cache.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "engine/cuda/nvrtc.hpp"
#include "engine/kernels/cuda/tile/fitted_costs.hpp"
#include "engine/this_machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace tilewright::cli {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr char const* introduction =
    "Says what this machine has that copies use: instructions, threads and caches of the CPU, GPUs, their driver, the\n"
    "run-time compiler (NVRTC), and the folder of compiled kernels.\n\n"
    "  tilewright doctor\n"
    "  tilewright doctor --json\n"
    "  TILEWRIGHT_CACHE_DIR=/scratch/kernels tilewright doctor";

/// The processor's name where the system tells; empty elsewhere.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    std::size_t const colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

long long memory_bytes() {
  long const pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0 ? static_cast<long long>(pages) * page : 0;
}

json cpu_facts() {
  machine_model const m = engine::unmeasured_machine(cpu, 0);
  return {{"name", processor_name()},
          {"instruction_set", cpu_engine::instruction_set()},
          {"vector_bits", m.widest_access_bits},
          {"threads", m.processors},
          {"l1_bytes", m.near_bytes},
          {"l2_bytes", m.block_bytes},
          {"l3_bytes", m.far_bytes},
          {"line_bytes", m.line_bytes},
          {"memory_bytes", memory_bytes()}};
}

std::string release_text(int release) { return fmt::format("{}.{}", release / 1000, release % 1000 / 10); }

/// The driver and its GPUs; `release` is what the driver understands, 0 without one.
json gpu_facts(int& release) {
  release = 0;
  json out{{"driver", nullptr}, {"devices", json::array()}};
  int count = 0;
  try {
    gpu::driver_api const& api = gpu::the_driver();
    gpu::check(api, api.cuDriverGetVersion(&release), "cuDriverGetVersion", "asking the driver for its version");
    out["driver"] = {{"cuda", release_text(release)}};
    gpu::check(api, api.cuDeviceGetCount(&count), "cuDeviceGetCount", "counting the GPUs");
  } catch (std::exception const& e) {
    out["problem"] = e.what();
    return out;
  }
  for (int i = 0; i < count; ++i) {
    try {
      gpu::gpu_device const& device = gpu::device_of(i);
      machine_model const& m = device.machine;
      out["devices"].push_back({{"ordinal", i},
                                {"name", device.name},
                                {"capability", fmt::format("sm_{}", device.capability)},
                                {"multiprocessors", m.processors},
                                {"l2_bytes", m.far_bytes},
                                {"shared_bytes_of_a_block", m.block_bytes},
                                {"bytes_per_second", m.bytes_per_second}});
    } catch (std::exception const& e) {
      out["devices"].push_back({{"ordinal", i}, {"problem", e.what()}});
    }
  }
  return out;
}

json compiler_facts(int driver_release) {
  json out{{"library", nullptr}};
  try {
    // Without a driver nothing limits the release.
    auto const compiler = gpu::find_nvrtc(driver_release > 0 ? driver_release : std::numeric_limits<int>::max());
    if (compiler == nullptr) {
      out["problem"] =
          "there is no libnvrtc; GPU copies run the precompiled kernel. Install the CUDA toolkit's NVRTC, or name a "
          "file in TILEWRIGHT_NVRTC";
      return out;
    }
    gpu::compiler_facts const& f = compiler->facts();
    out["library"] = f.library;
    out["version"] = fmt::format("{}.{}", f.major, f.minor);
    for (int const a : f.architectures) out["architectures"].push_back(fmt::format("sm_{}", a));
  } catch (std::exception const& e) {
    out["problem"] = e.what();
  }
  return out;
}

/// Could a file be made in the folder, or the folder itself where it does not exist yet?
bool is_writable(fs::path folder) {
  std::error_code failed;
  folder = fs::absolute(folder, failed);
  while (!fs::exists(folder, failed) && folder.has_parent_path() && folder != folder.parent_path())
    folder = folder.parent_path();
  return fs::is_directory(folder, failed) && access(folder.c_str(), W_OK | X_OK) == 0;
}

json cache_facts() {
  fs::path const folder = gpu::cache_folder();
  if (folder.empty())
    return {{"folder", nullptr}, {"problem", "kernels are not kept: set TILEWRIGHT_CACHE_DIR, XDG_CACHE_HOME or HOME"}};
  long long entries = 0, bytes = 0;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;  // another process may remove any of them meanwhile
    auto const size = at->file_size(gone);
    if (gone || at->path().extension() != ".kernel") continue;
    ++entries;
    bytes += static_cast<long long>(size);
  }
  bool const writable = is_writable(folder);
  json out{{"folder", folder.string()},
           {"exists", fs::is_directory(folder, failed)},
           {"writable", writable},
           {"kernels", entries},
           {"bytes", bytes},
           {"limit_bytes", gpu::disk_cache::default_limit}};
  if (!writable)
    out["problem"] =
        "it cannot be written, so every process compiles its kernels again; choose another in "
        "TILEWRIGHT_CACHE_DIR";
  return out;
}

// --- text -----------------------------------------------------------------------------------------------------------
std::string size_text(long long bytes) {
  constexpr char const* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double n = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (n >= 1024 && unit + 1 < std::size(units)) {
    n /= 1024;
    ++unit;
  }
  return unit == 0 || n == static_cast<double>(static_cast<long long>(n)) ? fmt::format("{:.0f} {}", n, units[unit])
                                                                          : fmt::format("{:.1f} {}", n, units[unit]);
}

void line(std::string_view name, std::string const& value) { say("{:<14}{}\n", name, value); }

void print_cpu(json const& c) {
  std::string const name = c["name"];
  line("CPU", name.empty() ? "unknown (the system does not tell its name)" : name);
  line("  SIMD", fmt::format("{}, {} bits", c["instruction_set"].get<std::string>(), c["vector_bits"].get<int>()));
  line("  threads", std::to_string(c["threads"].get<int>()));
  line("  caches", fmt::format("L1 {}, L2 {}, L3 {}, lines of {} bytes", size_text(c["l1_bytes"]),
                               size_text(c["l2_bytes"]), size_text(c["l3_bytes"]), c["line_bytes"].get<int>()));
  line("  memory", size_text(c["memory_bytes"]));
}

void print_problem(json const& part) {
  if (part.contains("problem")) line("", part["problem"]);
}

void print_gpus(json const& g) {
  line("driver", g["driver"].is_null() ? "none" : "CUDA " + g["driver"]["cuda"].get<std::string>());
  print_problem(g);
  if (g["devices"].empty()) line("GPU", "none");
  for (json const& d : g["devices"]) {
    std::string const name = fmt::format("GPU {}", d["ordinal"].get<int>());
    if (d.contains("problem")) {
      line(name, d["problem"]);
      continue;
    }
    line(name, fmt::format("{}, {}, {} multiprocessors", d["name"].get<std::string>(),
                           d["capability"].get<std::string>(), d["multiprocessors"].get<int>()));
    line("", fmt::format("L2 {}, {} of shared memory for a block, {:.0f} GB/s by its clocks", size_text(d["l2_bytes"]),
                         size_text(d["shared_bytes_of_a_block"]), d["bytes_per_second"].get<double>() / 1e9));
  }
}

void print_compiler(json const& c) {
  if (c["library"].is_null()) line("NVRTC", "none");
  else
    line("NVRTC", fmt::format("{}, {}, for {}", c["version"].get<std::string>(), c["library"].get<std::string>(),
                              fmt::join(c["architectures"].get<words>(), " ")));
  print_problem(c);
}

void print_cache(json const& c) {
  if (c["folder"].is_null()) {
    line("kernel cache", "none");
  } else {
    line("kernel cache", c["folder"]);
    line("", fmt::format("{} kernels, {} of at most {}, {}", c["kernels"].get<long long>(), size_text(c["bytes"]),
                         size_text(c["limit_bytes"]), c["writable"].get<bool>() ? "writable" : "not writable"));
  }
  print_problem(c);
}

}  // namespace

int run_doctor(words const& given) {
  CLI::App app(introduction, "tilewright doctor");
  bool as_json = false;
  add_result_options(app, as_json);
  if (!parse(app, given)) return success;
  int release = 0;
  json out{{"version", TILEWRIGHT_VERSION}, {"cpu", cpu_facts()}};
  out["gpu"] = gpu_facts(release);
  out["nvrtc"] = compiler_facts(release);
  out["kernel_cache"] = cache_facts();
  out["tile_costs"] = kernels::fitted_tile_costs.fit;
  if (as_json) {
    say("{}\n", out.dump(2));
    return success;
  }
  line("tilewright", TILEWRIGHT_VERSION);
  print_cpu(out["cpu"]);
  print_gpus(out["gpu"]);
  print_compiler(out["nvrtc"]);
  print_cache(out["kernel_cache"]);
  line("tile costs", fmt::format("fitted to {}", out["tile_costs"].get<std::string>()));
  return success;
}

}  // namespace tilewright::cli
