// Tiles are enumerated from extents that hold short runs whole and long ones in whole cache lines. What a tile costs was
// fitted to some 9,000 tilings of 107 permutations measured on an H200: how short the pieces are in which a tile reads and
// writes memory, how far it is from the size that keeps enough bytes in flight with enough blocks to share them evenly,
// and how much of it extends beyond the tensor's end.
#include "engine/plan/cuda_tiles.hpp"
#include "engine/memory_units.hpp"

#include "tilewright/base/math.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

namespace tilewright::plan {
namespace {

using math::ceil_div;
using std::int64_t;

constexpr int64_t line_bytes = engine::gpu_line;  // of the second-level cache: pieces of runs end with lines
constexpr int64_t usual_most_tile_bytes = 40 * 1024;
constexpr double max_shared_share = 0.3;   // of a multiprocessor's shared memory for a tile: two blocks fit, padded
constexpr int64_t memory_row_bytes = 512;  // pieces that are no part and no multiple of it open more of them

/// What was fitted, for one kind of kernel: costs are shares of a plain copy's time.
struct fitted_costs {
  double src_pieces, dst_pieces;  // of pieces of one cache line, on either side,
  double fall;                    // which longer ones have less of by this power of their length
  double apart;                   // by how much more where tiles are apart, times what that costs in itself
  double best_tile_bytes;         // with enough bytes in flight, and enough blocks to share them evenly
  double smaller, larger;         // for each squared power of two that a tile is off
  double part_lines;              // of a cache line that is moved twice now and then, since pieces end within it
  double overhang;                // of what is beyond the tensor's end
};
constexpr double kib = 1024;
// Vectors along a run of both sides; tiles of words and longer elements; tiles of elements below a word.
constexpr fitted_costs through_registers{0.1, 0.2, 2, 0, 4 * kib, 0.01, 0.01, 0.2, 0.2};
constexpr fitted_costs through_shared{0.055, 0.07, 0.95, 30, 11 * kib, 0.02, 0.0145, 0.23, 0.4};
constexpr fitted_costs packed_words{0.055, 0.05, 0.9, 95, 5.5 * kib, 0.02, 0.0155, 0.23, 0.45};
constexpr double cut_src_rows = 0.02, cut_dst_rows = 0.028;
// Through registers, for each power of two: of bytes that a block has too few of to keep enough in flight, and of vectors that
// a thread has too many of to read them all before it writes (runs of 26 copies on an H200 and an H100).
constexpr double enough_bytes = 3.25 * kib, few_bytes = 0.08, few_vectors = 4.5, many_vectors = 0.06;
constexpr double few_blocks = 8;  // of a processor: tiles of smaller copies are chosen to share them evenly

/// Extents of a run's tile: whole pieces, or the whole run.
std::vector<int64_t> run_extents(int64_t extent, int64_t unit, int64_t bytes, bool is_shared, bool keep_whole) {
  std::vector<int64_t> out;
  auto const add = [&](int64_t t) {
    t = std::min<int64_t>(ceil_div(t, unit) * unit, extent);
    if (t > 0 && std::find(out.begin(), out.end(), t) == out.end()) out.push_back(t);
  };
  if (extent * bytes <= 2 * short_run_bytes) add(extent);
  if (extent * bytes <= short_run_bytes && keep_whole) return out;
  int64_t const line = std::max<int64_t>(1, line_bytes / bytes);
  for (int64_t const lines : {1, 2, 3, 4, 8, 16, 32}) add(line * lines);
  if (is_shared) add(line * 64);
  for (int64_t parts = 2; parts <= 12; ++parts) {
    int64_t const even = ceil_div(ceil_div(extent, parts), line) * line;
    if (even * bytes >= 2 * line_bytes && even * bytes <= 6 * line_bytes) add(even);
  }
  return out;
}

/// What it costs that rows of one side are so far aligned: requests touch a sector more, and small words take more of them.
double narrow_cost(int bytes) {
  return bytes >= 16 ? 0.0 : bytes >= 8 ? 0.08 : bytes >= 4 ? 0.12 : bytes >= 2 ? 0.25 : 0.85;
}

/// The bytes that follow each other within a tile; whole: they are whole loops, so that the next tile goes on where they
/// end.
int64_t run_bytes(movement const& m, std::vector<int64_t> const& tile, bool source, bool& whole) {
  int64_t next = 1;
  whole = false;
  for (int const l : loops_by(m, source)) {
    loop const& x = m.loops[static_cast<std::size_t>(l)];
    if (std::abs(source ? x.src : x.dst) != next) break;
    int64_t const t = tile[static_cast<std::size_t>(l)];
    if (t == 1 && next > 1) break;
    next *= t;
    whole = t == x.extent;
    if (!whole) break;
  }
  return next * m.element_bits / 8;
}

/// Is the side's run cut into pieces that are no part and no multiple of a memory row, although its rows begin with one?
bool cuts_rows(movement const& m, std::vector<int64_t> const& tile, int along, bool source) {
  int64_t const bytes = m.element_bits / 8;
  auto const i = static_cast<std::size_t>(along);
  int64_t const piece = tile[i] * bytes;
  if (tile[i] == m.loops[i].extent || memory_row_bytes % piece == 0 || piece % memory_row_bytes == 0) return false;
  for (std::size_t l = 0; l < m.loops.size(); ++l)
    if (l != i && (source ? m.loops[l].src : m.loops[l].dst) * bytes % memory_row_bytes != 0) return false;
  return true;
}

std::vector<std::vector<int64_t>> tiles_of(movement const& m, run_facts const& f, machine_model const& machine) {
  std::vector<std::vector<int64_t>> tiles;
  int const bytes = m.element_bits / 8;
  bool const shared_run = f.along_src == f.along_dst;
  auto const extent = [&](int l) { return m.loops[static_cast<std::size_t>(l)].extent; };
  int64_t max_tile_bytes = usual_most_tile_bytes;
  if (!shared_run && machine.near_bytes > 0)
    max_tile_bytes = static_cast<int64_t>(max_shared_share * static_cast<double>(machine.near_bytes));

  // Extents of the two runs, then of the loops that go on where a whole run ends.
  auto const size = [&](std::vector<int64_t> const& t) {
    return std::accumulate(t.begin(), t.end(), int64_t{bytes}, [](int64_t a, int64_t b) { return a * b; });
  };
  auto const more = [&](std::vector<int64_t> const& base, int l, auto const& use) {
    for (int64_t t = 1; t <= extent(l); t = t < 4 ? t + 1 : t * 2) {
      auto tile = base;
      tile[static_cast<std::size_t>(l)] = std::max(base[static_cast<std::size_t>(l)], t);
      if (size(tile) > max_tile_bytes) break;
      use(tile);
      if (t * 2 > extent(l) && t < extent(l) && t >= 4) {
        tile[static_cast<std::size_t>(l)] = extent(l);
        if (size(tile) <= max_tile_bytes) use(tile);
      }
    }
  };
  auto const next_of = [&](std::vector<int> const& order) {
    for (int const l : order)
      if (l != f.along_src && l != f.along_dst) return l;
    return -1;
  };
  int const next_src = next_of(loops_by(m, true)), next_dst = next_of(loops_by(m, false));
  for (bool const keep_whole : {!shared_run, false}) {
    int64_t const src_unit = shared_run ? f.run_vector : std::max(f.src_vector, f.packed);
    for (int64_t const s : run_extents(extent(f.along_src), src_unit, bytes, shared_run, keep_whole)) {
      for (int64_t const d : shared_run ? std::vector<int64_t>{s}
                                        : run_extents(extent(f.along_dst), f.dst_vector, bytes, false, keep_whole)) {
        std::vector<int64_t> base(m.loops.size(), 1);
        base[static_cast<std::size_t>(f.along_src)] = s;
        base[static_cast<std::size_t>(f.along_dst)] = d;
        if (size(base) > max_tile_bytes) continue;
        auto const with_src = [&](std::vector<int64_t> const& tile) {
          if (next_src >= 0 && next_src != next_dst) more(tile, next_src, [&](auto const& t) { tiles.push_back(t); });
          else tiles.push_back(tile);
        };
        if (next_dst >= 0) more(base, next_dst, with_src);
        else with_src(base);
      }
    }
    if (!tiles.empty()) break;
  }
  return tiles;
}

/// Of a tile of so many bytes through registers.
double cost_of_vectors(run_facts const& f, int element, double volume) {
  double const of_thread =
      volume / (f.run_vector * element) / static_cast<double>(threads_for_runs(static_cast<int64_t>(volume)));
  return few_bytes * std::max(0.0, std::log2(enough_bytes / volume)) +
         many_vectors * std::max(0.0, std::log2(of_thread / few_vectors));
}

weighed_tile weigh(movement const& m, run_facts const& f, machine_model const& machine, std::vector<int64_t> tile) {
  weighed_tile out;
  int const bytes = m.element_bits / 8;
  bool const shared_run = f.along_src == f.along_dst, direct = is_direct(m, f, tile);
  fitted_costs const& fitted = direct ? through_registers : bytes < 4 ? packed_words : through_shared;
  double covered = 1, volume = bytes;
  for (std::size_t l = 0; l < tile.size(); ++l) {
    int64_t const extent = m.loops[l].extent;
    covered *= static_cast<double>(ceil_div(extent, tile[l]) * tile[l]) / static_cast<double>(extent);
    volume *= static_cast<double>(tile[l]);
  }
  // Pieces that are short, and cache lines that no whole number of pieces fills, which are moved twice now and then.
  double pieces = 0, parts = 0;
  for (bool const source : {true, false}) {
    bool whole = false;
    int64_t const run = run_bytes(m, tile, source, whole);
    double const lines = static_cast<double>(run) / line_bytes;
    pieces += (source ? fitted.src_pieces : fitted.dst_pieces) * std::pow(lines, -fitted.fall);
    if (!whole && run % line_bytes != 0) parts += fitted.part_lines / lines;
    (source ? out.src_run : out.dst_run) = run;
  }
  double narrow = 0, cut = 0;
  if (!shared_run) {
    narrow = narrow_cost(f.src_vector * bytes) + narrow_cost(f.dst_vector * bytes);
    cut = (cuts_rows(m, tile, f.along_src, true) ? cut_src_rows : 0) +
          (cuts_rows(m, tile, f.along_dst, false) ? cut_dst_rows : 0);
  }
  double const total = static_cast<double>(m.elements) * bytes;
  double const off = std::log2(volume / std::clamp(total / machine.processors / 8, 2048.0, fitted.best_tile_bytes));
  out.extents = std::move(tile);
  out.any_tile = 1 + narrow;
  out.cost = out.any_tile + cut + pieces + parts + fitted.overhang * (covered - 1) +
             (off < 0 ? fitted.smaller : fitted.larger) * off * off;
  if (direct && total >= few_blocks * enough_bytes * machine.processors) out.cost += cost_of_vectors(f, bytes, volume);
  out.apart = fitted.apart * pieces;
  return out;
}

}  // namespace

std::vector<int> loops_by(movement const& m, bool source) {
  std::vector<int> order(m.loops.size());
  std::iota(order.begin(), order.end(), 0);
  auto const stride = [&](int l) {
    loop const& x = m.loops[static_cast<std::size_t>(l)];
    int64_t const s = std::abs(source ? x.src : x.dst);
    return s == 0 ? INT64_MAX : s;
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return stride(a) < stride(b); });
  return order;
}

int threads_for_runs(int64_t tile_bytes) { return tile_bytes <= 8 * 1024 ? 256 : 512; }

bool is_direct(movement const& m, run_facts const& f, std::vector<int64_t> const& tile) {
  return f.along_src == f.along_dst && tile[0] * m.element_bits / 8 >= line_bytes / 2;
}

std::vector<weighed_tile> weighed_tiles(movement const& m, run_facts const& f, machine_model const& machine) {
  std::vector<weighed_tile> out;
  for (auto& tile : tiles_of(m, f, machine)) out.push_back(weigh(m, f, machine, std::move(tile)));
  return out;
}

}  // namespace tilewright::plan
