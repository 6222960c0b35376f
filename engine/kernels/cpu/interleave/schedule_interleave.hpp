// When a CPU splits interleaved units into planes or joins planes: one side has the channels of each place side by side,
// the other a plane for each channel.
#pragma once

#include "engine/plan/cpu_knobs.hpp"

#include <optional>

namespace tilewright::plan {

/// The two loops of such a movement, and which way it goes.
struct channel_loops {
  int channels = 0, places = 0;  // of the plan's loops
  bool joins = false;            // planes of the source into one run; else one run into planes
};

/// None if there are no such loops, more channels than a kernel has (8), or fewer places than fill a vector.
/// pre: m has loops, is not swizzled, and its elements have 8 bits or more
std::optional<channel_loops> channel_loops_of(movement const& m);

/// Does the schedule's kernel join planes? (Its rows are the channels then, and there are fewer of them than places.)
/// pre: s.kernel is interleave, with a row loop and a column loop
bool joins_channels(movement const& m, cpu_schedule const& s);

/// Fills path, tile, order and reasons of the plan, and of the schedule what depends on the loops.
/// pre: plan.tile has a number for each loop, the unit's own filled in; s has its unit
void schedule_interleaved(copy_plan& plan, cpu_schedule& s, channel_loops const& c, cpu_knobs const& knobs);

}  // namespace tilewright::plan
