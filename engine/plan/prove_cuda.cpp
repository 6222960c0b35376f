// A GPU's schedule: blocks over tiles, threads over a tile's elements, elements over shared memory. Modes are spread out
// and counted.
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

/// How often each coordinate below `extent` of a loop comes up among the sums of the modes' steps.
failure covers_once(std::vector<cuda_mode> const& modes, int loop, std::int64_t vector, std::int64_t extent,
                    char const* what) {
  std::vector<std::int64_t> at{0};
  auto const spread = [&](std::int64_t step, std::int64_t count) {
    std::size_t const below = at.size();
    for (std::int64_t k = 1; k < count; ++k)
      for (std::size_t i = 0; i < below; ++i)
        if (at[i] + k * step < extent) at.push_back(at[i] + k * step);
  };
  spread(1, vector);
  for (cuda_mode const& m : modes)
    if (m.loop == loop) spread(m.step, m.extent);
  std::sort(at.begin(), at.end());
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at[i] != static_cast<std::int64_t>(i))
      return at[i] < static_cast<std::int64_t>(i)
                 ? fmt::format("{}: loop {} copies coordinate {} twice", what, loop, at[i])
                 : fmt::format("{}: loop {} skips coordinate {}", what, loop, i);
  if (static_cast<std::int64_t>(at.size()) != extent)
    return fmt::format("{}: loop {} skips coordinate {}", what, loop, at.size());
  return {};
}

failure access_covers(copy_plan const& plan, cuda_access const& a, int packed_loop, std::int64_t packed,
                      char const* what) {
  for (std::size_t i = 0; i < plan.tile.size(); ++i) {
    std::vector<cuda_mode> modes = a.threads;
    modes.insert(modes.end(), a.values.begin(), a.values.end());
    auto const loop = static_cast<int>(i);
    if (loop == packed_loop && packed > 1) modes.push_back({loop, 1, packed});
    if (failure f = covers_once(modes, loop, a.loop == loop ? a.vector : 1, plan.tile[i], what)) return f;
  }
  return {};
}

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

/// Each element of a tile has a place of its own within the shared memory.
failure places_are_distinct(copy_plan const& plan, cuda_schedule const& s) {
  if (s.shared.size() != plan.tile.size())
    return fmt::format("{} modes of shared memory for {} loops", s.shared.size(), plan.tile.size());
  std::vector<std::int64_t> places{0};
  for (std::size_t i = 0; i < plan.tile.size(); ++i) {
    std::size_t const below = places.size();
    places.reserve(below * static_cast<std::size_t>(plan.tile[i]));
    for (std::int64_t x = 1; x < plan.tile[i]; ++x)
      for (std::size_t k = 0; k < below; ++k) places.push_back(places[k] + s.shared[i](x));
  }
  std::sort(places.begin(), places.end());
  if (std::adjacent_find(places.begin(), places.end()) != places.end())
    return "two elements of a tile share a place in shared memory";
  if (places.front() < 0 || (places.back() + 1) * plan.moves.element_bits / 8 > s.shared_bytes)
    return fmt::format("the tile's last place, {}, is beyond {} bytes of shared memory", places.back(), s.shared_bytes);
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
      if (failure f = covers_once(tiles, static_cast<int>(i), 1, needed, "grid")) return f;
  }
  if (s.kernel == cuda_kernel::tile) return kernels::tile_failure(plan, s);
  if (s.kernel == cuda_kernel::realigned) return kernels::realigned_failure(plan, s);
  if (failure f = access_covers(plan, s.read, s.read.loop, 1, "read")) return f;
  if (s.kernel == cuda_kernel::runs) return {};
  if (failure f = access_covers(plan, s.write, s.read.loop, s.packed, "write")) return f;
  return places_are_distinct(plan, s);
}

}  // namespace tilewright::plan
