// The sentence about a schedule's blocks.
#pragma once

#include "tilewright/plan/cuda_schedule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace tilewright::kernels {

inline std::string blocks_text(cuda_schedule const& s) {
  std::vector<int> along;
  for (cuda_mode const& mode : s.grid) along.push_back(mode.loop);
  return fmt::format("{} blocks of {} threads, {} to a multiprocessor, take the tiles along loop {}.", s.blocks,
                     s.threads, s.blocks_per_processor, fmt::join(along, ", then "));
}

}  // namespace tilewright::kernels
