// The kernel of a plan: CUDA C++ on top of exec/cuda/bundle.hpp, with the plan's thread-value layouts written out and
// everything but the two pointers a constant of the text.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <string>

namespace tilewright::gpu {

/// `name` is an extern "C" __global__ function of `source` that takes (void const* src, void* dst).
struct kernel_spec {
  std::string source;
  std::string name;
  unsigned grid[3] = {1, 1, 1};
  unsigned block = 256;
  unsigned shared_bytes = 0;            // dynamic
  bool needs_own_instructions = false;  // of one architecture alone, as wgmma is of sm_90a
};

/// pre: plan.schedule holds a cuda_schedule
kernel_spec make_kernel(copy_plan const& plan);

}  // namespace tilewright::gpu
