// Tiles are enumerated from extents that hold short runs whole and long ones in whole cache lines. What a tile costs was
// fitted to some 4,600 tilings of 107 permutations measured on an H200: how short the pieces are in which a tile reads and
// writes memory, how far it is from the size that keeps enough bytes in flight with enough blocks to share them evenly,
// and how much of it hangs over the tensor's end.
#include "engine/plan/cuda_candidates.hpp"

#include "engine/plan/cuda_interleaved.hpp"
#include "engine/plan/cuda_realigned.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

namespace tilewright::plan {
namespace {

using std::int64_t;

constexpr int64_t line_bytes = 128;       // of the second-level cache: pieces of runs end with lines
constexpr int64_t short_run_bytes = 512;  // runs up to here stay whole
constexpr int64_t most_tile_bytes = 40 * 1024;

/// What was fitted, for one kind of kernel: costs are shares of a plain copy's time.
struct fitted_costs {
  double src_pieces, dst_pieces;  // of pieces of one cache line, on either side,
  double fall;                    // which longer ones have less of by this power of their length
  double best_tile_bytes;         // with enough bytes in flight, and enough blocks to share them evenly
  double smaller, larger;         // for each squared power of two that a tile is off
};
constexpr fitted_costs through_registers{0.1, 0.2, 2, 4 * 1024, 0.01, 0.01};  // vectors along a run of both sides
constexpr fitted_costs through_shared{0.08, 0.04, 2, 12 * 1024, 0.02, 0.06};  // tiles of words and longer elements
constexpr fitted_costs packed_words{0.15, 0.12, 1.5, 12 * 1024, 0.02, 0.04};  // tiles of elements below a word

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t power_of_two_in(int64_t a, int64_t most) {
  int64_t n = 1;
  while (n < most && a % (2 * n) == 0) n *= 2;
  return n;
}

int64_t power_of_two_up_to(int64_t a) {
  int64_t n = 1;
  while (2 * n <= a) n *= 2;
  return n;
}

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

/// Extents of a run's tile: whole pieces, or the whole run.
std::vector<int64_t> run_extents(int64_t extent, int64_t unit, int64_t bytes, bool is_shared, bool keep_whole) {
  std::vector<int64_t> out;
  auto const add = [&](int64_t t) {
    t = std::min(ceil_div(t, unit) * unit, extent);
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

/// What it costs that a side is accessed in pieces of a run, in shares of the time of a plain copy; `whole`: a piece is a
/// run of its own, else a cache line that is no whole part of it is moved twice now and then.
double pieces_cost(int64_t run_bytes, bool whole, double weight, double fall) {
  double const lines = static_cast<double>(run_bytes) / line_bytes;
  return weight * std::pow(lines, -fall) + (whole || run_bytes % line_bytes == 0 ? 0 : 0.2 / lines);
}

/// What it costs that rows of one side are so far aligned: requests touch a sector more, and small words take more of them.
double narrow_cost(int bytes) {
  return bytes >= 16 ? 0.0 : bytes >= 8 ? 0.08 : bytes >= 4 ? 0.12 : bytes >= 2 ? 0.25 : 0.85;
}

/// The bytes that follow each other within a tile.
int64_t run_bytes(movement const& m, std::vector<int64_t> const& tile, bool source, bool& whole) {
  int64_t next = 1;
  whole = false;
  for (int const l : loops_by(m, source)) {
    loop const& x = m.loops[static_cast<std::size_t>(l)];
    if (std::abs(source ? x.src : x.dst) != next) break;
    int64_t const t = tile[static_cast<std::size_t>(l)];
    next *= t;
    whole = t == x.extent;
    if (!whole) break;
  }
  return next * m.element_bits / 8;
}

/// Do both sides share a run that is long enough to be read and written in place?
bool is_direct(movement const& m, run_facts const& f, std::vector<int64_t> const& tile) {
  return f.along_src == f.along_dst && tile[0] * m.element_bits / 8 >= line_bytes / 2;
}

/// Small tiles: one or two vectors for each thread, so that what is under way at a time lies close together.
int threads_for_runs(int64_t tile_bytes) { return tile_bytes <= 8 * 1024 ? 256 : 512; }

/// Of kernels that permute bytes: few threads are idle, and not many in a block, since permuting takes registers.
int busy_threads(int64_t vectors) {
  int out = 256;
  double best = 0;
  for (int const n : {384, 512, 256, 448, 320, 288}) {
    double const busy = static_cast<double>(vectors) / static_cast<double>(ceil_div(vectors, n) * n);
    if (busy <= best + 0.05) continue;
    best = busy;
    out = n;
  }
  return out;
}

/// Of kernels that move words: a thread that reads one vector waits at the barrier as long as one that reads two.
int word_threads(int64_t vectors) {
  for (int const n : {512, 448, 384, 320, 288, 256, 192})
    if (vectors >= 2 * n) return n;
  return 128;
}

/// `threads`: of a block, 0 for as many as measured best with tiles of that size.
cuda_schedule schedule_of(movement const& m, run_facts const& f, cuda_candidate const& c, int threads = 0) {
  int64_t const elements = std::accumulate(c.tile.begin(), c.tile.end(), int64_t{1}, std::multiplies<>());
  if (is_direct(m, f, c.tile)) {
    if (threads == 0) threads = threads_for_runs(elements * m.element_bits / 8);
    return runs_schedule(m, c.tile, loops_by(m, false), f.run_vector, threads, c.order);
  }
  staged_choice choice;
  choice.tile = c.tile;
  choice.along_src = f.along_src;
  choice.along_dst = f.along_dst;
  choice.src_vector = f.src_vector;
  choice.dst_vector = f.dst_vector;
  choice.packed = f.packed;
  choice.write_at_once = std::max(1, 16 / (f.dst_vector * std::max(1, m.element_bits / 32)));
  choice.order = c.order;
  choice.threads = threads == 0 ? 256 : threads;
  if (threads == 0)
    choice.threads = f.packed > 1 ? busy_threads(elements / f.src_vector) : word_threads(elements / f.src_vector);
  return staged_schedule(m, choice);
}

}  // namespace

run_facts facts_of(movement const& m, copy_request const& request) {
  run_facts f;
  f.along_src = loops_by(m, true).front();
  int64_t const bytes = std::max(1, m.element_bits / 8);
  auto const width = [&](bool source, int along) {
    loop const& run = m.loops[static_cast<std::size_t>(along)];
    if ((source ? run.src : run.dst) != 1) return int64_t{1};
    int64_t most =
        std::max<int64_t>(1, std::min<int64_t>(16, source ? request.src_alignment : request.dst_alignment) / bytes);
    swizzle_value const& swizzle = source ? m.src_swizzle : m.dst_swizzle;
    if (swizzle.bits != 0) most = std::min(most, int64_t{1} << std::min(swizzle.base, 10));
    most = power_of_two_in(source ? m.src_offset : m.dst_offset, most);
    if (f.along_src != f.along_dst) most = power_of_two_in(run.extent, most);
    for (std::size_t l = 0; l < m.loops.size(); ++l)
      if (static_cast<int>(l) != along) most = power_of_two_in(source ? m.loops[l].src : m.loops[l].dst, most);
    return most;
  };
  f.src_vector = static_cast<int>(width(true, f.along_src));
  f.dst_vector = static_cast<int>(width(false, f.along_dst));
  if (f.along_src == f.along_dst) {
    f.src_vector = f.dst_vector = 1;
    loop const& run = m.loops.front();
    if (run.src == 1 && run.dst == 1)
      f.run_vector = static_cast<int>(std::min({width(true, 0), width(false, 0), power_of_two_up_to(run.extent)}));
  } else if (bytes < 4 && f.src_vector * bytes >= 4) {
    f.packed = static_cast<int>(4 / bytes);
    if (f.dst_vector < f.packed) f.dst_vector = 1;
  }
  return f;
}

std::vector<cuda_candidate> candidates_of(movement const& m, copy_request const& request, machine_model const& machine,
                                          std::size_t most) {
  std::vector<cuda_candidate> out;
  run_facts const f = facts_of(m, request);
  int const bytes = m.element_bits / 8, loops = static_cast<int>(m.loops.size());
  bool const shared_run = f.along_src == f.along_dst;
  auto const extent = [&](int l) { return m.loops[static_cast<std::size_t>(l)].extent; };
  std::vector<int> const by_src = loops_by(m, true), by_dst = loops_by(m, false);

  // The tiles: extents of the two runs, then of the loops that go on where a whole run ends.
  std::vector<std::vector<int64_t>> tiles;
  auto const size = [&](std::vector<int64_t> const& t) {
    return std::accumulate(t.begin(), t.end(), int64_t{bytes}, [](int64_t a, int64_t b) { return a * b; });
  };
  auto const more = [&](std::vector<int64_t> const& base, int l, auto const& use) {
    for (int64_t t = 1; t <= extent(l); t = t < 4 ? t + 1 : t * 2) {
      auto tile = base;
      tile[static_cast<std::size_t>(l)] = std::max(base[static_cast<std::size_t>(l)], t);
      if (size(tile) > most_tile_bytes) break;
      use(tile);
      if (t * 2 > extent(l) && t < extent(l) && t >= 4) {
        tile[static_cast<std::size_t>(l)] = extent(l);
        if (size(tile) <= most_tile_bytes) use(tile);
      }
    }
  };
  auto const next_of = [&](std::vector<int> const& order) {
    for (int const l : order)
      if (l != f.along_src && l != f.along_dst) return l;
    return -1;
  };
  int const next_src = next_of(by_src), next_dst = next_of(by_dst);
  for (bool const keep_whole : {!shared_run, false}) {
    int64_t const src_unit = shared_run ? f.run_vector : std::max(f.src_vector, f.packed);
    for (int64_t const s : run_extents(extent(f.along_src), src_unit, bytes, shared_run, keep_whole)) {
      for (int64_t const d : shared_run ? std::vector<int64_t>{s}
                                        : run_extents(extent(f.along_dst), f.dst_vector, bytes, false, keep_whole)) {
        std::vector<int64_t> base(static_cast<std::size_t>(loops), 1);
        base[static_cast<std::size_t>(f.along_src)] = s;
        base[static_cast<std::size_t>(f.along_dst)] = d;
        if (size(base) > most_tile_bytes) continue;
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

  double const total = static_cast<double>(m.elements) * bytes;
  double const narrow = shared_run ? 0 : narrow_cost(f.src_vector * bytes) + narrow_cost(f.dst_vector * bytes);
  for (auto const& tile : tiles) {
    fitted_costs const& fitted = is_direct(m, f, tile) ? through_registers : bytes < 4 ? packed_words : through_shared;
    bool src_whole = false, dst_whole = false;
    int64_t const src_run = run_bytes(m, tile, true, src_whole), dst_run = run_bytes(m, tile, false, dst_whole);
    double covered = 1, uneven = 0;
    for (int l = 0; l < loops; ++l) {
      int64_t const t = tile[static_cast<std::size_t>(l)];
      if (!shared_run && bytes >= 8 && t < extent(l) && t != power_of_two_up_to(t))
        uneven += 0.015;  // for threads and banks
      covered *= static_cast<double>(ceil_div(extent(l), t) * t) / static_cast<double>(extent(l));
    }
    int64_t const volume = size(tile);
    double const wanted = std::clamp(total / machine.processors / 8, 2048.0, fitted.best_tile_bytes);
    double const off = std::log2(static_cast<double>(volume) / wanted);
    double const cost = 1 + narrow + uneven + pieces_cost(src_run, src_whole, fitted.src_pieces, fitted.fall) +
                        pieces_cost(dst_run, dst_whole, fitted.dst_pieces, fitted.fall) + 0.2 * (covered - 1) +
                        (off < 0 ? fitted.smaller : fitted.larger) * off * off;
    out.push_back({tile, {}, {}, cost, src_run, dst_run});
  }
  // The destination's order, but parts of a short run first: what of a page of memory they share is then still at hand.
  std::vector<int> order = by_dst;
  std::stable_partition(order.begin(), order.end(), [&](int l) {
    return (l == f.along_src || l == f.along_dst) && extent(l) * bytes <= 2 * short_run_bytes;
  });
  if (auto c = interleaved_candidate(m, request, f, order)) out.push_back(*c);
  if (narrow > 0)
    if (auto c = realigned_candidate(m, f, order)) out.push_back(*c);
  std::stable_sort(out.begin(), out.end(), [](auto const& a, auto const& b) { return a.cost < b.cost; });
  if (out.size() > most) out.resize(most);
  for (cuda_candidate& c : out) {
    if (!c.order.empty()) continue;  // one that came with its schedule
    c.order = order;
    c.schedule = schedule_of(m, f, c);
  }
  return out;
}

std::vector<cuda_candidate> variants_of(movement const& m, copy_request const& request, machine_model const& machine) {
  std::vector<cuda_candidate> out = candidates_of(m, request, machine, 8);
  run_facts const f = facts_of(m, request);
  std::vector<int> const by_src = loops_by(m, true);
  std::size_t const tilings = std::min<std::size_t>(out.size(), 3);
  for (std::size_t i = 0; i < tilings; ++i) {
    cuda_candidate const base = out[i];
    if (base.schedule.kernel != cuda_kernel::runs && base.schedule.kernel != cuda_kernel::staged) continue;
    for (int const threads : {128, 256, 384, 512}) {
      if (threads == base.schedule.threads || (threads == 128 && base.schedule.kernel != cuda_kernel::runs)) continue;
      out.push_back(base);
      out.back().schedule = schedule_of(m, f, base, threads);
    }
    if (base.order == by_src) continue;
    out.push_back(base);
    out.back().order = by_src;
    out.back().schedule = schedule_of(m, f, out.back(), base.schedule.threads);
  }
  if (f.along_src != f.along_dst) return out;
  // Runs of both sides: small blocks, of one vector a thread.
  std::vector<cuda_candidate> const all = candidates_of(m, request, machine, 4000);
  for (int const threads : {128, 256}) {
    auto const vectors = int64_t{threads} * f.run_vector;
    auto const fits = [&](cuda_candidate const& c) {
      int64_t const n = std::accumulate(c.tile.begin(), c.tile.end(), int64_t{1}, std::multiplies<>());
      return n <= vectors && n > vectors * 3 / 4;
    };
    auto const found = std::find_if(all.begin(), all.end(), fits);
    if (found == all.end()) continue;
    out.push_back(*found);
    out.back().schedule = schedule_of(m, f, *found, threads);
  }
  return out;
}

}  // namespace tilewright::plan
