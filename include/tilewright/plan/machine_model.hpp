// What the planner knows of a machine: the width of its accesses, its caches, the speed of its memory. A plan's choices
// and its expected time are computed from these numbers; engine/this_machine.hpp reads them off the running one.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/plan/cpu_tuning.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

enum class device_kind : int { cpu = 0, cuda = 1 };

struct machine_model {
  std::string name;  // "x86-64 with AVX-512, 2 threads", "sm_90, 132 multiprocessors"
  device_kind kind = device_kind::cpu;
  int processors = 1;            // cores or multiprocessors at work
  int widest_access_bits = 128;  // of one load or store
  int line_bytes = 64;           // the unit of memory accesses: a cache line, a sector
  std::int64_t near_bytes = 0;   // per processor: first-level cache, or shared memory of a multiprocessor
  std::int64_t block_bytes = 0;  // per processor: second-level cache, or the shared memory that a block may have
  std::int64_t far_bytes = 0;    // shared by all: last-level cache
  double bytes_per_second = 0;   // of a long copy, read and written bytes counted
  double start_seconds = 0;      // to start a copy
  int compute_capability = 0;    // of a GPU, 10 * major + minor
  cpu_tuning tuning{};           // of a CPU
  friend bool operator==(machine_model const&, machine_model const&) = default;
};

/// The models that have names, for planning without the machine: "cpu", "cpu-avx2", "cpu-sse4", "sm_75" … "sm_100".
/// error: std::invalid_argument, with the names there are
machine_model machine_named(std::string_view name);
std::vector<std::string> machine_names();

}  // namespace tilewright
