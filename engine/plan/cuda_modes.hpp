// Modes of thread, value and block layouts, counted.
#pragma once

#include "tilewright/plan/cuda_schedule.hpp"

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace tilewright::plan {

/// Coordinates of the modes, all in all.
inline std::int64_t size_of(std::vector<cuda_mode> const& modes) {
  return std::transform_reduce(modes.begin(), modes.end(), std::int64_t{1}, std::multiplies<>(),
                               [](cuda_mode const& m) { return m.extent; });
}

}  // namespace tilewright::plan
