#include "engine/kernels/cpu/tile/schedule_tile.hpp"

#include "engine/kernels/cpu/tile/tile_program.hpp"
#include "engine/plan/bytes_text.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace tilewright::plan {
namespace {

constexpr std::int64_t line = 64;

std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

/// An extent near `wanted`, a multiple of `granule` if it is below `extent`; one that cuts `extent` into equal pieces if
/// there is one, else into nearly equal ones.
std::int64_t evened(std::int64_t extent, std::int64_t wanted, std::int64_t granule) {
  std::int64_t const most = wanted + wanted / 2;
  if (extent < most) return extent;
  auto const rounded = [&](std::int64_t x) { return (x + granule - 1) / granule * granule; };
  for (std::int64_t f = rounded(wanted); f <= most; f += granule)
    if (extent % f == 0) return f;
  std::int64_t const pieces = (extent + wanted - 1) / wanted;
  return std::min(extent, rounded((extent + pieces - 1) / pieces));
}

class tile_chooser {
 public:
  explicit tile_chooser(movement const& m) : m_(&m), element_(m.element_bits / 8), tile(m.loops.size(), 1) {
    by_dst.resize(m.loops.size());
    std::iota(by_dst.begin(), by_dst.end(), 0);
    for (int const i : by_dst)
      if (at(i).src != 0) by_src.push_back(i);
    std::stable_sort(by_src.begin(), by_src.end(),
                     [&](int a, int b) { return magnitude(at(a).src) < magnitude(at(b).src); });
  }

  void choose(std::int64_t src_run, std::int64_t dst_run, std::int64_t min_tile, std::int64_t max_tile) {
    for (;;) {
      std::fill(tile.begin(), tile.end(), 1);
      take(by_dst, dst_run, false);
      take(by_src, src_run, true);
      if (bytes() <= max_tile || (src_run <= line && dst_run <= line)) break;
      if (src_run >= dst_run) src_run /= 2;
      else dst_run /= 2;
    }
    while (bytes() < min_tile && grow((min_tile + bytes() - 1) / bytes())) {}
  }

  /// Has loops whole that are contiguous in the destination: as many as leave room for `src_run` bytes of each span of the source,
  /// or for half of that, down to two lines. Is there such a tile?
  bool choose_whole(std::int64_t src_run, std::int64_t min_tile, std::int64_t max_tile) {
    std::size_t whole = 0;
    for (std::int64_t covered = element_; whole < by_dst.size() && covered <= max_tile; ++whole) {
      if (step_of(by_dst[whole], false) != covered) break;
      covered *= at(by_dst[whole]).extent;
    }
    for (; whole > 0; --whole)
      for (std::int64_t run = src_run; run >= 2 * line; run /= 2) {
        std::fill(tile.begin(), tile.end(), 1);
        for (std::size_t k = 0; k < whole; ++k) tile[index(by_dst[k])] = at(by_dst[k]).extent;
        take(by_src, run, true);
        if (bytes() >= min_tile && bytes() <= max_tile) return true;
      }
    return false;
  }

  std::int64_t bytes() const { return std::accumulate(tile.begin(), tile.end(), element_, std::multiplies<>()); }

  /// Those that it reads: fewer where it repeats some.
  std::int64_t source_bytes() const {
    return std::accumulate(by_src.begin(), by_src.end(), element_,
                           [&](std::int64_t n, int i) { return n * tile[index(i)]; });
  }

  /// The bytes of the tile's contiguous spans on a side; gaps of less than a line belong to them in the source.
  std::int64_t run(bool source) const {
    std::int64_t covered = element_;
    for (int const i : source ? by_src : by_dst) {
      std::int64_t const step = step_of(i, source);
      if (tile[index(i)] == 1) continue;
      if (source ? step >= covered + line : step != covered) break;
      covered += (tile[index(i)] - 1) * step;
    }
    return covered;
  }

  /// Do all tiles start at cache lines of the destination?
  bool starts_with_lines(copy_request const& request) const {
    if (request.dst_alignment % line != 0 || m_->dst_offset * element_ % line != 0) return false;
    return std::all_of(by_dst.begin(), by_dst.end(), [&](int i) {
      return tile[index(i)] == at(i).extent || tile[index(i)] * step_of(i, false) % line == 0;
    });
  }

  /// Is what a tile writes, if it starts with a line, whole lines?
  bool writes_lines() const {
    return run(false) % line == 0 && std::all_of(by_dst.begin(), by_dst.end(), [&](int i) {
             return tile[index(i)] == 1 || step_of(i, false) < run(false) || step_of(i, false) % line == 0;
           });
  }
  /// At how many places within a cache line of the destination tiles start.
  std::int64_t phases() const {
    std::int64_t step = line;
    for (int const i : by_dst)
      if (tile[index(i)] != at(i).extent) step = std::gcd(step, tile[index(i)] * step_of(i, false));
    return line / step;
  }

  /// The loop along which the next tile's spans of the destination follow this one's; -1: none.
  int carried() const {
    std::int64_t covered = element_;
    for (int const i : by_dst) {
      if (step_of(i, false) != covered) break;
      if (tile[index(i)] != at(i).extent) return i;
      covered *= at(i).extent;
    }
    return -1;
  }
  /// The bytes of the destination that tiles along that loop write as one span.
  std::int64_t carried_run() const {
    int const i = carried();
    return i < 0 ? run(false) : step_of(i, false) * at(i).extent;
  }

  /// Are the spans of the source so many, and powers of two apart, that they throw each other out of a cache of these bytes?
  /// Spans 2^k bytes apart share a 2^k-th of its lines.
  bool shares_few_sets(std::int64_t cache_bytes) const {
    return std::any_of(by_src.begin(), by_src.end(), [&](int i) {
      std::int64_t const step = step_of(i, true), apart = step & -step;
      return step >= line && tile[index(i)] * apart > cache_bytes / 2;
    });
  }

  /// How far the spans of the source reach if they are as far apart as the largest power of two that divides the distances of
  /// all: they share the sets of a cache with all that is as far apart.
  std::int64_t reach() const {
    std::int64_t spans = 1, apart = 0, covered = element_;
    for (int const i : by_src) {
      std::int64_t const step = step_of(i, true);
      if (tile[index(i)] == 1) continue;
      if (spans == 1 && step < covered + line) {
        covered += (tile[index(i)] - 1) * step;
        continue;
      }
      spans *= tile[index(i)];
      apart = std::gcd(apart, step);
    }
    return spans * (apart & -apart);
  }

  std::vector<int> by_dst, by_src;  // the loops, fastest first; those of stride 0 have no place in the source

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  loop const& at(int i) const { return m_->loops[index(i)]; }
  std::int64_t step_of(int i, bool source) const { return magnitude(source ? at(i).src : at(i).dst) * element_; }
  /// Tiles of a multiple of this many steps start at cache lines.
  std::int64_t granule_of(int i) const { return line / std::gcd(line, step_of(i, false)); }

  /// How many times as far as its bytes the source's fastest loop reaches, where it leaves gaps of less than a line.
  std::int64_t gap() const {
    if (by_src.empty() || step_of(by_src[0], true) >= element_ + line) return 1;
    return std::max<std::int64_t>(1, step_of(by_src[0], true) / element_);
  }
  void take(std::vector<int> const& order, std::int64_t run, bool source) {
    std::int64_t covered = element_;
    if (source) run *= gap();
    for (int const i : order) {
      std::int64_t const step = step_of(i, source);
      if (covered >= run || step >= covered + line) break;
      std::int64_t const wanted = std::min(at(i).extent, (run - covered + step - 1) / step + 1);
      tile[index(i)] = std::max(tile[index(i)], evened(at(i).extent, wanted, source ? 1 : granule_of(i)));
      covered += (tile[index(i)] - 1) * step;
      if (tile[index(i)] < at(i).extent) break;
    }
  }
  /// Takes more of the fastest loop of the destination that is not whole.
  bool grow(std::int64_t factor) {
    for (int const i : by_dst) {
      std::int64_t& t = tile[index(i)];
      if (t == at(i).extent) continue;
      t = std::max(t, evened(at(i).extent, std::min(at(i).extent, t * factor), granule_of(i)));
      return true;
    }
    return false;
  }

  movement const* m_;
  std::int64_t element_;

 public:
  std::vector<std::int64_t> tile;
};

/// The rows and columns of transposes in registers: rows are the destination's fastest loops, columns the source's, the
/// side with fewer bytes next, until a loop is the other side's.
class transpose_chooser {
 public:
  /// `compacts`: the source's gaps are left out before, so that columns go on whatever their steps.
  transpose_chooser(movement const& m, tile_chooser const& tile, int register_bits, bool compacts = false)
      : m_(&m),
        tile_(&tile),
        element_(m.element_bits / 8),
        register_bits_(register_bits),
        compacts_(compacts) {
    bool const shared = !m.loops.empty() && m.loops[0].src == 1 && m.loops[0].dst == 1;
    unit_loop_ = shared ? 0 : -1;
    unit = element_ * (shared ? m.loops[0].extent : 1);
    is_possible = unit <= 16 && std::has_single_bit(static_cast<std::uint64_t>(unit)) &&
                  (!shared || tile.tile[0] == m.loops[0].extent);
    if (!is_possible) return;
    rows_.next = columns_.next = row_bytes = column_bytes = unit;
    for (bool more = true; more;) {
      bool const rows_first = row_bytes <= column_bytes;
      more =
          rows_first ? extend(rows_, true) || extend(columns_, false) : extend(columns_, false) || extend(rows_, true);
    }
    is_possible = !rows_.loops.empty() && !columns_.loops.empty();
  }

  double cycles() const { return cycles_of_transpose(row_bytes, column_bytes, unit, register_bits_); }
  std::vector<int> const& rows() const { return rows_.loops; }
  std::vector<int> const& columns() const { return columns_.loops; }
  bool is_possible = false;
  std::int64_t unit = 1, row_bytes = 0, column_bytes = 0;

 private:
  struct side {
    std::vector<int> loops;
    std::int64_t next = 0;  // the step in bytes that goes on without a gap
    bool is_full = false;
  };
  bool extend(side& s, bool destination) {
    if (s.is_full) return false;
    side const& other = destination ? columns_ : rows_;
    for (int const i : destination ? tile_->by_dst : tile_->by_src) {
      auto const at = static_cast<std::size_t>(i);
      std::int64_t const extent = tile_->tile[at];
      auto const has = [i](side const& one) {
        return std::find(one.loops.begin(), one.loops.end(), i) != one.loops.end();
      };
      if (i == unit_loop_ || extent == 1 || has(s)) continue;
      std::int64_t const step = magnitude(destination ? m_->loops[at].dst : m_->loops[at].src) * element_;
      if ((step != s.next && (destination || !compacts_)) || has(other)) break;
      s.loops.push_back(i);
      s.next *= extent;
      (destination ? row_bytes : column_bytes) *= extent;
      return true;
    }
    s.is_full = true;
    return false;
  }

  movement const* m_;
  tile_chooser const* tile_;
  std::int64_t element_;
  int register_bits_;
  bool compacts_;
  int unit_loop_ = -1;
  side rows_, columns_;
};

/// About the cycles for a line of the destination, which takes so many lookups. Windows of many spans are found in the
/// nearest cache only where that has room for the tile, and three pairs and more read an image of the source.
double cycles_of_lookups(cpu_engine::lookup_count const& count, std::int64_t window, tile_chooser const& tile) {
  constexpr std::int64_t near_bytes = 32 << 10;
  bool const has_spans = tile.run(true) < tile.bytes();
  double const each = (window == line ? 2 : 3) + (has_spans && tile.source_bytes() > near_bytes ? 2 : 0);
  double const image = has_spans && count.lookups > 2 ? cycles_of_image : 0;
  double const blocks = window == line ? 0 : count.lines / 2;
  // Spans shorter than a vector are written one by one from an image.
  std::int64_t const run = tile.run(false);
  double const writes = run < line ? cycles_of_image + 6 * line / static_cast<double>(run) : 0;
  return writes + image + 2 + blocks + (count.lookups <= 6 ? each : 7) * count.lookups;
}

constexpr std::int64_t max_phases = 4;  // of tiles that have tables for each place that they start at within a line

bool is_lines(tile_chooser const& tile, copy_request const& request) {
  return tile.starts_with_lines(request) && tile.writes_lines();
}

tile_chooser tile_of(movement const& m, copy_request const& request, machine_model const& machine, bool streaming) {
  cpu_tuning const& t = machine.tuning;
  tile_chooser chosen(m);
  chosen.choose(t.tile_source_bytes, t.tile_destination_bytes, t.tile_min_bytes, t.tile_max_bytes);
  for (std::int64_t run = t.tile_destination_bytes / 2; run >= line && chosen.reach() > t.crowded_bytes; run /= 2)
    chosen.choose(t.tile_source_bytes, run, t.tile_min_bytes / 4, t.tile_max_bytes);
  if (!streaming || is_lines(chosen, request)) return chosen;
  // Ends of spans are parts of lines, which must be read first: longer spans have fewer. Where there are none that are longer,
  // a line's worth of each span is not given up for them.
  std::int64_t const run = chosen.run(false), few_columns = 16 * m.element_bits / 8;
  tile_chooser longer(m);
  auto const choose = [&](std::int64_t share) {
    longer.choose(std::max(t.ragged_source_bytes, few_columns), std::max(line, t.ragged_destination_bytes / share),
                  t.tile_min_bytes, std::max(line, t.ragged_max_bytes / share));
  };
  choose(1);
  if (longer.phases() <= max_phases) choose(max_phases);  // each place has tables of its own, which take time to make
  if (longer.run(false) >= 2 * run && !longer.shares_few_sets(machine.block_bytes)) chosen = longer;
  else chosen.choose(t.tile_source_bytes, 4 * t.tile_destination_bytes, t.tile_min_bytes, 2 * t.tile_max_bytes);
  // Longest of all are those of loops that the tile has whole.
  tile_chooser whole(m);
  if (whole.choose_whole(2 * t.ragged_source_bytes, t.tile_min_bytes, t.whole_max_bytes) &&
      whole.run(false) >= 2 * chosen.run(false) && !whole.shares_few_sets(machine.block_bytes))
    chosen = whole;
  return chosen;
}

void give_reasons(copy_plan& plan, cpu_schedule const& s, tile_chooser const& chosen,
                  transpose_chooser const& transposes, double lookups) {
  auto const say = [&](std::string text) { plan.reasons.push_back(std::move(text)); };
  say(fmt::format("A tile of {} is read in spans of {} and written in spans of {}.", bytes_text(chosen.bytes()),
                  bytes_text(chosen.run(true)), bytes_text(chosen.run(false))));
  if (s.row_loops.empty())
    say(fmt::format("Each vector of the destination is put together by {:.1f} table lookups.", lookups));
  else {
    if (s.compacts) say("Its elements, which have gaps between them in the source, are gathered first.");
    say(fmt::format("Blocks of {} by {} of it are transposed in vector registers, in units of {}.",
                    bytes_text(transposes.row_bytes), bytes_text(transposes.column_bytes), bytes_text(s.unit_bytes)));
  }
  if (s.carries)
    say("The next tile goes on where the spans of this one end, and writes what is left of their last lines.");
  if (s.streaming)
    say(fmt::format("{} would push everything else out of the caches, so whole lines are written past them.",
                    bytes_text(plan.bytes / 2)));
  else say(why_through_caches(plan));
}

}  // namespace

double cycles_of_transpose(std::int64_t row_bytes, std::int64_t column_bytes, std::int64_t unit_bytes,
                           int register_bits) {
  auto const wasted = [](std::int64_t bytes, std::int64_t whole) {
    std::int64_t const used = (bytes + whole - 1) / whole * whole;
    return static_cast<double>(used) / static_cast<double>(bytes);
  };
  constexpr double start = 60;  // of one call
  double const lines = static_cast<double>(row_bytes * column_bytes / unit_bytes) / line;
  double const steps =
      4 - std::countr_zero(static_cast<std::uint64_t>(unit_bytes));  // that interleave the units of a block
  // Short rows fill blocks of 16 bytes, which are stored one by one.
  double const by_rows = (5 + steps) * wasted(row_bytes, line) * wasted(column_bytes, 16);
  double const by_columns = (22 - 2 * steps) * wasted(row_bytes, 16) * wasted(column_bytes, line);
  double const all = (row_bytes < 48 && column_bytes >= line ? std::min(by_rows, by_columns) : by_rows) + start / lines;
  // Columns shorter than a cache line are gathered one by one.
  double const gathered = column_bytes < line ? 3.0 * line / static_cast<double>(column_bytes) : 0;
  return gathered + (register_bits < 8 * line && unit_bytes >= 8 ? 1.5 * all : all);
}

char const* why_through_caches(copy_plan const& plan) {
  return plan.bytes / 2 < plan.machine.tuning.stream_bytes
             ? "The destination fits the caches, so it is written through them."
             : "The destination has short spans or fits the caches, so it is written through them.";
}

double cycles_of_ends(std::int64_t span_bytes) {
  constexpr double two_ends = 40;
  return two_ends * line / static_cast<double>(span_bytes);
}

namespace {

/// A schedule, and what speaks for it.
struct choice {
  tile_chooser tile;
  transpose_chooser transposes;
  cpu_schedule schedule;
  std::vector<int> order;
  cpu_engine::lookup_count lookups;
  double cycles = 0;
  bool is_transposed() const { return !schedule.row_loops.empty(); }
};

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
               (carries || request.dst_alignment % line != 0 || chosen.phases() > max_phases ||
                chosen.run(false) < plan.machine.tuning.tile_destination_bytes);
  choice out{chosen, transpose_chooser(m, chosen, plan.machine.widest_access_bits), s, chosen.by_dst, {}};
  auto const step = [&](int i) { return magnitude(m.loops[static_cast<std::size_t>(i)].src); };
  std::stable_sort(out.order.begin(), out.order.end(), [&](int a, int b) { return step(a) < step(b); });
  if (carries) {
    auto const first = std::find(out.order.begin(), out.order.end(), chosen.carried());
    std::rotate(out.order.begin(), first, first + 1);
  }
  plan.tile = chosen.tile;
  plan.schedule = s;

  std::int64_t const window = plan.machine.widest_access_bits >= 8 * line ? line : 16;
  out.lookups = cpu_engine::lookups_per_vector(plan, window);
  double const ends =
      streaming && !s.whole_lines ? cycles_of_ends(carries ? chosen.carried_run() : chosen.run(false)) : 0;
  out.cycles = cycles_of_lookups(out.lookups, window, chosen) + ends + (s.buffered ? cycles_of_image : 0);
  auto const has_image = [&](transpose_chooser const& one) {
    return streaming && !(s.whole_lines && one.row_bytes % line == 0);
  };
  transpose_chooser& transposes = out.transposes;
  double transposed =
      transposes.is_possible ? transposes.cycles() + ends + (has_image(transposes) ? cycles_of_image : 0) : out.cycles;
  if (transpose_chooser const compact(m, chosen, plan.machine.widest_access_bits, true); compact.is_possible) {
    auto const gathers = cpu_engine::lookups_per_vector(plan, window, true);
    double const both = compact.cycles() + cycles_of_lookups(gathers, window, chosen) + cycles_of_image + ends +
                        (has_image(compact) ? cycles_of_image : 0);
    out.schedule.compacts = both < std::min(transposed, out.cycles);
    if (out.schedule.compacts) transposes = compact, transposed = both;
  }
  if (transposes.is_possible && transposed < out.cycles) {
    out.cycles = transposed;
    out.schedule.unit_bytes = transposes.unit;
    out.schedule.row_loops = transposes.rows();
    out.schedule.column_loops = transposes.columns();
    out.schedule.buffered = has_image(transposes);
  }
  return out;
}

/// Transposes whose spans go on from tile to tile are put together in an image of the nearest cache, and what they write are
/// whole lines. Lookups write lines without an image, so longer spans are better for them, unless each vector needs many lines
/// of the source, which have to stay in the nearest cache.
std::optional<choice> carrying_choice(copy_plan& plan, copy_request const& request, choice const& other) {
  cpu_tuning const& t = plan.machine.tuning;
  // Tiles that write whole lines need no carrying, unless the caches have no room for what they read or put together.
  constexpr double many_lines = 4;
  bool const has_blocks = plan.machine.widest_access_bits < 8 * line;
  bool const has_image = other.schedule.buffered || (has_blocks && other.lookups.lines >= many_lines);
  bool const fits = !has_image || other.tile.bytes() <= 3 * t.carried_max_bytes;
  if (!other.schedule.streaming || (other.schedule.whole_lines && fits)) return {};
  tile_chooser tile(plan.moves);
  tile.choose(t.carried_source_bytes, t.carried_destination_bytes, t.tile_min_bytes, t.carried_max_bytes);
  constexpr std::int64_t few_tiles = 4;  // shorter chains have too many ends
  if (tile.carried() < 0 || tile.run(false) < line ||
      tile.carried_run() < std::max(t.carried_run_bytes, few_tiles * tile.run(false)))
    return {};
  choice out = choice_of(plan, request, true, tile, true);
  bool const needs_lines = has_blocks && std::min(out.lookups.lines, other.lookups.lines) >= many_lines;
  bool const is_better = other.is_transposed() || needs_lines || out.cycles < other.cycles;
  if (!is_better || !(out.is_transposed() || needs_lines) || out.schedule.compacts) return {};
  return out;
}

}  // namespace

double schedule_tile(copy_plan& plan, copy_request const& request, bool streaming) {
  choice best = choice_of(plan, request, streaming, tile_of(plan.moves, request, plan.machine, streaming), false);
  if (auto carrying = carrying_choice(plan, request, best)) best = std::move(*carrying);
  cpu_schedule const& s = best.schedule;
  give_reasons(plan, s, best.tile, best.transposes, best.lookups.lookups);
  plan.path = s.whole_lines || !streaming ? copy_path::direct : copy_path::staged;
  plan.tile = best.tile.tile;
  plan.order = best.order;
  plan.schedule = s;
  return best.cycles;
}

}  // namespace tilewright::plan
