// Schedules of the runs kernel for a given tile.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::kernels {

/// Vectors of `vector` elements along loop 0 from source to destination, threads in the order `by` of the loops.
/// pre: loop 0 has stride 1 on both sides, or vector is 1
cuda_schedule runs_schedule(movement const& m, std::vector<std::int64_t> const& tile, std::vector<int> const& by,
                            int vector, int threads, std::vector<int> const& order);

}  // namespace tilewright::kernels
