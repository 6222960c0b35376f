// A GPU's schedule: blocks over tiles, threads over a tile's elements, elements over shared memory. Each kernel's folder says
// what else has to hold of its own.
#include "engine/kernels/cuda/parts/prove_modes.hpp"
#include "engine/kernels/cuda/realigned/prove.hpp"
#include "engine/kernels/cuda/tile/prove.hpp"
#include "engine/plan/prove_schedule.hpp"
#include "tilewright/machine/arch.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <vector>

namespace tilewright::plan {
namespace {

constexpr int max_threads = arch(arch_id::sm_90).threads_per_block;  // the same on every GPU there is

/// Elements by which a column's piece may begin before its tile.
std::int64_t max_skew(copy_plan const& plan, cuda_schedule const& s) {
  return s.image.sector / (plan.moves.element_bits / 8) - 1;
}

/// What the hardware gives a block: threads, shared memory; and no access has more threads than there are.
failure block_is_sound(copy_plan const& plan, cuda_schedule const& s) {
  if (s.threads < 1 || s.threads > max_threads)
    return fmt::format("a block has {} threads; it may have 1 to {}", s.threads, max_threads);
  std::int64_t const most = plan.machine.block_bytes;  // 0: unknown
  if (most > 0 && s.shared_bytes > most)
    return fmt::format("a block has {} bytes of shared memory, and the machine {}", s.shared_bytes, most);
  for (cuda_access const* a : {&s.read, &s.write}) {
    std::int64_t n = 1;
    for (cuda_mode const& m : a->threads) n *= m.extent;
    if (n > s.threads) return fmt::format("{} threads carry a tile of a block of {}", n, s.threads);
  }
  return {};
}

}  // namespace

failure tiles_cut_loops(copy_plan const& plan) {
  if (plan.tile.size() != plan.moves.loops.size())
    return fmt::format("{} tile extents for {} loops", plan.tile.size(), plan.moves.loops.size());
  for (std::size_t i = 0; i < plan.tile.size(); ++i)
    if (plan.tile[i] < 1 || plan.tile[i] > plan.moves.loops[i].extent)
      return fmt::format("the tile takes {} of the {} steps of loop {}", plan.tile[i], plan.moves.loops[i].extent, i);
  return {};
}

failure cuda_failure(copy_plan const& plan, cuda_schedule const& s) {
  if (failure f = block_is_sound(plan, s)) return f;
  if (s.kernel == cuda_kernel::gather) return {};  // the index itself is cut, by the grid's stride
  if (failure f = tiles_cut_loops(plan)) return f;
  for (std::size_t i = 0; i < plan.tile.size(); ++i) {
    loop const& l = plan.moves.loops[i];
    std::int64_t covered = 1;
    std::vector<cuda_mode> tiles;
    for (cuda_mode const& g : s.grid)
      if (g.loop == static_cast<int>(i)) {
        if (g.step % plan.tile[i] != 0)
          return fmt::format("blocks step by {} along loop {} with tiles of {}", g.step, i, plan.tile[i]);
        tiles.push_back({g.loop, g.step / plan.tile[i], g.extent});
        covered *= g.extent;
      }
    bool const is_shifted = s.kernel == cuda_kernel::realigned && static_cast<int>(i) == s.write.loop;
    std::int64_t const extent = l.extent + (is_shifted ? max_skew(plan, s) : 0);
    std::int64_t const needed = (extent + plan.tile[i] - 1) / plan.tile[i];
    if (covered < needed) return fmt::format("the grid has {} tiles along loop {}, which needs {}", covered, i, needed);
    constexpr std::int64_t max_tiles = 1 << 20;
    if (needed <= max_tiles)
      if (failure f = kernels::covers_once(tiles, static_cast<int>(i), 1, needed, "grid")) return f;
  }
  if (s.kernel == cuda_kernel::tile) return kernels::tile_failure(plan, s);
  if (s.kernel == cuda_kernel::realigned) return kernels::realigned_failure(plan, s);
  return kernels::modes_failure(plan, s);
}

}  // namespace tilewright::plan
