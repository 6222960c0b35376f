// The few numbers that shape a tile on a CPU. The planner's own choice is the first of candidates(); tuning measures the
// others against it.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <vector>

namespace tilewright::plan {

/// Which tiles follow each other.
enum class tile_order : int { by_source = 0, by_destination = 1 };

struct cpu_knobs : cpu_tile_shape {
  tile_order order = tile_order::by_source;
  bool streaming = false;
};

/// What fits the movement and the machine, best guess first.
std::vector<cpu_knobs> candidates(movement const& m, machine_model const& machine, copy_request const& request);

/// As schedule_cpu, with these knobs.
void schedule_cpu_with(copy_plan& plan, copy_request const& request, cpu_knobs const& knobs);

/// About the cycles for a cache line that a plan of schedule_cpu_with() takes, as schedule_tile() counts them; next to what that
/// made of the same movement.
double cycles_of_older(copy_plan const& plan, copy_plan const& tiled);

}  // namespace tilewright::plan
