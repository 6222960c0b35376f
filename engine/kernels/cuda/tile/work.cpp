#include "engine/kernels/cuda/tile/work.hpp"
#include "engine/memory_units.hpp"

#include "engine/plan/banks.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace tilewright::kernels {
namespace {

using plan::lanes;
using std::int64_t;
using std::size_t;

constexpr int64_t line_bytes = engine::gpu_line;
constexpr int sampled_warps = 3, sampled_steps = 4, sampled_parts = 4;

struct position {
  int row = 0, access = 0;
};

/// As tile_copy::position_of (body.hpp) says.
class side_work {
 public:
  side_work(tile_numbers const& n, tile_numbers::side const& s) : n_(n), s_(s) {}

  tile_work::side run() const {
    int const warps = n_.threads / lanes, steps = step_count();
    tile_work::side out;
    int probes = 0;
    int64_t lanes_at_work = 0;
    for (int w = 0; w < std::min(warps, sampled_warps); ++w)
      for (int i = 0; i < std::min(steps, sampled_steps); ++i, ++probes) {
        int const warp = w * warps / std::min(warps, sampled_warps), step = i * steps / std::min(steps, sampled_steps);
        std::array<position, lanes> at{};
        int count = 0;
        for (int lane = 0; lane < lanes; ++lane)
          if (take(warp * lanes + lane, step, at[static_cast<size_t>(count)])) ++count;
        lanes_at_work += count;
        if (count == 0) continue;
        out.lines += lines_of(at, count) * s_.packed;
        out.shared_cycles += cycles_of(at, count);
      }
    double const all = static_cast<double>(warps) * steps;
    out.requests = all;
    out.lines *= all / probes;
    out.shared_cycles *= all / probes;
    out.idle = 1 - static_cast<double>(lanes_at_work) / (lanes * static_cast<double>(probes));
    return out;
  }

 private:
  int step_count() const {
    int const at_once = n_.threads / s_.accesses;
    if (s_.lanes != s_.accesses) {
      int const rows = (s_.rows + s_.row_lanes - 1) / s_.row_lanes * s_.row_lanes;
      return (rows * s_.accesses + n_.threads - 1) / n_.threads;
    }
    if (at_once == 0) return s_.rows * ((s_.accesses + n_.threads - 1) / n_.threads);
    return (s_.rows + at_once - 1) / at_once;
  }

  bool take(int thread, int step, position& out) const {
    if (s_.lanes != s_.accesses) {
      int const groups = s_.accesses / s_.lanes, item = thread + step * n_.threads,
                group = item / (s_.lanes * s_.row_lanes);
      out = {group / groups * s_.row_lanes + item / s_.lanes % s_.row_lanes,
             group % groups * s_.lanes + item % s_.lanes};
    } else if (s_.accesses <= n_.threads) {
      int const at_once = n_.threads / s_.accesses;
      out = {thread / s_.accesses + step * at_once, thread % s_.accesses};
      if (thread >= at_once * s_.accesses) return false;
    } else {
      int const steps = (s_.accesses + n_.threads - 1) / n_.threads;
      out = {step / steps, thread + step % steps * n_.threads};
      if (out.access >= s_.accesses) return false;
    }
    return out.row < s_.rows;
  }

  static int64_t place_in(std::vector<tile_numbers::mode> const& modes, int64_t index, int64_t& offset) {
    int64_t place = 0;
    for (size_t i = 0; i < modes.size(); ++i) {
      tile_numbers::mode const& m = modes[i];
      int64_t const x = i + 1 == modes.size() ? index : index % m.extent;
      index /= m.extent;
      place += (m.flipped ? m.extent - 1 - x : x) * m.place;
      offset += x * m.step;
    }
    return place;
  }

  /// A shifted row of the destination begins within an access, of which it has so many elements less than the first row has.
  int64_t lead(int row) const {
    if (!s_.is_target || !s_.shifted) return 0;
    int64_t begin = 0;
    (void)place_in(s_.row_modes, row, begin);
    return begin / n_.element % s_.vector;
  }

  int lines_of(std::array<position, lanes> const& at, int count) const {
    int64_t const bytes = int64_t{s_.vector} * n_.element;
    std::array<int64_t, 2 * lanes> lines{};
    size_t n = 0;
    for (int i = 0; i < count; ++i) {
      position const& p = at[static_cast<size_t>(i)];
      int64_t begin = 0;
      (void)place_in(s_.row_modes, p.row, begin);
      begin += (int64_t{p.access} * s_.vector - lead(p.row)) * s_.run_step;
      lines[n++] = begin >= 0 ? begin / line_bytes : (begin - line_bytes + 1) / line_bytes;
      int64_t const last = begin + bytes - 1;
      lines[n++] = last >= 0 ? last / line_bytes : (last - line_bytes + 1) / line_bytes;
    }
    std::sort(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(n));
    return static_cast<int>(std::unique(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(n)) - lines.begin());
  }

  /// Cycles of all accesses to shared memory that one access to global memory has.
  double cycles_of(std::array<position, lanes> const& at, int count) const {
    int const bytes = s_.vector * n_.element;
    if (s_.packed > 1) return static_cast<double>(s_.vector) * cycles_of_part(at, count, 0, word_bytes);
    if (!s_.is_target) {
      int const width = std::min(n_.store_bytes, bytes), parts = bytes / width;
      return static_cast<double>(parts) * cycles_of_part(at, count, 0, width);
    }
    if ((s_.patterned || s_.pattern_pieces) && s_.pattern.unit > 0) return cycles_of_units(at, count);
    bool const by_words = s_.pieced || (s_.joined && (bytes >= word_bytes || s_.joined_alignment >= bytes));
    if (s_.joined && by_words && s_.joined_alignment >= bytes && !s_.shifted)
      return cycles_of_part(at, count, 0, bytes);
    int const parts = by_words ? bytes / word_bytes : s_.vector, width = by_words ? word_bytes : n_.element,
              step = by_words ? word_bytes / n_.element : 1;
    double total = 0;
    int probes = 0;
    for (int i = 0; i < parts; i += std::max(1, parts / sampled_parts), ++probes)
      total += cycles_of_part(at, count, i * step, width);
    return total / probes * parts + (by_words && n_.element < word_bytes ? 1 : 0);
  }

  double cycles_of_units(std::array<position, lanes> const& at, int count) const {
    auto const units = static_cast<int>(s_.pattern.units.size());
    double total = 0;
    int probes = 0;
    for (int u = 0; u < units; u += std::max(1, units / sampled_parts), ++probes)
      total += cycles_of_part(at, count, 0, s_.pattern.unit, s_.pattern.units[static_cast<size_t>(u)]);
    return total / probes * units * (s_.pattern.is_aligned ? 1 : 1.5) * (s_.pattern_pieces ? 1.3 : 1);
  }

  /// bytes_on: from the place of element `part` of each access
  int cycles_of_part(std::array<position, lanes> const& at, int count, int part, int width, int bytes_on = 0) const {
    std::array<int64_t, lanes> begin;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      position const& p = at[i];
      int64_t ignored = 0;
      int64_t const x = std::clamp<int64_t>(int64_t{p.access} * s_.vector + part - lead(p.row), 0, s_.run_length - 1);
      begin[i] = place_in(s_.row_modes, p.row, ignored) + place_in(s_.run_modes, x, ignored) + bytes_on;
    }
    return static_cast<int>(plan::bank_cycles(std::span(begin).first(static_cast<size_t>(count)), width));
  }

  tile_numbers const& n_;
  tile_numbers::side const& s_;
};

places places_of(tile_numbers const& n, tile_numbers::side const& s) {
  int const bytes = s.vector * n.element;
  if (s.joined && (bytes >= word_bytes || s.joined_alignment >= bytes)) return places::joined;
  if (s.patterned) return places::patterned;
  if (s.pieced) return places::pieced;
  if (s.pattern_pieces) return places::woven;
  if (s.strided) return places::strided;
  if (s.counted) return places::counted;
  if (!s.tabled_places || s.place_step != 1) return places::even;
  return s.looks_up_vectors() ? places::packed : places::tabled;
}

/// The share of tiles that are cut off along some loop.
double cut_share(tile_numbers const& n) {
  double whole = 1;
  for (tile_numbers::grid_mode const& m : n.modes)
    if (m.limit >= 0) whole *= 1 - 1.0 / m.extent;
  return 1 - whole;
}

/// Of the pipelined kernel, for which a block has places from the tiles before; a tile that is cut off asks for each access whether
/// it is there. Counted by the hardware for 18 kernels, to a fifth.
double pipelined_instructions(tile_numbers const& n, tile_work const& work) {
  constexpr double of_tile = 75, of_granule = 12, of_access = 4, of_shift = 10, of_cut = 30;
  double const each = n.element < word_bytes ? 3 : 2;  // a place, a load, and into a word
  double const access = of_access + n.write.vector * each + (n.write.shifted ? of_shift : 0) + cut_share(n) * of_cut;
  return static_cast<double>(n.threads) / lanes * of_tile + work.read.requests * of_granule +
         work.write.requests * access;
}

double instructions_of(tile_numbers const& n, tile_work const& work) {
  if (n.stages > 0) return pipelined_instructions(n, work);
  constexpr double of_tile = 60, of_entry = 20;  // of a table
  double const warps = static_cast<double>(n.threads) / lanes;
  double entries = 0;
  for (tile_numbers::side const* s : {&n.read, &n.write}) {
    if (s->tabled_rows) entries += s->rows;
    if (s->tabled_places) entries += s->table_length;
  }
  int const read_bytes = n.read.vector * n.element, write_bytes = n.write.vector * n.element;
  double out = warps * of_tile + entries * of_entry / lanes;
  out += work.read.requests *
         read_instructions(read_bytes, n.store_bytes, n.read.packed, n.read.shifted, n.read.tabled_places);
  out += work.write.requests * write_instructions(write_bytes, n.element, n.write.shifted, places_of(n, n.write),
                                                  static_cast<int>(n.write.run_modes.size()),
                                                  n.write.pattern.instructions);
  if (n.write.shifted) out += end_instructions * 2 * n.write.vector * n.write.rows / lanes;
  return out;
}

}  // namespace

tile_work work_of(tile_numbers const& n) {
  tile_work out{side_work(n, n.read).run(), side_work(n, n.write).run(), 0};
  out.instructions = instructions_of(n, out);
  out.write.shared_cycles +=
      out.write.requests * n.write.vector * costs_of(places_of(n, n.write), 1).loads;  // of tables
  return out;
}

}  // namespace tilewright::kernels
