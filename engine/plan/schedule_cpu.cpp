// What a CPU does with a movement. A tile's columns take the source's fastest loops, so that reading goes along memory;
// its rows take the destination's, so that whole cache lines are written. What those two leave is the grid of tiles.
#include "engine/kernels/cpu/imaged/schedule_imaged.hpp"
#include "engine/kernels/cpu/tile/schedule_tile.hpp"
#include "engine/plan/bytes_text.hpp"
#include "engine/plan/cpu_interleaved.hpp"
#include "engine/plan/cpu_knobs.hpp"
#include "engine/plan/dense_run.hpp"
#include "engine/plan/schedule.hpp"
#include "engine/plan/times_read.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>

namespace tilewright {

char const* name_of(cpu_kernel kernel) {
  switch (kernel) {
    case cpu_kernel::copy_runs: return "copy_runs";
    case cpu_kernel::transpose: return "transpose";
    case cpu_kernel::gather: return "gather";
    case cpu_kernel::walk: return "walk";
    case cpu_kernel::interleave: return "interleave";
    case cpu_kernel::tile: return "tile";
    case cpu_kernel::imaged: return "imaged";
  }
  return "?";
}

namespace plan {
namespace {

constexpr std::int64_t line = 64;

bool is_vector_unit(std::int64_t bytes) {
  return bytes <= 16 && std::has_single_bit(static_cast<std::uint64_t>(bytes));
}

/// Half bytes, swizzles and layouts without common loops have no units in tiles of rows and columns.
bool lacks_units(movement const& m) { return m.is_swizzled() || !m.has_loops() || m.element_bits < 8; }

std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

/// A movement seen as units: the run that both sides share, and the loops around it.
struct unit_view {
  std::int64_t element_bytes = 1, unit_elements = 1, unit_bytes = 1;
  std::vector<int> by_destination, by_source;  // the loops but the unit's own, fastest first
};

unit_view units_of(movement const& m) {
  unit_view u;
  u.element_bytes = m.element_bits / 8;
  bool const runs = !m.loops.empty() && m.loops[0].src == 1 && m.loops[0].dst == 1;
  u.unit_elements = runs ? m.loops[0].extent : 1;
  u.unit_bytes = u.unit_elements * u.element_bytes;
  for (int i = runs ? 1 : 0; i < static_cast<int>(m.loops.size()); ++i) u.by_destination.push_back(i);
  u.by_source = u.by_destination;
  auto const step = [&](int i) { return magnitude(m.loops[static_cast<std::size_t>(i)].src); };
  std::stable_sort(u.by_source.begin(), u.by_source.end(), [&](int a, int b) { return step(a) < step(b); });
  return u;
}

cpu_kernel kernel_for(movement const& m, unit_view const& u) {
  if (!is_vector_unit(u.unit_bytes)) return cpu_kernel::copy_runs;
  loop const& first = m.loops[static_cast<std::size_t>(u.by_destination[0])];
  loop const& lead = m.loops[static_cast<std::size_t>(u.by_source[0])];
  if (first.dst == u.unit_elements && lead.src == u.unit_elements) return cpu_kernel::transpose;
  return cpu_kernel::gather;
}

/// The bytes that the source goes on for without a gap, along loops that are not the destination's run.
std::int64_t source_run(movement const& m, unit_view const& u) {
  std::int64_t next = u.unit_elements;
  for (int const i : u.by_source) {
    loop const& l = m.loops[static_cast<std::size_t>(i)];
    if (l.src != next || l.dst == u.unit_elements) break;
    next *= l.extent;
  }
  return next * u.element_bytes;
}

/// Long enough for the prefetcher of the processor to follow a row beyond the tile.
bool is_long(movement const& m, unit_view const& u, cpu_tuning const& tuning) {
  return source_run(m, u) >= tuning.long_source_bytes;
}

/// Is what a row takes from the source a line at most, and the next row's right behind it? Then a tile is one run of the
/// source, and a small one unless it has many rows.
bool has_short_rows(movement const& m, unit_view const& u) {
  loop const& first = m.loops[static_cast<std::size_t>(u.by_destination[0])];
  loop const& lead = m.loops[static_cast<std::size_t>(u.by_source[0])];
  return kernel_for(m, u) == cpu_kernel::transpose && first.src == lead.extent * lead.src &&
         first.src * u.element_bytes <= line;
}

/// Does each row begin on the page after the previous row's? Then what a tile reads of a row ends near the end of a page,
/// where hardware prefetchers stop.
bool rows_are_a_page_apart(movement const& m, unit_view const& u, cpu_tuning const& tuning) {
  std::int64_t const step = magnitude(m.loops[static_cast<std::size_t>(u.by_destination[0])].src) * u.element_bytes;
  return step >= tuning.page_bytes && step < 2 * tuning.page_bytes && !is_long(m, u, tuning);
}

/// Do the runs that follow each other in the destination follow each other in the source, too? Then a tile is one span of the
/// destination.
bool keeps_order(movement const& m, unit_view const& u) {
  return m.loops[static_cast<std::size_t>(u.by_source[0])].dst == u.unit_elements;
}

/// Do all rows start at the same place within a cache line, a unit's multiple from its start? Then tiles can be shifted to
/// write whole lines wherever the destination begins.
bool writes_whole_lines(movement const& m, unit_view const& u, copy_request const& request, cpu_tuning const& tuning) {
  std::int64_t const start = std::min(u.unit_bytes, line);
  if (request.dst_alignment % start != 0 || m.dst_offset * u.element_bytes % start != 0) return false;
  bool const is_aligned = request.dst_alignment % line == 0 && m.dst_offset * u.element_bytes % line == 0;
  std::int64_t const row = m.loops[static_cast<std::size_t>(u.by_destination[0])].extent * u.unit_bytes;
  if (!is_aligned && (kernel_for(m, u) != cpu_kernel::transpose || row < tuning.long_row_bytes)) return false;
  return std::all_of(u.by_destination.begin(), u.by_destination.end(), [&](int i) {
    std::int64_t const step = m.loops[static_cast<std::size_t>(i)].dst;
    return step == u.unit_elements || step * u.element_bytes % line == 0;
  });
}

/// Is each unit written between two gaps of the destination, through the caches?
bool has_lone_units(movement const& m, std::int64_t unit_bytes, bool streaming, cpu_tuning const& tuning) {
  return !streaming && unit_bytes < tuning.streamed_run_bytes &&
         dense_run_of(m).elements * m.element_bits / 8 == unit_bytes;
}

/// Are runs long enough to go past the caches without a buffer, though the lines at their ends are written in part? Between gaps of the
/// destination a buffer saves none of those lines.
bool goes_straight(movement const& m, std::int64_t unit_bytes, cpu_tuning const& tuning) {
  bool const is_lone = dense_run_of(m).elements * m.element_bits / 8 == unit_bytes;
  return unit_bytes >= (is_lone ? tuning.lone_unit_bytes : tuning.long_unit_bytes);
}

/// Cuts one run into pieces for the threads.
void schedule_contiguous(copy_plan& plan, cpu_schedule& s, unit_view const& u) {
  std::int64_t const piece_bytes = plan.machine.tuning.piece_bytes;
  plan.path = copy_path::contiguous;
  s.kernel = cpu_kernel::copy_runs;
  if (u.unit_elements > 1) {
    plan.tile[0] = std::min(plan.moves.loops[0].extent, std::max<std::int64_t>(1, piece_bytes / u.element_bytes));
    s.unit_bytes = plan.tile[0] * u.element_bytes;
    plan.order = {0};
  }
  plan.reasons.push_back(
      fmt::format("Source and destination are one run of {} bytes each, so bytes are copied.", u.unit_bytes));
}

/// A tile extent near `wanted` that cuts `extent` into pieces of about the same size, multiples of `granule`.
std::int64_t evened(std::int64_t extent, std::int64_t wanted, std::int64_t granule) {
  if (wanted >= extent) return extent;
  std::int64_t const pieces = (extent + wanted - 1) / wanted, each = (extent + pieces - 1) / pieces;
  return std::min(extent, (each + granule - 1) / granule * granule);
}

class tiler {
 public:
  tiler(copy_plan& plan, cpu_schedule& s, unit_view const& u, cpu_knobs const& knobs)
      : row_bytes(u.unit_bytes),
        m_(plan.moves),
        tile_(plan.tile),
        s_(s),
        u_(u),
        knobs_(knobs),
        tuning_(plan.machine.tuning) {}

  /// The source's fastest loops, as long as they go on without a gap, until a run is long enough.
  void choose_columns() {
    std::int64_t run = u_.unit_bytes, next = loop_at(u_.by_source[0]).src;
    for (int const i : u_.by_source) {
      loop const& l = loop_at(i);
      if (l.dst == u_.unit_elements || l.src != next || run >= knobs_.column_bytes) break;
      std::int64_t extent = (knobs_.column_bytes + run - 1) / run;
      if (l.extent < 2 * extent) extent = l.extent;
      // Columns that are large powers of two apart share few sets of the caches: as many as those hold.
      if (!s_.streaming && columns == 1 && l.dst * u_.element_bytes % tuning_.few_sets_bytes == 0)
        extent = std::min(extent, tuning_.few_sets_columns);
      // Whole lines where a run begins; further out, steps are whole runs.
      extent = evened(l.extent, extent, columns == 1 ? std::max<std::int64_t>(1, line / u_.unit_bytes) : 1);
      tile_[static_cast<std::size_t>(i)] = extent;
      s_.column_loops.push_back(i);
      run *= extent;
      columns *= extent;
      next = l.src * l.extent;
      if (extent < l.extent) break;
    }
  }

  /// The destination's, in the same way.
  void choose_rows() {
    std::int64_t next = u_.unit_elements;
    for (int const i : u_.by_destination) {
      loop const& l = loop_at(i);
      bool const taken = std::find(s_.column_loops.begin(), s_.column_loops.end(), i) != s_.column_loops.end();
      if (l.dst != next || taken) break;
      std::int64_t const room = std::min(knobs_.row_bytes, knobs_.tile_bytes / columns) / row_bytes;
      std::int64_t extent = std::clamp<std::int64_t>(room, 1, l.extent);
      // A few more rows are as good as two tiles, unless each is a stream of its own for the prefetcher.
      bool const streams = magnitude(l.src) * u_.element_bytes >= tuning_.page_bytes;
      if (!streams && l.extent < 2 * extent && l.extent * row_bytes <= 2 * knobs_.row_bytes) extent = l.extent;
      std::int64_t const whole = line / u_.unit_bytes;  // units of a cache line
      if (extent < l.extent && whole > 1 && extent > whole) extent -= extent % whole;
      if (extent == 1 && !s_.row_loops.empty()) break;
      tile_[static_cast<std::size_t>(i)] = extent;
      s_.row_loops.push_back(i);
      row_bytes *= extent;
      next = l.dst * l.extent;
      if (extent < l.extent) break;
    }
  }

  std::int64_t columns = 1;
  std::int64_t row_bytes;

 private:
  loop const& loop_at(int i) const { return m_.loops[static_cast<std::size_t>(i)]; }

  movement const& m_;
  std::vector<std::int64_t>& tile_;
  cpu_schedule& s_;
  unit_view const& u_;
  cpu_knobs const& knobs_;
  cpu_tuning const& tuning_;
};

void give_reasons(copy_plan& plan, cpu_schedule const& s, unit_view const& u, tiler const& t) {
  auto const say = [&](std::string text) { plan.reasons.push_back(std::move(text)); };
  switch (s.kernel) {
    case cpu_kernel::copy_runs:
      say(fmt::format("Both sides share runs of {}, which are copied whole.", bytes_text(u.unit_bytes)));
      break;
    case cpu_kernel::transpose:
      say(
          fmt::format("The source runs along one loop and the destination along another, so tiles of {}-byte units are "
                      "transposed in vector registers.",
                      u.unit_bytes));
      break;
    default: say(fmt::format("The source has no run of {}-byte units, so they are gathered one by one.", u.unit_bytes));
  }
  say(fmt::format("A tile is read in runs of {} and written in runs of {}.", bytes_text(t.columns * u.unit_bytes),
                  bytes_text(t.row_bytes)));
  if (s.buffered) say("Those runs do not end with cache lines, so they are put together in a buffer first.");
  say(s.streaming
          ? fmt::format("{} would push everything else out of the caches, so whole lines are written past them.",
                        bytes_text(plan.bytes / 2))
          : std::string(why_through_caches(plan)));
}

/// Does the source's run, which a near cache has no room for, have several copies in the destination?
bool repeats_long_units(movement const& m, unit_view const& u, cpu_tuning const& tuning) {
  return times_read(m) > 1 && u.unit_bytes > 2 * tuning.repeated_unit_bytes;
}

/// Cuts such runs into parts, each of which is written wherever it belongs before the next is read.
void schedule_repeated(copy_plan& plan, cpu_schedule& s, unit_view const& u) {
  plan.path = copy_path::rows;
  std::int64_t const part = std::max<std::int64_t>(1, plan.machine.tuning.repeated_unit_bytes / u.element_bytes);
  plan.tile[0] = evened(u.unit_elements, part, std::max<std::int64_t>(1, line / u.element_bytes));
  s.unit_bytes = plan.tile[0] * u.element_bytes;
  plan.order = u.by_source;
  auto const stands_still = [&](int i) { return plan.moves.loops[static_cast<std::size_t>(i)].src == 0; };
  plan.order.insert(std::find_if_not(plan.order.begin(), plan.order.end(), stands_still), 0);
  plan.reasons.push_back(
      fmt::format("Runs of {} have several copies each, so {} at a time are read and written to all of them.",
                  bytes_text(u.unit_bytes), bytes_text(s.unit_bytes)));
}

/// Are there gaps between all elements of the destination, in several loops?
bool has_lone_elements(movement const& m) {
  constexpr std::size_t few_loops = 2;  // either order comes back to a line soon
  return m.loops.size() > few_loops &&
         std::none_of(m.loops.begin(), m.loops.end(), [](loop const& l) { return std::abs(l.dst) == 1; });
}

}  // namespace

std::vector<cpu_knobs> candidates(movement const& m, machine_model const& machine, copy_request const& request) {
  cpu_knobs first;
  std::int64_t const written = m.elements * m.element_bits / 8;
  cpu_tuning const& tuning = machine.tuning;
  first.streaming = written >= std::max(tuning.stream_bytes, tuning.stream_blocks * machine.block_bytes) &&
                    dense_run_of(m).elements * m.element_bits / 8 >= tuning.streamed_run_bytes;
  if (lacks_units(m)) return {first};
  unit_view const u = units_of(m);
  if (u.by_destination.empty()) return {first};
  if (channel_loops_of(m)) {
    first.tile_bytes = tuning.channel_tile_bytes;
    cpu_knobs other = first, larger = first;
    other.order = tile_order::by_destination;
    larger.tile_bytes *= 4;
    return {first, other, larger};
  }
  bool const transposes = kernel_for(m, u) != cpu_kernel::copy_runs;
  bool const lines = !first.streaming || writes_whole_lines(m, u, request, tuning);
  // What limits a core is the number of lines it can wait for at once. Tiles that are read in few long runs leave the
  // reading to the processor's prefetcher. Rows that do not end with lines must be long, since their ends cost a read.
  bool const joins = first.streaming && !transposes && keeps_order(m, u) && u.unit_bytes % line != 0 &&
                     !goes_straight(m, u.unit_bytes, tuning);
  bool const is_lone = !transposes && has_lone_units(m, u.unit_bytes, first.streaming, tuning);
  static_cast<cpu_tile_shape&>(first) = joins                                                    ? tuning.joined_units
                                        : is_lone                                                ? tuning.lone_units
                                        : !transposes && u.unit_bytes <= tuning.short_unit_bytes ? tuning.short_units
                                        : !transposes                                            ? tuning.long_units
                                        : lines                                                  ? tuning.whole_lines
                                                                                                 : tuning.ragged_lines;
  if (transposes && lines && is_long(m, u, tuning)) first.column_bytes = tuning.long_column_bytes;
  if (transposes && rows_are_a_page_apart(m, u, tuning))
    first.column_bytes = std::min(first.column_bytes, tuning.page_column_bytes);
  if (transposes && has_short_rows(m, u)) first.row_bytes = std::max(first.row_bytes, tuning.short_row_bytes);
  // Lines that are written in part are read first, and those that have several elements wait for them all.
  if (kernel_for(m, u) == cpu_kernel::gather && has_lone_elements(m)) first.order = tile_order::by_destination;
  std::vector<cpu_knobs> out{first};
  auto const also = [&](auto change) {
    cpu_knobs k = first;
    change(k);
    out.push_back(k);
  };
  also([](cpu_knobs& k) {
    k.order = k.order == tile_order::by_source ? tile_order::by_destination : tile_order::by_source;
  });
  also([](cpu_knobs& k) { k.column_bytes *= 4, k.tile_bytes *= 4; });
  also([](cpu_knobs& k) { k.row_bytes *= 2, k.tile_bytes *= 2; });
  also([](cpu_knobs& k) { k.row_bytes *= 4, k.column_bytes /= 2, k.tile_bytes *= 2; });
  also([](cpu_knobs& k) { k.column_bytes /= 4; });
  return out;
}

void schedule_cpu_with(copy_plan& plan, copy_request const& request, cpu_knobs const& knobs) {
  movement& m = plan.moves;
  cpu_schedule s;
  s.threads = plan.machine.processors;
  s.streaming = knobs.streaming;
  plan.seconds = plan.machine.start_seconds;
  if (plan.machine.bytes_per_second > 0)
    plan.seconds += static_cast<double>(plan.bytes) / plan.machine.bytes_per_second;
  plan.tile.assign(m.loops.size(), 1);
  if (lacks_units(m)) {
    if (m.has_loops()) return schedule_imaged(plan, knobs.streaming);
    plan.path = copy_path::walk;
    plan.reasons.push_back(
        "The layouts take the index apart in ways that have no common loops, so elements move one by one.");
    s.streaming = false;
    plan.schedule = s;
    return;
  }
  unit_view const u = units_of(m);
  s.unit_bytes = u.unit_bytes;
  if (u.unit_elements > 1) plan.tile[0] = u.unit_elements;
  if (u.by_destination.empty()) {
    schedule_contiguous(plan, s, u);
    plan.schedule = s;
    return;
  }
  plan.order = knobs.order == tile_order::by_source ? u.by_source : u.by_destination;
  if (auto const channels = channel_loops_of(m)) {
    schedule_interleaved(plan, s, *channels, knobs);
    plan.schedule = s;
    return;
  }
  s.kernel = kernel_for(m, u);
  if (repeats_long_units(m, u, plan.machine.tuning)) {
    schedule_repeated(plan, s, u);
    plan.schedule = s;
    return;
  }
  tiler t(plan, s, u, knobs);
  t.choose_columns();
  t.choose_rows();
  s.long_runs =
      s.kernel == cpu_kernel::transpose && knobs.order == tile_order::by_source && is_long(m, u, plan.machine.tuning);
  bool const ragged = !writes_whole_lines(m, u, request, plan.machine.tuning) || t.row_bytes % line != 0;
  s.buffered = s.streaming && ragged &&
               !(s.kernel == cpu_kernel::copy_runs && goes_straight(m, u.unit_bytes, plan.machine.tuning));
  plan.path = s.kernel == cpu_kernel::copy_runs ? copy_path::rows
              : s.kernel == cpu_kernel::gather  ? copy_path::walk
              : s.buffered                      ? copy_path::staged
                                                : copy_path::direct;
  give_reasons(plan, s, u, t);
  plan.schedule = s;
}

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

/// What the tile kernel has to better. Which kernel is faster where was measured (docs/measurements/permute_cpu.md).
double cycles_of_older(copy_plan const& plan, copy_plan const& tiled) {
  auto const& s = std::get<cpu_schedule>(plan.schedule);
  auto const& other = std::get<cpu_schedule>(tiled.schedule);
  bool const has_image = other.buffered;  // what the tile kernel writes is put together there first
  bool const has_blocks = plan.machine.widest_access_bits < 8 * line;  // its lookups have windows of 16 bytes
  bool const is_lone = has_lone_units(plan.moves, s.unit_bytes, s.streaming, plan.machine.tuning);
  double const units_of_line = static_cast<double>(line) / static_cast<double>(s.unit_bytes);
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
    std::int64_t const step = magnitude(row.src) * plan.moves.element_bits / 8;
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

void schedule_cpu(copy_plan& plan, copy_request const& request) {
  if (lacks_units(plan.moves)) plan.moves = widened(plan.moves, 16, 16);
  copy_plan tiled = plan;
  cpu_knobs const knobs = candidates(plan.moves, plan.machine, request).front();
  schedule_cpu_with(plan, request, knobs);
  if (lacks_units(plan.moves) || plan.path == copy_path::contiguous) return;
  tiled.seconds = plan.seconds;
  double const cycles = schedule_tile(tiled, request, knobs.streaming);
  if (cycles < cycles_of_older(plan, tiled)) plan = std::move(tiled);
}

}  // namespace plan
}  // namespace tilewright
