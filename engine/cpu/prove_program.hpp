// The last step of a plan's proof on a CPU: that what runs does what the plan says. Kernels move bytes without looking at
// them. So a tile is run, by the very code that copies, on memory in which each byte of the source names its own place:
// if it is right for these bytes, it is right for all. Loops of 300 and 70 in tiles of 128 and 64 have 6 kinds of tiles;
// one of each is run, the tiles between differ from them by multiples of a step, which is checked as well.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <optional>
#include <string>

namespace tilewright::cpu_engine {

/// Which step fails, or nothing. Proved are: the tiles cut the plan's loops as the plan says; the walk from tile to tile
/// agrees with each tile's own place; each kind of tile writes every byte that is its own, with the byte that the plan
/// says, and no other byte. `address` is the destination's, of which only the place within a cache line matters.
/// A plan of few bytes is run whole.
/// pre: the plan moves something, by a cpu_schedule whose numbers hold together
/// cost: a few runs of a tile for each kind of tiles; 2^10 kinds at most
std::optional<std::string> program_failure(copy_plan const& plan, std::uintptr_t address);

/// The same, once for each plan and place within a cache line; remembers what it has shown.
/// error: copy_error internal, with the plan
void require_proof(copy_plan const& plan, void const* dst);

}  // namespace tilewright::cpu_engine
