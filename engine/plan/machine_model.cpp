// The machines that have names. Their figures are of a plain member of each kind; a plan for the present machine is made
// from what that machine says of itself.
#include "tilewright/plan/machine_model.hpp"

#include "tilewright/machine/arch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <array>
#include <stdexcept>

namespace tilewright {
namespace {

constexpr std::int64_t kib = 1 << 10, mib = 1 << 20;

machine_model cpu_model(std::string name, int vector_bits, double bytes_per_second) {
  return {.name = std::move(name),
          .kind = device_kind::cpu,
          .processors = 2,
          .widest_access_bits = vector_bits,
          .line_bytes = static_cast<int>(arch(arch_id::cpu).line.count),
          .near_bytes = 48 * kib,
          .block_bytes = 2 * mib,
          .far_bytes = 32 * mib,
          .bytes_per_second = bytes_per_second,
          .start_seconds = 2e-6};
}

/// What its architecture has, with bandwidth and counts of the product named.
machine_model gpu_model(arch_id id, char const* product, int capability, int multiprocessors, std::int64_t l2,
                        double bytes_per_second) {
  architecture const& a = arch(id);
  return {.name = fmt::format("{} ({})", a.name, product),
          .kind = device_kind::cuda,
          .processors = multiprocessors,
          .widest_access_bits = static_cast<int>(a.widest_global.count),
          .line_bytes = static_cast<int>(a.sector.count),
          .near_bytes = a.shared_per_sm.count,
          .block_bytes = a.shared_per_block.count,
          .far_bytes = l2,
          .bytes_per_second = bytes_per_second,
          .start_seconds = 4e-6,
          .compute_capability = capability};
}

std::vector<std::pair<std::string, machine_model>> const& named() {
  static std::vector<std::pair<std::string, machine_model>> const all{
      {"cpu", cpu_model("x86-64 with AVX-512, 2 threads", 512, 14e9)},
      {"cpu-avx2", cpu_model("x86-64 with AVX2, 2 threads", 256, 14e9)},
      {"cpu-sse4", cpu_model("x86-64 with SSE4, 2 threads", 128, 12e9)},
      {"sm_75", gpu_model(arch_id::sm_75, "T4", 75, 40, 4 * mib, 0.25e12)},
      {"sm_80", gpu_model(arch_id::sm_80, "A100", 80, 108, 40 * mib, 1.3e12)},
      {"sm_86", gpu_model(arch_id::sm_86, "A10", 86, 72, 6 * mib, 0.5e12)},
      {"sm_89", gpu_model(arch_id::sm_89, "L40", 89, 142, 96 * mib, 0.75e12)},
      {"sm_90", gpu_model(arch_id::sm_90, "H200", 90, 132, 50 * mib, 4.2e12)},
      {"sm_100", gpu_model(arch_id::sm_100, "B200", 100, 148, 126 * mib, 6.8e12)},
  };
  return all;
}

}  // namespace

std::vector<std::string> machine_names() {
  std::vector<std::string> out;
  for (auto const& [name, model] : named()) out.push_back(name);
  return out;
}

machine_model machine_named(std::string_view wanted) {
  for (auto const& [name, model] : named())
    if (name == wanted) return model;
  throw std::invalid_argument(
      fmt::format("there is no machine model \"{}\"; there are {}", wanted, fmt::join(machine_names(), ", ")));
}

}  // namespace tilewright
