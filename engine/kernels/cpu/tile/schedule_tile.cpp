#include "engine/kernels/cpu/tile/schedule_tile.hpp"
#include "engine/memory_units.hpp"

#include "engine/kernels/cpu/tile/gather_order.hpp"
#include "engine/kernels/cpu/tile/tile_program.hpp"
#include "engine/kernels/cpu/tile/transpose_chooser.hpp"
#include "engine/plan/bytes_text.hpp"
#include "engine/plan/times_read.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>
#include <utility>

namespace tilewright::plan {
namespace {

using engine::cache_line;

/// About the cycles for a line of the destination, which takes so many lookups. Windows of many spans are found in the
/// nearest cache only where that has room for the tile, and three pairs and more read an image of the source.
double cycles_of_lookups(cpu_engine::lookup_count const& count, tile_chooser const& tile) {
  constexpr std::int64_t near_bytes = 32 << 10;
  bool const has_spans = tile.run(true) < tile.bytes();
  // Where blocks have windows of their own, many spans of the destination take each line of the source again and again.
  bool const is_far = has_spans || (count.window != cache_line && tile.run(false) < tile.bytes());
  double const far = is_far && tile.source_bytes() > near_bytes && count.lookups <= count.few ? 2 * count.lookups : 0;
  double const image = has_spans && count.lookups > 2 ? cycles_of_image : 0;
  // Spans shorter than a vector are written one by one from an image.
  std::int64_t const run = tile.run(false);
  double const writes = run < cache_line ? cycles_of_image + 6 * cache_line / static_cast<double>(run) : 0;
  return writes + image + 2 + far + count.cycles();
}

constexpr std::int64_t max_phases = 4;  // of tiles that have tables for each place that they start at within a line

bool is_lines(tile_chooser const& tile, copy_request const& request) {
  return tile.starts_with_lines(request) && tile.writes_lines();
}

/// Is the source read so often that it comes from the caches?
bool is_repeated(movement const& m, cpu_tuning const& t) { return times_read(m) >= t.many_times; }

/// A tile that writes long spans and reads little, but no more of them than tables pay for.
tile_chooser repeated_tile(movement const& m, cpu_tuning const& t, bool streaming) {
  std::int64_t const share = m.element_bits == 8 ? 2 : 1;  // vectors of bytes have more tables
  auto const within = [&](std::int64_t max_bytes) {
    tile_chooser tile(m);
    tile.choose(t.repeated_source_bytes / share, t.repeated_destination_bytes, t.tile_min_bytes, max_bytes / share);
    return tile;
  };
  tile_chooser const tile = within(t.repeated_max_bytes);
  if (!streaming || tile.phases() <= max_phases) return tile;
  tile_chooser const larger = within(2 * t.repeated_max_bytes);  // more steps of a loop may end with a line
  return larger.phases() <= max_phases ? larger : tile;
}

tile_chooser tile_of(movement const& m, copy_request const& request, machine_model const& machine, bool streaming) {
  cpu_tuning const& t = machine.tuning;
  if (is_repeated(m, t)) return repeated_tile(m, t, streaming);
  tile_chooser chosen(m);
  chosen.choose(t.tile_source_bytes, t.tile_destination_bytes, t.tile_min_bytes, t.tile_max_bytes);
  for (std::int64_t run = t.tile_destination_bytes / 2; run >= cache_line && chosen.reach(true) > t.crowded_bytes;
       run /= 2)
    chosen.choose(t.tile_source_bytes, run, t.tile_min_bytes / 4, t.tile_max_bytes);
  if (!streaming || is_lines(chosen, request)) return chosen;
  // Ends of spans are parts of lines, which must be read first: longer spans have fewer. Where there are none that are longer,
  // a line's worth of each span is not given up for them.
  std::int64_t const run = chosen.run(false), few_columns = 16 * m.element_bits / 8;
  auto const longer_of = [&](std::int64_t source_bytes) {
    tile_chooser tile(m);
    auto const choose = [&](std::int64_t share) {
      tile.choose(std::max(source_bytes, few_columns), std::max(cache_line, t.ragged_destination_bytes / share),
                  t.tile_min_bytes, std::max(cache_line, t.ragged_max_bytes / share));
    };
    choose(1);
    if (tile.phases() <= max_phases) choose(max_phases);  // each place has tables of its own, which take time to make
    return tile;
  };
  auto const reads_few = [&](tile_chooser const& tile) {
    return tile.spans(true).count <= t.few_spans && tile.run(false) >= t.ragged_destination_bytes / (2 * max_phases);
  };
  tile_chooser longer = longer_of(t.few_spans_ragged_bytes);
  if (!reads_few(longer)) longer = longer_of(t.ragged_source_bytes);
  if (longer.run(false) >= 2 * run && !longer.shares_few_sets(machine.block_bytes)) chosen = longer;
  else chosen.choose(t.tile_source_bytes, 4 * t.tile_destination_bytes, t.tile_min_bytes, 2 * t.tile_max_bytes);
  // Longest of all are those of loops that the tile has whole.
  tile_chooser whole(m);
  auto const choose_whole = [&](std::int64_t source_bytes) {
    return whole.choose_whole(2 * source_bytes, t.tile_min_bytes, t.whole_max_bytes);
  };
  if (((choose_whole(t.few_spans_ragged_bytes) && reads_few(whole)) || choose_whole(t.ragged_source_bytes)) &&
      whole.run(false) >= 2 * chosen.run(false) && !whole.shares_few_sets(machine.block_bytes))
    chosen = whole;
  return chosen;
}

}  // namespace

double cycles_of_transpose(std::int64_t row_bytes, std::int64_t column_bytes, std::int64_t unit_bytes,
                           int register_bits) {
  auto const wasted = [](std::int64_t bytes, std::int64_t whole) {
    std::int64_t const used = (bytes + whole - 1) / whole * whole;
    return static_cast<double>(used) / static_cast<double>(bytes);
  };
  constexpr double start = 60;  // of one call
  double const lines = static_cast<double>(row_bytes * column_bytes / unit_bytes) / cache_line;
  double const steps =
      4 - std::countr_zero(static_cast<std::uint64_t>(unit_bytes));  // that interleave the units of a block
  // Short rows fill blocks of 16 bytes, which are stored one by one.
  double const by_rows = (5 + steps) * wasted(row_bytes, cache_line) * wasted(column_bytes, 16);
  double const by_columns = (22 - 2 * steps) * wasted(row_bytes, 16) * wasted(column_bytes, cache_line);
  double const all =
      (row_bytes < 48 && column_bytes >= cache_line ? std::min(by_rows, by_columns) : by_rows) + start / lines;
  // Columns shorter than a cache line are read row by row.
  double const gathered = column_bytes < cache_line ? 1.5 * cache_line / static_cast<double>(column_bytes) : 0;
  return gathered + (register_bits < 8 * cache_line && unit_bytes >= 8 ? 1.5 * all : all);
}

char const* why_through_caches(copy_plan const& plan) {
  return plan.bytes / 2 < plan.machine.tuning.stream_bytes
             ? "The destination fits the caches, so it is written through them."
             : "The destination has short spans or fits the caches, so it is written through them.";
}

double cycles_of_ends(std::int64_t span_bytes) {
  constexpr double two_ends = 40;
  return two_ends * cache_line / static_cast<double>(span_bytes);
}

namespace {

/// A schedule, and what speaks for it.
struct choice {
  tile_chooser tile;
  transpose_chooser transposes;
  cpu_schedule schedule;
  std::vector<int> order;
  cpu_engine::lookup_count lookups;                      // in one step
  double gather_lookups = 0, lookups_after_gathers = 0;  // in two, if it is gathered
  double cycles = 0;
  bool is_transposed() const { return !schedule.row_loops.empty(); }
  bool is_gathered() const { return !schedule.gather_loops.empty(); }
};

/// Vectors of an image between, and from these the destination's, where that takes less than vectors of the destination at once.
/// `more`: cycles of the ends of spans
void look_up_in_two_steps(choice& c, copy_plan const& plan, std::int64_t widest, double more) {
  constexpr double few_lookups = 3;
  if (c.lookups.lookups <= few_lookups) return;
  for (std::int64_t const share : {4, 8, 16}) {
    std::vector<int> order = gather_order(plan.moves, c.tile, share);
    auto const both = cpu_engine::lookups_per_vector(plan, widest, order);
    double const cycles = cycles_of_lookups(both.gathers, c.tile) + cycles_of_image + 2 + both.patterns.cycles() + more;
    if (cycles >= c.cycles) continue;
    c.cycles = cycles;
    c.schedule.gather_loops = std::move(order);
    c.lookups_after_gathers = both.patterns.lookups;
    c.gather_lookups = both.gathers.lookups;
  }
}

/// `carries`: pre: the tile has a loop to carry along
choice choice_of(copy_plan& plan, copy_request const& request, bool streaming, tile_chooser const& chosen,
                 bool carries) {
  movement const& m = plan.moves;
  cpu_schedule s;
  s.kernel = cpu_kernel::tile;
  s.threads = plan.machine.processors;
  s.unit_bytes = m.element_bits / 8;
  s.streaming = streaming;
  s.whole_lines = is_lines(chosen, request);
  s.carries = carries;
  // Tables for each place that tiles start at, unless these are many, or unknown, or the ends of spans are most of them.
  s.buffered = streaming && !s.whole_lines &&
               (carries || request.dst_alignment % cache_line != 0 || chosen.phases() > max_phases ||
                chosen.run(false) < plan.machine.tuning.tile_destination_bytes);
  choice out{chosen, transpose_chooser(m, chosen, plan.machine.widest_access_bits), s, chosen.by_dst, {}};
  auto const step = [&](int i) { return std::abs(m.loops[static_cast<std::size_t>(i)].src); };
  std::stable_sort(out.order.begin(), out.order.end(), [&](int a, int b) { return step(a) < step(b); });
  if (carries) {
    auto const first = std::find(out.order.begin(), out.order.end(), chosen.carried());
    std::rotate(out.order.begin(), first, first + 1);
  }
  plan.tile = chosen.tile;
  plan.schedule = s;

  std::int64_t const widest = plan.machine.widest_access_bits >= 8 * cache_line ? cache_line : 16;
  out.lookups = cpu_engine::lookups_per_vector(plan, widest);
  double const ends =
      streaming && !s.whole_lines ? cycles_of_ends(carries ? chosen.carried_run() : chosen.run(false)) : 0;
  // Lines that wait to be read again, for another span, are in the way of those that come from memory.
  bool const read_again = streaming && out.lookups.window == cache_line && chosen.run(false) < chosen.bytes();
  double const waiting = read_again ? out.lookups.lines / 2 : 0;
  out.cycles = cycles_of_lookups(out.lookups, chosen) + waiting + ends + (s.buffered ? cycles_of_image : 0);
  auto const has_image = [&](transpose_chooser const& one) {
    return streaming && !(s.whole_lines && one.row_bytes % cache_line == 0);
  };
  look_up_in_two_steps(out, plan, widest, ends);
  transpose_chooser& transposes = out.transposes;
  std::vector<int> gathered_before;
  double transposed =
      transposes.is_possible ? transposes.cycles() + ends + (has_image(transposes) ? cycles_of_image : 0) : out.cycles;
  if (transpose_chooser const compact(m, chosen, plan.machine.widest_access_bits, true); compact.is_possible) {
    auto const gathers = cpu_engine::lookups_per_vector(plan, widest, chosen.by_src).gathers;
    double const both = compact.cycles() + cycles_of_lookups(gathers, chosen) + cycles_of_image + ends +
                        (has_image(compact) ? cycles_of_image : 0);
    if (both < std::min(transposed, out.cycles))
      transposes = compact, transposed = both, gathered_before = chosen.by_src;
  }
  // Two steps are for what transposes take much longer for: estimates of these are up to twice too high where rows are short.
  double const doubt = out.is_gathered() ? 1.5 : 1;
  if (transposes.is_possible && transposed < doubt * out.cycles) {
    out.cycles = transposed;
    out.schedule.gather_loops = gathered_before;
    out.schedule.unit_bytes = transposes.unit;
    out.schedule.row_loops = transposes.rows();
    out.schedule.column_loops = transposes.columns();
    out.schedule.buffered = has_image(transposes);
  }
  return out;
}

/// Do transposes write to many pages, at the same place of each, and vectors that are parts of lines?
bool writes_pages_apart(choice const& c, machine_model const& machine) {
  tile_chooser::apart const written = c.tile.spans(false);
  return machine.widest_access_bits < 8 * cache_line && c.is_transposed() && written.count > 1 &&
         written.step % machine.tuning.page_bytes == 0;
}

/// Does a tile read a few lines each of many long rows?
bool reads_short_spans(choice const& c, cpu_tuning const& t) {
  return c.tile.run(true) >= cache_line && c.tile.run(true) < t.tile_source_bytes &&
         c.tile.spans(true).count > 4 * t.few_spans && c.tile.row_bytes() >= t.carried_row_bytes;
}

/// A tile whose spans go on in the next one's. One that has the source's rows whole reads on and on, as long as the nearest caches
/// have room for the lines that wait. `is_apart`: its spans in the destination are whole pages apart.
tile_chooser carrying_tile(copy_plan const& plan, choice const& other, bool is_apart) {
  cpu_tuning const& t = plan.machine.tuning;
  tile_chooser tile(plan.moves);
  auto const has_room = [&] { return tile.spans(false).count * cache_line < 2 * plan.machine.near_bytes; };
  std::int64_t const row = tile.row_bytes(), few_columns = 128 * plan.moves.element_bits / 8;
  if (row > t.carried_source_bytes && row <= t.carried_row_bytes) {
    tile.choose(row, std::max(t.carried_row_destination_bytes, t.carried_destination_bytes - few_columns),
                t.tile_min_bytes, t.carried_row_max_bytes);
    if (has_room()) return tile;
  } else if (is_apart || !other.is_transposed()) {
    tile.choose(t.carried_far_bytes, 2 * t.carried_destination_bytes, t.tile_min_bytes, t.carried_row_max_bytes);
    if (has_room()) return tile;
  }
  tile.choose(t.carried_source_bytes, t.carried_destination_bytes, t.tile_min_bytes, t.carried_max_bytes);
  return tile;
}

/// Transposes whose spans go on from tile to tile are put together in an image of the nearest cache, and what they write are
/// whole lines. Lookups write lines without an image, so longer spans are better for them, unless a tile has several spans, each with
/// ends, or each vector needs many lines of the source, which have to stay in the nearest cache.
std::optional<choice> carrying_choice(copy_plan& plan, copy_request const& request, choice const& other) {
  cpu_tuning const& t = plan.machine.tuning;
  // Tiles that write whole lines need no carrying, unless the caches have no room for what they read or put together, or
  // transposes write to many pages at the same place of each.
  double const reached = plan.machine.widest_access_bits < 8 * cache_line ? other.lookups.lines : 0;
  bool const has_image = other.schedule.buffered || other.lookups.lines >= 4;
  bool const fits = !has_image || other.tile.bytes() <= 3 * t.carried_max_bytes;
  bool const is_apart = writes_pages_apart(other, plan.machine);
  bool const reads_little = plan.moves.element_bits >= 64 && reads_short_spans(other, t);
  if (!other.schedule.streaming || (other.schedule.whole_lines && fits && !is_apart && !reads_little)) return {};
  tile_chooser const tile = carrying_tile(plan, other, is_apart && other.schedule.whole_lines);
  constexpr std::int64_t few_tiles = 4;  // shorter chains have too many ends
  if (tile.carried() < 0 || tile.run(false) < cache_line ||
      tile.carried_run() < std::max(t.carried_run_bytes, few_tiles * tile.run(false)))
    return {};
  choice out = choice_of(plan, request, true, tile, true);
  bool const needs_lines = reached >= (fits ? 6 : 4) && out.lookups.lines >= (fits ? 6 : 4);
  bool const has_ends =
      plan.moves.element_bits >= 64 && !other.schedule.whole_lines && other.tile.spans(false).count > 1;
  bool const is_better = out.is_transposed() || needs_lines || has_ends || reads_little;
  if (!is_better || (out.is_transposed() && out.is_gathered())) return {};
  return out;
}

/// Where a tile reads few spans of the source, the processor's prefetcher follows all of them, from tile to tile too: they are
/// long, and what is written in return are short spans, more than a line each, or loops that the tile has whole. Not where spans
/// are powers of two apart, which makes memory itself slow, nor where it takes transposes away or gives them an image.
std::optional<choice> far_reading_choice(copy_plan& plan, copy_request const& request, choice const& other) {
  cpu_tuning const& t = plan.machine.tuning;
  if (!other.schedule.streaming) return {};
  auto const reads_further = [&](tile_chooser const& tile) {
    return tile.spans(true).count <= t.few_spans && tile.run(true) > other.tile.run(true) &&
           std::max(tile.reach(true), tile.reach(false)) <= t.crowded_bytes && is_lines(tile, request);
  };
  tile_chooser tile(plan.moves);
  tile.choose(t.few_spans_source_bytes, t.few_spans_destination_bytes, t.tile_min_bytes, t.few_spans_max_bytes);
  if (!reads_further(tile) &&
      !(tile.choose_whole(t.few_spans_source_bytes, t.tile_min_bytes, t.whole_max_bytes) && reads_further(tile)))
    return {};
  choice out = choice_of(plan, request, true, tile, false);
  if (out.is_transposed() ? out.schedule.buffered : other.is_transposed()) return {};
  return out;
}

/// Transposes that write to many pages put a tile together in an image, so that the lines of a page are written one after another.
std::optional<choice> imaged_choice(copy_plan& plan, copy_request const& request, choice const& other) {
  if (!other.schedule.streaming || !other.schedule.whole_lines || !writes_pages_apart(other, plan.machine)) return {};
  choice out = choice_of(plan, request, true, carrying_tile(plan, other, true), false);
  if (!out.is_transposed() || out.is_gathered()) return {};
  out.schedule.buffered = true;
  return out;
}

void give_reasons(copy_plan& plan, choice const& c) {
  cpu_schedule const& s = c.schedule;
  auto const say = [&](std::string text) { plan.reasons.push_back(std::move(text)); };
  say(fmt::format("A tile of {} is read in spans of {} and written in spans of {}.", bytes_text(c.tile.bytes()),
                  bytes_text(c.tile.run(true)), bytes_text(c.tile.run(false))));
  if (c.is_transposed()) {
    if (c.is_gathered()) say("Its elements, which have gaps between them in the source, are gathered first.");
    say(fmt::format("Blocks of {} by {} of it are transposed in vector registers, in units of {}.",
                    bytes_text(c.transposes.row_bytes), bytes_text(c.transposes.column_bytes),
                    bytes_text(s.unit_bytes)));
  } else if (c.is_gathered()) {
    say(
        fmt::format("Each vector of an image between is put together by {:.1f} table lookups, each of the destination "
                    "by {:.1f} from "
                    "there; at once it would take {:.1f}.",
                    c.gather_lookups, c.lookups_after_gathers, c.lookups.lookups));
  } else {
    say(fmt::format("Each vector of the destination is put together by {:.1f} table lookups.", c.lookups.lookups));
  }
  if (s.carries)
    say("The next tile goes on where the spans of this one end, and writes what is left of their last lines.");
  if (s.streaming)
    say(fmt::format("{} would push everything else out of the caches, so whole lines are written past them.",
                    bytes_text(plan.bytes / 2)));
  else say(why_through_caches(plan));
}

void fill(copy_plan& plan, choice const& best, bool streaming) {
  cpu_schedule const& s = best.schedule;
  give_reasons(plan, best);
  plan.path = s.whole_lines || !streaming ? copy_path::direct : copy_path::staged;
  plan.tile = best.tile.tile;
  plan.order = best.order;
  plan.schedule = s;
}

}  // namespace

double schedule_tile(copy_plan& plan, copy_request const& request, bool streaming) {
  choice best = choice_of(plan, request, streaming, tile_of(plan.moves, request, plan.machine, streaming), false);
  if (is_repeated(plan.moves, plan.machine.tuning)) best.order = best.tile.by_dst;
  else if (auto carrying = carrying_choice(plan, request, best)) best = std::move(*carrying);
  else if (auto imaged = imaged_choice(plan, request, best)) best = std::move(*imaged);
  else if (auto far = far_reading_choice(plan, request, best)) best = std::move(*far);
  fill(plan, best, streaming);
  return best.cycles;
}

bool schedule_tile_within(copy_plan& plan, copy_request const& request, bool streaming, tile_limits const& limits) {
  tile_chooser tile(plan.moves);
  tile.choose(limits.source_bytes, limits.destination_bytes, limits.min_bytes, limits.max_bytes);
  bool const carries = limits.imaged && !is_lines(tile, request);
  if (limits.imaged && !streaming) return false;
  if (carries && (tile.carried() < 0 || tile.run(false) < cache_line)) return false;
  choice chosen = choice_of(plan, request, streaming, tile, carries);
  if (limits.imaged && chosen.is_transposed()) chosen.schedule.buffered = true;
  if (limits.by_destination) chosen.order = tile.by_dst;
  fill(plan, chosen, streaming);
  return true;
}

}  // namespace tilewright::plan
