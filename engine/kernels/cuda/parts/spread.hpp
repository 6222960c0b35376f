// Threads over the modes of a tile, and blocks over the tiles: what schedules by modes have in common.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::kernels {

/// Threads over modes so that as few values as can be are left to each; the first modes are given threads first.
/// post: the product of access.threads <= threads; threads and values together cover every index of every mode
void spread(std::vector<cuda_mode> const& modes, int threads, cuda_access& access);

/// Sets the grid of a tiling, and how many blocks of it a processor should hold, from the registers and the shared memory
/// that a block takes.
void set_grid(cuda_schedule& schedule, movement const& m, std::vector<std::int64_t> const& tile,
              std::vector<int> const& order);

}  // namespace tilewright::kernels
