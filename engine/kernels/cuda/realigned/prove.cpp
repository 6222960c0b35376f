#include "engine/kernels/cuda/realigned/prove.hpp"
#include "engine/kernels/cuda/realigned/body_row.hpp"
#include "engine/memory_units.hpp"
#include "tilewright/base/math.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace tilewright::kernels {

namespace {

using math::ceil_div;

constexpr std::int64_t warp_lanes = engine::gpu_lanes;

}  // namespace

plan::failure realigned_failure(copy_plan const& plan, cuda_schedule const& s) {
  movement const& m = plan.moves;
  std::int64_t const element = m.element_bits / 8, word = std::max<std::int64_t>(4, element);
  auto const loops = static_cast<int>(m.loops.size());
  int const i = s.write.loop, j = s.read.loop;
  if (i < 0 || j < 0 || i >= loops || j >= loops || i == j) return "source and destination need a run each";
  if (m.loops[static_cast<std::size_t>(i)].dst != 1 || m.loops[static_cast<std::size_t>(j)].src != 1)
    return "the runs are not runs of stride 1";
  if (m.is_swizzled() || (element != 1 && element != 2 && element != 4 && element != 8))
    return "no realigned copy moves swizzled or such elements";
  for (int l = 0; l < loops; ++l)
    if (l != i && l != j && plan.tile[static_cast<std::size_t>(l)] != 1)
      return fmt::format("a tile has {} steps of loop {}", plan.tile[static_cast<std::size_t>(l)], l);
  std::int64_t const tile_i = plan.tile[static_cast<std::size_t>(i)], sector = s.image.sector;
  if (sector < word || sector > 32 || 32 % sector != 0 || tile_i * element + sector != warp_lanes * word)
    return fmt::format(
        "tiles of {} bytes along the destination and a sector of {} are not a word of {} for each of {} lanes",
        tile_i * element, sector, word, warp_lanes);
  std::int64_t const row = plan.tile[static_cast<std::size_t>(j)] * element, vectors = ceil_div(row, row_vector_bytes),
                     lanes = vectors < warp_lanes ? row_lanes_of(static_cast<int>(row)) : warp_lanes;
  std::int64_t const rows = warp_lanes * word / element, warps = s.threads / warp_lanes,
                     at_once = warps * (warp_lanes / lanes);
  if (vectors >= lanes) return fmt::format("a warp cannot read rows of {} bytes and what is shifted in", row);
  if (s.threads % warp_lanes != 0 || warps * element % 8 != 0 || rows % at_once != 0)
    return fmt::format("{} threads do not share out {} rows", s.threads, rows);
  if (s.read.at_once < 1 || rows / at_once % s.read.at_once != 0)
    return fmt::format("{} rows of a thread are not read {} at a time", rows / at_once, s.read.at_once);
  if (s.image.pitch % 16 != 0 || s.image.pitch < (row + 15) / 16 * 16)
    return fmt::format("rows of {} bytes are {} bytes apart", row, s.image.pitch);
  if (s.shared_bytes < rows * s.image.pitch)
    return fmt::format("{} rows, {} bytes apart, need more than {} bytes", rows, s.image.pitch, s.shared_bytes);
  return {};
}

}  // namespace tilewright::kernels
