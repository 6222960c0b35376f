// What the running machine says of itself.
#include "engine/this_machine.hpp"
#include "engine/cpu/kernels.hpp"
#include "engine/cuda/gpu_engine.hpp"
#include "engine/exec/parallel_ranges.hpp"
#include "tilewright/engine/copy.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

namespace tilewright {
namespace {

std::int64_t cache_bytes(int name, std::int64_t otherwise) {
  long const bytes = sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

/// Bytes read and written in a second by copying far more than the caches near a core hold, measured once.
double copy_rate() {
  static double const rate = [] {
    constexpr std::size_t bytes = std::size_t{16} << 20;
    auto const from = std::make_unique<unsigned char[]>(bytes), to = std::make_unique<unsigned char[]>(bytes);
    double best = 0;
    for (int i = 0; i < 3; ++i) {
      auto const start = std::chrono::steady_clock::now();
      std::memcpy(to.get(), from.get(), bytes);
      double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      best = std::max(best, 2.0 * static_cast<double>(bytes) / seconds);
    }
    return best;
  }();
  return rate;
}

}  // namespace

namespace engine {

machine_model unmeasured_machine(device where, int threads) {
  if (threads < 0)
    throw copy_error(copy_errc::bad_option,
                     fmt::format("{} threads cannot run; give 0 for all or a number above it", threads));
  if (where.kind == device_kind::cuda) return gpu::cuda_machine(where.ordinal);
  machine_model m;
  m.kind = device_kind::cpu;
  m.processors = threads > 0 ? threads : exec::hardware_threads();
  m.widest_access_bits = 8 * cpu_engine::vector_bytes();
  m.line_bytes = 64;
  m.near_bytes = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  m.block_bytes = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 1 << 20);
  m.far_bytes = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 16 << 20);
  m.start_seconds = 2e-6;
  m.name = fmt::format("CPU with {}, {} thread{}", cpu_engine::instruction_set(), m.processors,
                       m.processors == 1 ? "" : "s");
  return m;
}

}  // namespace engine

machine_model this_machine(device where, int threads) {
  machine_model m = engine::unmeasured_machine(where, threads);
  if (where.kind == device_kind::cpu) m.bytes_per_second = copy_rate();
  return m;
}

}  // namespace tilewright
