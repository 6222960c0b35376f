// What the tile kernel has to better: about the cycles for a line that the kernels of units take. Which kernel is faster where was
// measured (docs/measurements/permute_cpu.md).
#include "engine/kernels/cpu/interleave/schedule_interleave.hpp"
#include "engine/kernels/cpu/tile/schedule_tile.hpp"
#include "engine/plan/cpu_knobs.hpp"
#include "engine/plan/cpu_units.hpp"

#include <algorithm>
#include <cstdlib>

namespace tilewright::plan {
namespace {

constexpr double never = 0, always = 1e9;  // is the tile kernel better

/// `reads_lines`: what the tile kernel would write past the caches is read before it is written.
double cycles_of_interleaving(copy_plan const& plan, cpu_schedule const& s, bool reads_lines, bool has_blocks) {
  auto const at = [&](int i) -> loop const& { return plan.moves.loops[static_cast<std::size_t>(i)]; };
  bool const joins = joins_channels(plan.moves, s);
  loop const& channels = at(joins ? s.row_loops[0] : s.column_loops[0]);
  loop const& places = at(joins ? s.column_loops[0] : s.row_loops[0]);
  // Places that go on for a few lines only leave most of the time to the starts of tiles, unless these follow each other on both
  // sides.
  std::int64_t const all = places.extent * channels.extent * std::min(std::abs(places.dst), std::abs(channels.dst));
  bool const follow = std::any_of(plan.moves.loops.begin(), plan.moves.loops.end(),
                                  [=](loop const& l) { return l.src == all && l.dst == all; });
  bool const is_short = places.extent * s.unit_bytes < plan.machine.tuning.streamed_run_bytes;
  if (!follow && is_short) return always;
  double const cycles = 8 + static_cast<double>(channels.extent);
  bool const is_near = plan.moves.elements * plan.moves.element_bits / 8 < plan.machine.tuning.stream_bytes;
  if (!has_blocks) {
    // One lookup joins two planes; it takes three and more to join or split others. Long units of many are better transposed.
    bool const is_one_lookup = channels.extent == 2 && (joins || s.unit_bytes >= 8 || (!is_near && s.unit_bytes < 4));
    bool const is_transposed = channels.extent > 6 && s.unit_bytes >= 8;
    if (!is_one_lookup && !is_transposed && (is_near ? !is_short : !joins && !reads_lines)) return never;
    return cycles + (reads_lines && joins ? 12 : 0);
  }
  if (is_near) return never;
  bool const is_long = places.extent * s.unit_bytes >= plan.machine.tuning.long_source_bytes;
  if (!reads_lines) return joins || !is_long ? cycles : never;
  // Rows of a plane that follow each other are written one after another.
  bool const goes_on = !joins && channels.dst != places.extent * places.dst;
  if (goes_on && s.unit_bytes < 4) return never;
  return cycles + (s.unit_bytes >= 4 ? 2 : 12);  // few of longer units are put together at a time
}

}  // namespace

double cycles_of_older(copy_plan const& plan, copy_plan const& tiled) {
  auto const& s = std::get<cpu_schedule>(plan.schedule);
  auto const& other = std::get<cpu_schedule>(tiled.schedule);
  bool const has_image = other.buffered;  // what the tile kernel writes is put together there first
  bool const has_blocks = plan.machine.widest_access_bits < 8 * cache_line;  // its lookups have windows of 16 bytes
  bool const is_lone = has_lone_units(plan.moves, s.unit_bytes, s.streaming, plan.machine.tuning);
  double const units_of_line = static_cast<double>(cache_line) / static_cast<double>(s.unit_bytes);
  switch (s.kernel) {
    case cpu_kernel::walk:
    case cpu_kernel::imaged: return never;
    case cpu_kernel::gather: return is_lone ? 3 * units_of_line : always;
    case cpu_kernel::copy_runs: {
      cpu_tuning const& t = plan.machine.tuning;
      if (s.streaming && goes_straight(plan.moves, s.unit_bytes, t)) return never;
      bool const joins = s.buffered && s.column_loops.empty();  // spans of whole lines, by few instructions
      std::int64_t const shortest = has_blocks  ? (joins ? t.short_unit_bytes : t.block_unit_bytes)
                                    : has_image ? t.imaged_unit_bytes
                                                : t.long_unit_bytes;
      if (is_lone) return (4 + static_cast<double>(s.unit_bytes) / 16) * units_of_line;
      bool const is_near = plan.moves.elements * plan.moves.element_bits / 8 < t.stream_bytes;
      return s.unit_bytes >= shortest || (is_near && s.unit_bytes > t.short_unit_bytes) ? never : always;
    }
    case cpu_kernel::interleave: return cycles_of_interleaving(plan, s, other.streaming && !s.streaming, has_blocks);
    default: break;
  }
  // Rows and columns of one loop each leave too much of many loops.
  std::size_t const many_loops = other.row_loops.empty() ? 7 : 4;
  if (plan.moves.loops.size() >= many_loops) return always;
  if (!other.row_loops.empty() && s.streaming) {
    loop const& row = plan.moves.loops[static_cast<std::size_t>(other.row_loops[0])];
    std::int64_t const step = std::abs(row.src) * plan.moves.element_bits / 8;
    if (!has_image || step >= plan.machine.tuning.long_source_bytes) return always;
  }
  auto const bytes_of = [&](std::vector<int> const& loops) {
    std::int64_t bytes = s.unit_bytes;
    for (int const i : loops) bytes *= plan.tile[static_cast<std::size_t>(i)];
    return bytes;
  };
  std::int64_t const row_bytes = bytes_of(s.row_loops);
  double const margin = has_blocks && s.unit_bytes >= 4 ? 1.0 : 0.8;
  double const cycles =
      cycles_of_transpose(row_bytes, bytes_of(s.column_loops), s.unit_bytes, plan.machine.widest_access_bits);
  if (!s.buffered) return margin * cycles;
  if (other.carries) return always;
  std::int64_t span = row_bytes;  // columns that follow each other in the destination are written as one
  for (int const i : s.column_loops) {
    auto const at = static_cast<std::size_t>(i);
    if (plan.moves.loops[at].dst * plan.moves.element_bits / 8 == span) span *= plan.tile[at];
  }
  return margin * (cycles + cycles_of_image + cycles_of_ends(span));
}

}  // namespace tilewright::plan
