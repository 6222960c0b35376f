// Schedules of the tile kernel (body.hpp): which elements follow each other on each side, how wide accesses to them can be,
// where the tile's elements are in shared memory, and which tiles are worth trying.
#pragma once

#include "engine/plan/cuda_candidates.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::kernels {

/// Can the kernel serve the movement at all? It needs loops, whole bytes and no swizzle.
bool serves(movement const& m);

/// The schedule for a tile; nothing where its shared memory exceeds a block's or places exceed 16 bits.
/// pre: serves(m); 1 <= tile[l] <= extent of loop l
/// post: the schedule passes prove()
std::optional<cuda_schedule> tile_schedule(movement const& m, copy_request const& request, machine_model const& machine,
                                           std::vector<std::int64_t> const& tile, std::vector<int> const& order);

/// The candidates that are expected to be fastest, cheapest first; at most `max_count`.
/// `order`: of the loops, as tiles follow each other unless another order is better
std::vector<plan::cuda_candidate> tile_candidates(movement const& m, copy_request const& request,
                                                  machine_model const& machine, std::vector<int> const& order,
                                                  std::size_t max_count);

}  // namespace tilewright::kernels
