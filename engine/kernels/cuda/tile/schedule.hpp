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

/// What a measurement may set in place of the scheduler's own choice.
struct tile_knobs {
  int threads = 0;               // about so many, of 64 to 512; 0: by the tile's size
  int registers_in_flight = 48;  // of a thread's loads
  std::optional<cuda_fetch> fetch{};
  bool may_shift_source = true, may_shift_target = true, may_pack = true;
};

/// The schedule for a tile; nothing where its shared memory exceeds a block's or places exceed 16 bits.
/// pre: serves(m); 1 <= tile[l] <= extent of loop l
/// post: the schedule passes prove()
std::optional<cuda_schedule> tile_schedule(movement const& m, copy_request const& request, machine_model const& machine,
                                           std::vector<std::int64_t> const& tile, std::vector<int> const& order,
                                           tile_knobs const& knobs = {});

/// Of blocks that stay for many tiles (body_pipelined.hpp).
struct pipeline_knobs {
  int stages = 2;                       // tiles in shared memory
  std::int64_t min_tiles_of_block = 3;  // or the first tiles, which nothing is written beside, are most of the work
  std::int64_t min_row = 512;           // bytes of the destination's rows, where a tile has several
};

/// The schedule for a tile of blocks that stay; nothing where the machine has no
/// asynchronous copies, tiles are few, rows of the destination are short and begin anywhere, or a tile has more than a thread's
/// registers keep places for.
/// pre: as tile_schedule's; at least 2 stages
/// post: the schedule passes prove()
std::optional<cuda_schedule> pipelined_schedule(movement const& m, copy_request const& request,
                                                machine_model const& machine, std::vector<std::int64_t> const& tile,
                                                std::vector<int> const& order, pipeline_knobs const& knobs = {});

/// Every tile that is weighed, cheapest first, without an order.
std::vector<plan::cuda_candidate> weighed_tiles(movement const& m, copy_request const& request,
                                                machine_model const& machine);

/// What a schedule adds to its tile's cost: instructions, cycles of shared memory and lines for each byte, and large tiles. Pressure:
/// the time that instructions and shared memory take, over that in which memory moves the tile; above 1 they bound the copy.
/// pre: c.schedule is one of a tile kernel
struct work_costs {
  double cost, pressure;
  bool gathers;  // what it writes together does not follow each other in shared memory
};
work_costs costs_of_work(movement const& m, machine_model const& machine, plan::cuda_candidate const& c);

/// The candidates that are expected to be fastest, cheapest first; at most `max_count`.
/// `order`: of the loops, as tiles follow each other unless another order is better
std::vector<plan::cuda_candidate> tile_candidates(movement const& m, copy_request const& request,
                                                  machine_model const& machine, std::vector<int> const& order,
                                                  std::size_t max_count);

}  // namespace tilewright::kernels
