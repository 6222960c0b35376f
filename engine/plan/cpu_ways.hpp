// The ways to schedule a copy on a CPU of which, by measurement, now one and now another is the fastest, for reasons that the
// planner's estimates do not hold: how a processor's prefetchers, caches and memory take to what a tile reads and writes.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <optional>
#include <vector>

namespace tilewright::plan {

/// Way 0 is schedule_cpu's.
inline constexpr int cpu_way_count = 7;

/// The plan of a way, of any part of a movement as of the whole; nothing where the movement leaves no such choice.
/// pre: plan as for schedule_cpu; 0 <= way < cpu_way_count
std::optional<copy_plan> cpu_plan(copy_plan const& plan, copy_request const& request, int way);

/// Is there more than one way to tile what the kernel copies?
inline bool has_other_tiles(cpu_kernel kernel) { return kernel != cpu_kernel::walk && kernel != cpu_kernel::imaged; }

/// The ways whose plans differ, 0 first, each with its plan.
struct cpu_way {
  int number = 0;
  copy_plan plan;
};
std::vector<cpu_way> cpu_ways(copy_plan const& plan, copy_request const& request);

/// The bytes for which a plan needs tables before it runs: those of a tile, for each place within a line where tiles start and each
/// set of loops at whose ends a tile is cut off. 0: it needs none.
std::int64_t table_bytes_of(copy_plan const& plan);

/// The steps [begin, end) of one loop of a movement, and all steps of the others.
/// pre: 0 <= begin < end <= the loop's extent
movement part_of(movement const& m, std::size_t loop, std::int64_t begin, std::int64_t end);

/// Which loops of a movement to share out in single steps, if both sides are to go on without a gap for as long as can be: loops
/// whose steps start cache lines of the destination, until they have as many steps as wanted. Empty: there are not enough.
std::vector<std::size_t> loops_to_share(movement const& m, std::int64_t wanted);

/// The bytes that the side that is cut more goes on for without a gap if only so many steps of each of these loops are taken.
std::int64_t run_of_part(movement const& m, std::vector<std::size_t> const& cut, std::int64_t steps);

}  // namespace tilewright::plan
