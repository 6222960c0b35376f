// What a CPU does with a movement. A tile's columns take the source's fastest loops, so that reading goes along memory;
// its rows take the destination's, so that whole cache lines are written. What those two leave is the grid of tiles.
#include "engine/kernels/cpu/imaged/schedule_imaged.hpp"
#include "engine/kernels/cpu/interleave/schedule_interleave.hpp"
#include "engine/kernels/cpu/tile/schedule_tile.hpp"
#include "engine/plan/bytes_text.hpp"
#include "engine/plan/cpu_knobs.hpp"
#include "engine/plan/cpu_units.hpp"
#include "engine/plan/schedule.hpp"
#include "engine/plan/times_read.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>

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
      extent = evened(l.extent, extent, columns == 1 ? std::max<std::int64_t>(1, cache_line / u_.unit_bytes) : 1);
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
      bool const streams = std::abs(l.src) * u_.element_bytes >= tuning_.page_bytes;
      if (!streams && l.extent < 2 * extent && l.extent * row_bytes <= 2 * knobs_.row_bytes) extent = l.extent;
      std::int64_t const whole = cache_line / u_.unit_bytes;  // units of a cache line
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
  return u.unit_elements > 1 && times_read(m) > 1 && u.unit_bytes > 2 * tuning.repeated_unit_bytes;
}

/// Cuts such runs into parts, each of which is written wherever it belongs before the next is read.
void schedule_repeated(copy_plan& plan, cpu_schedule& s, unit_view const& u) {
  plan.path = copy_path::rows;
  std::int64_t const part = std::max<std::int64_t>(1, plan.machine.tuning.repeated_unit_bytes / u.element_bytes);
  plan.tile[0] = evened(u.unit_elements, part, std::max<std::int64_t>(1, cache_line / u.element_bytes));
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
  bool const joins = first.streaming && !transposes && keeps_order(m, u) && u.unit_bytes % cache_line != 0 &&
                     !goes_straight(m, u.unit_bytes, tuning);
  bool const is_lone = !transposes && has_lone_units(m, u.unit_bytes, first.streaming, tuning);
  static_cast<cpu_tile_shape&>(first) = joins                                                    ? tuning.joined_units
                                        : is_lone                                                ? tuning.lone_units
                                        : !transposes && u.unit_bytes <= tuning.short_unit_bytes ? tuning.short_units
                                        : !transposes                                            ? tuning.long_units
                                        : lines                                                  ? tuning.whole_lines
                                                                                                 : tuning.ragged_lines;
  if (transposes && lines && has_long_source(m, u, tuning)) first.column_bytes = tuning.long_column_bytes;
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
  s.long_runs = s.kernel == cpu_kernel::transpose && knobs.order == tile_order::by_source &&
                has_long_source(m, u, plan.machine.tuning);
  bool const ragged = !writes_whole_lines(m, u, request, plan.machine.tuning) || t.row_bytes % cache_line != 0;
  s.buffered = s.streaming && ragged &&
               !(s.kernel == cpu_kernel::copy_runs && goes_straight(m, u.unit_bytes, plan.machine.tuning));
  plan.path = s.kernel == cpu_kernel::copy_runs ? copy_path::rows
              : s.kernel == cpu_kernel::gather  ? copy_path::walk
              : s.buffered                      ? copy_path::staged
                                                : copy_path::direct;
  give_reasons(plan, s, u, t);
  plan.schedule = s;
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
