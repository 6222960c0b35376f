// The numbers that the gather kernel (body.hpp) is compiled with, worked out from a plan.
#pragma once

#include "engine/kernels/cuda/gather/body.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::kernels {

struct gather_numbers {
  int bits = 8, vector = 1, at_once = 1, threads = 1;
  bool common = true, wide = false;  // wide: items are counted in 64 bits
  std::int64_t items = 0, src_begin = 0, dst_begin = 0, src_along = 0;
  swizzle_value src_swizzle, dst_swizzle;
  std::vector<gathered_mode> src_modes, dst_modes;
};

/// pre: the schedule is one of the gather kernel
gather_numbers gather_numbers_of(copy_plan const& plan);

/// The struct `shape` that gather_copy is instantiated with.
std::string shape_text(gather_numbers const& n);

}  // namespace tilewright::kernels
