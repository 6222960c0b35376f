// The numbers that the kernels `runs` and `staged` are compiled with (body_modes.hpp), worked out from a plan. shape_text prints
// them as a kernel's constants; tests run the bodies on a CPU with them.
#pragma once

#include "engine/kernels/cuda/parts/body_modes.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::kernels {

struct mode_numbers {
  struct access {
    int loop = 0, vector = 1, at_once = 1, values = 1, active = 1;
    std::vector<stepping_mode> thread_modes, value_modes;
  };
  int element = 1, threads = 1, packed = 1;
  int column_step = 1;  // elements of shared memory between neighbours along the destination's run
  bool evict_source_last = false;
  bool src_wide = false, dst_wide = false;  // offsets within a tile need 64 bits
  std::int64_t src_begin = 0, dst_begin = 0;
  swizzle_value src_swizzle, dst_swizzle;
  std::vector<copied_loop> loops;
  std::vector<stepping_mode> grid;
  access read, write;  // `runs` has no other access than `read`
};

/// pre: the schedule is one of `runs` or `staged`
mode_numbers mode_numbers_of(copy_plan const& plan);

/// The struct `shape` that the bodies are instantiated with.
std::string shape_text(mode_numbers const& n);

}  // namespace tilewright::kernels
