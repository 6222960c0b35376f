// What a tiled copy occupies and how long it must take at the least: registers and shared memory against what an SM has,
// and a model of time. The model is a bound, not a forecast: each part of an SM works at its peak, alone, and the slowest
// part decides.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/analysis/tiling.hpp"
#include "tilewright/tiling/banks.hpp"
#include "tilewright/tiling/sectors.hpp"

namespace tilewright::analysis {

struct footprint {
  int registers = 0;  // of 32 bits, of each thread, that hold data in flight; 0 for copies that pass none
  bytes shared{};     // of a block
  long long threads = 0;

  // Blocks of one SM at a time, as far as each resource allows; -1 where it does not count.
  long long blocks_by_threads = -1;
  long long blocks_by_registers = -1;
  long long blocks_by_shared = -1;
  long long blocks = -1;  // the least of them, and of what an SM holds

  friend constexpr bool operator==(footprint const&, footprint const&) = default;
};

/// post: registers are allotted to warps in units of 256, shared memory with what the system reserves of each block; 0
///       blocks where a block asks for more than it may
constexpr footprint footprint_of(long long threads, long long values, bits element, bool through_registers,
                                 bytes shared, architecture const& machine) {
  footprint out{};
  out.threads = threads;
  out.shared = shared;
  if (through_registers) out.registers = static_cast<int>(math::ceil_div(values * element.count, 32));
  if (!machine.is_gpu() || threads <= 0) return out;
  long long const warps = math::ceil_div(threads, machine.warp);
  out.blocks_by_threads = threads > machine.threads_per_block ? 0 : machine.threads_per_sm / (warps * machine.warp);
  if (out.registers > machine.registers_per_thread) {
    out.blocks_by_registers = 0;
  } else if (out.registers > 0) {
    long long const of_a_warp = math::ceil_div(static_cast<long long>(out.registers) * machine.warp, 256) * 256;
    out.blocks_by_registers = machine.registers_per_sm / (of_a_warp * warps);
  }
  if (shared.count > 0)
    out.blocks_by_shared = shared.count > machine.shared_per_block.count
                               ? 0
                               : machine.shared_per_sm.count / (shared.count + machine.shared_reserved.count);
  out.blocks = machine.blocks_per_sm;
  for (long long const n : {out.blocks_by_threads, out.blocks_by_registers, out.blocks_by_shared})
    if (n >= 0 && n < out.blocks) out.blocks = n;
  return out;
}

/// What an SM does in a clock. An SM reads 64 bytes from L2, delivers one wavefront of shared memory (128 bytes), and
/// starts one memory instruction.
struct model_rates {
  double l2_bytes = 64;
  double shared_wavefronts = 1;
  double instructions = 1;
};

enum class time_bound : int { nothing, global_memory, shared_memory, instructions };

/// In clocks of one SM that does it all.
struct model_time {
  double global_clocks = 0;
  double shared_clocks = 0;
  double instruction_clocks = 0;

  constexpr double clocks() const {
    double const most = global_clocks > shared_clocks ? global_clocks : shared_clocks;
    return most > instruction_clocks ? most : instruction_clocks;
  }
  constexpr time_bound bound_by() const {
    if (clocks() <= 0) return time_bound::nothing;
    if (global_clocks >= clocks()) return time_bound::global_memory;
    return shared_clocks >= clocks() ? time_bound::shared_memory : time_bound::instructions;
  }
};

/// global: of both sides that are in global memory;  shared: likewise
constexpr model_time time_of(global_traffic const& global, shared_traffic const& shared, architecture const& machine,
                             model_rates const& rates = {}) {
  model_time out{};
  out.global_clocks = static_cast<double>(global.sectors * machine.sector.count) / rates.l2_bytes;
  out.shared_clocks = static_cast<double>(shared.wavefronts) / rates.shared_wavefronts;
  out.instruction_clocks = static_cast<double>(global.requests + shared.instructions) / rates.instructions;
  return out;
}

}  // namespace tilewright::analysis
