// The cheapest few tiles are compared by how far apart the tiles in flight are; threads follow from a
// tile's size, as they measured best on an H200.
#include "engine/plan/cuda_candidates.hpp"

#include "engine/kernels/cuda/realigned/schedule.hpp"
#include "engine/kernels/cuda/runs/schedule.hpp"
#include "engine/kernels/cuda/staged/schedule.hpp"
#include "engine/plan/cuda_order.hpp"

#include "tilewright/base/math.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace tilewright::plan {
namespace {

using math::ceil_div;
using std::int64_t;

// Costs are fitted to tell tiles apart; the times that were measured differ by less.
constexpr double time_of_cost = 0.3;
constexpr std::size_t probed_tiles = 4, ordered_tiles = 8;  // whose orders are searched for

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

/// As many threads of a block as leave few idle.
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

/// Of tiles in shared memory: so many that the blocks which fit a multiprocessor of 2048 threads have some 64 KiB of tiles
/// in flight, and that a thread has 1.5 vectors or more. Bytes (packed: 4 to a word) are transposed in registers, which
/// keeps a thread busy: fewer do for small tiles.
int staged_threads(int64_t tile_bytes, int64_t vectors, int packed) {
  auto const more_than = [&](double kib) { return static_cast<double>(tile_bytes) > kib * 1024; };
  if (more_than(30)) return ceil_div(vectors, 768) == ceil_div(vectors, 1024) ? 768 : 1024;
  if (more_than(17)) return packed == 4 ? busy_threads(vectors) : 640;
  if (more_than(13.5)) return 512;
  if (more_than(10)) return packed == 1 ? 512 : packed == 2 ? 384 : 256;
  if (more_than(7)) return packed == 4 ? 256 : 384;
  return static_cast<int>(std::clamp<int64_t>(vectors * 3 / 4 / 32 * 32, 128, 384));
}

/// `threads`: of a block, 0 for as many as measured best with tiles of that size.
cuda_schedule schedule_of(movement const& m, run_facts const& f, cuda_candidate const& c, int threads = 0) {
  int64_t const elements = std::accumulate(c.tile.begin(), c.tile.end(), int64_t{1}, std::multiplies<>());
  if (is_direct(m, f, c.tile)) {
    if (threads == 0) threads = threads_for_runs(elements * m.element_bits / 8);
    return kernels::runs_schedule(m, c.tile, loops_by(m, false), f.run_vector, threads, c.order);
  }
  kernels::staged_choice choice;
  choice.tile = c.tile;
  choice.along_src = f.along_src;
  choice.along_dst = f.along_dst;
  choice.src_vector = f.src_vector;
  choice.dst_vector = f.dst_vector;
  choice.packed = f.packed;
  choice.write_at_once = std::max(1, 16 / (f.dst_vector * std::max(1, m.element_bits / 32)));
  choice.order = c.order;
  choice.threads =
      threads != 0 ? threads : staged_threads(elements * m.element_bits / 8, elements / f.src_vector, f.packed);
  return kernels::staged_schedule(m, choice);
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
  int const bytes = m.element_bits / 8;
  // The destination's order, but parts of a short run first: what of a page of memory they share is then still at hand.
  std::vector<int> usual = loops_by(m, false);
  std::stable_partition(usual.begin(), usual.end(), [&](int l) {
    return (l == f.along_src || l == f.along_dst) &&
           m.loops[static_cast<std::size_t>(l)].extent * bytes <= 2 * short_run_bytes;
  });

  std::vector<weighed_tile> tiles = weighed_tiles(m, f, machine);
  auto const cheaper = [](auto const& a, auto const& b) { return a.cost < b.cost; };
  std::stable_sort(tiles.begin(), tiles.end(), cheaper);
  // How far apart tiles are depends on the layouts more than on the tile: the cheapest few represent all.
  double apart = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(tiles.size(), probed_tiles); ++i)
    apart = std::min(apart, order_of_tiles(m, machine, tiles[i].extents, usual).cost);
  for (weighed_tile& tile : tiles)
    out.push_back(
        {std::move(tile.extents), {}, {}, tile.cost + tile.apart * apart, tile.any_tile, tile.src_run, tile.dst_run});

  if (f.along_src != f.along_dst && std::min(f.src_vector, f.dst_vector) * bytes < 16)
    if (auto c = kernels::realigned_candidate(m, f, machine, usual)) out.push_back(*c);
  std::stable_sort(out.begin(), out.end(), cheaper);
  auto const ordered = out.begin() + static_cast<std::ptrdiff_t>(std::min(out.size(), ordered_tiles));
  for (auto c = out.begin(); c != ordered; ++c) {
    if (!c->order.empty()) continue;  // one that came with its schedule
    cuda_tile_order best = order_of_tiles(m, machine, c->tile, usual);
    c->order = std::move(best.loops);
    c->cost += best.cost;
  }
  std::stable_sort(out.begin(), ordered, cheaper);
  if (out.size() > most) out.resize(most);
  for (cuda_candidate& c : out) {
    if (!c.schedule.grid.empty()) continue;
    if (c.order.empty()) c.order = usual;
    c.expected += time_of_cost * (c.cost - c.expected);
    c.schedule = schedule_of(m, f, c);
  }
  // Padding may take a tile beyond a block's shared memory.
  std::erase_if(out, [&](cuda_candidate const& c) {
    return machine.block_bytes > 0 && c.schedule.shared_bytes > machine.block_bytes;
  });
  return out;
}

std::vector<cuda_candidate> variants_of(movement const& m, copy_request const& request, machine_model const& machine) {
  std::vector<cuda_candidate> out = candidates_of(m, request, machine, 8);
  run_facts const f = facts_of(m, request);
  std::size_t const tilings = std::min<std::size_t>(out.size(), 3);
  for (std::size_t i = 0; i < tilings; ++i) {
    cuda_candidate const base = out[i];
    if (base.schedule.kernel != cuda_kernel::runs && base.schedule.kernel != cuda_kernel::staged) continue;
    for (int const threads : {128, 256, 384, 512, 768, 1024}) {
      if (threads == base.schedule.threads || (threads == 128 && base.schedule.kernel != cuda_kernel::runs)) continue;
      out.push_back(base);
      out.back().schedule = schedule_of(m, f, base, threads);
    }
    for (bool const source : {true, false}) {
      std::vector<int> order = loops_by(m, source);
      if (base.order == order) continue;
      out.push_back(base);
      out.back().order = std::move(order);
      out.back().schedule = schedule_of(m, f, out.back(), base.schedule.threads);
    }
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
