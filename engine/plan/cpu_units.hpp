// A movement seen as units, the runs that both sides share, and what the kernels of units ask about it.
#pragma once

#include "engine/memory_units.hpp"
#include "engine/plan/dense_run.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace tilewright::plan {

inline constexpr std::int64_t cache_line = engine::cache_line;  // bytes

inline bool is_vector_unit(std::int64_t bytes) {
  return bytes <= 16 && std::has_single_bit(static_cast<std::uint64_t>(bytes));
}

/// Half bytes, swizzles and layouts without common loops have no units in tiles of rows and columns.
inline bool lacks_units(movement const& m) { return m.is_swizzled() || !m.has_loops() || m.element_bits < 8; }

/// A movement seen as units: the run that both sides share, and the loops around it.
struct unit_view {
  std::int64_t element_bytes = 1, unit_elements = 1, unit_bytes = 1;
  std::vector<int> by_destination, by_source;  // the loops but the unit's own, fastest first
};

inline unit_view units_of(movement const& m) {
  unit_view u;
  u.element_bytes = m.element_bits / 8;
  bool const runs = !m.loops.empty() && m.loops[0].src == 1 && m.loops[0].dst == 1;
  u.unit_elements = runs ? m.loops[0].extent : 1;
  u.unit_bytes = u.unit_elements * u.element_bytes;
  for (int i = runs ? 1 : 0; i < static_cast<int>(m.loops.size()); ++i) u.by_destination.push_back(i);
  u.by_source = u.by_destination;
  auto const step = [&](int i) { return std::abs(m.loops[static_cast<std::size_t>(i)].src); };
  std::stable_sort(u.by_source.begin(), u.by_source.end(), [&](int a, int b) { return step(a) < step(b); });
  return u;
}

inline cpu_kernel kernel_for(movement const& m, unit_view const& u) {
  if (!is_vector_unit(u.unit_bytes)) return cpu_kernel::copy_runs;
  loop const& first = m.loops[static_cast<std::size_t>(u.by_destination[0])];
  loop const& lead = m.loops[static_cast<std::size_t>(u.by_source[0])];
  if (first.dst == u.unit_elements && lead.src == u.unit_elements) return cpu_kernel::transpose;
  return cpu_kernel::gather;
}

/// The bytes that the source goes on for without a gap, along loops that are not the destination's run.
inline std::int64_t source_run(movement const& m, unit_view const& u) {
  std::int64_t next = u.unit_elements;
  for (int const i : u.by_source) {
    loop const& l = m.loops[static_cast<std::size_t>(i)];
    if (l.src != next || l.dst == u.unit_elements) break;
    next *= l.extent;
  }
  return next * u.element_bytes;
}

/// Long enough for the prefetcher of the processor to follow a row beyond the tile.
inline bool has_long_source(movement const& m, unit_view const& u, cpu_tuning const& tuning) {
  return source_run(m, u) >= tuning.long_source_bytes;
}

/// Is what a row takes from the source a line at most, and the next row's right behind it? Then a tile is one run of the
/// source, and a small one unless it has many rows.
inline bool has_short_rows(movement const& m, unit_view const& u) {
  loop const& first = m.loops[static_cast<std::size_t>(u.by_destination[0])];
  loop const& lead = m.loops[static_cast<std::size_t>(u.by_source[0])];
  return kernel_for(m, u) == cpu_kernel::transpose && first.src == lead.extent * lead.src &&
         first.src * u.element_bytes <= cache_line;
}

/// Does each row begin on the page after the previous row's? Then what a tile reads of a row ends near the end of a page,
/// where hardware prefetchers stop.
inline bool rows_are_a_page_apart(movement const& m, unit_view const& u, cpu_tuning const& tuning) {
  std::int64_t const step = std::abs(m.loops[static_cast<std::size_t>(u.by_destination[0])].src) * u.element_bytes;
  return step >= tuning.page_bytes && step < 2 * tuning.page_bytes && !has_long_source(m, u, tuning);
}

/// Do the runs that follow each other in the destination follow each other in the source, too? Then a tile is one span of the
/// destination.
inline bool keeps_order(movement const& m, unit_view const& u) {
  return m.loops[static_cast<std::size_t>(u.by_source[0])].dst == u.unit_elements;
}

/// Do all rows start at the same place within a cache line, a unit's multiple from its start? Then tiles can be shifted to
/// write whole lines wherever the destination begins.
inline bool writes_whole_lines(movement const& m, unit_view const& u, copy_request const& request,
                               cpu_tuning const& tuning) {
  std::int64_t const start = std::min(u.unit_bytes, cache_line);
  if (request.dst_alignment % start != 0 || m.dst_offset * u.element_bytes % start != 0) return false;
  bool const is_aligned = request.dst_alignment % cache_line == 0 && m.dst_offset * u.element_bytes % cache_line == 0;
  std::int64_t const row = m.loops[static_cast<std::size_t>(u.by_destination[0])].extent * u.unit_bytes;
  if (!is_aligned && (kernel_for(m, u) != cpu_kernel::transpose || row < tuning.long_row_bytes)) return false;
  return std::all_of(u.by_destination.begin(), u.by_destination.end(), [&](int i) {
    std::int64_t const step = m.loops[static_cast<std::size_t>(i)].dst;
    return step == u.unit_elements || step * u.element_bytes % cache_line == 0;
  });
}

/// Is each unit written between two gaps of the destination, through the caches?
inline bool has_lone_units(movement const& m, std::int64_t unit_bytes, bool streaming, cpu_tuning const& tuning) {
  return !streaming && unit_bytes < tuning.streamed_run_bytes &&
         dense_run_of(m).elements * m.element_bits / 8 == unit_bytes;
}

/// Are runs long enough to go past the caches without a buffer, though the lines at their ends are written in part? Between gaps of the
/// destination a buffer saves none of those lines.
inline bool goes_straight(movement const& m, std::int64_t unit_bytes, cpu_tuning const& tuning) {
  bool const is_lone = dense_run_of(m).elements * m.element_bits / 8 == unit_bytes;
  return unit_bytes >= (is_lone ? tuning.lone_unit_bytes : tuning.long_unit_bytes);
}

}  // namespace tilewright::plan
