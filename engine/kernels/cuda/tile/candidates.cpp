// Tiles for the tile kernel: the leading modes of the source until a row has so many bytes, the same of the destination,
// for several numbers of bytes. What each is expected to cost is weighed as in cuda_tiles.cpp.
#include "engine/kernels/cuda/tile/fitted_costs.hpp"
#include "engine/kernels/cuda/tile/schedule.hpp"
#include "engine/kernels/cuda/tile/sides.hpp"
#include "engine/kernels/cuda/tile/work.hpp"
#include "engine/memory_units.hpp"
#include "engine/plan/banks.hpp"
#include "engine/plan/cuda_order.hpp"
#include "engine/plan/dense_run.hpp"
#include "tilewright/base/math.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>

namespace tilewright::kernels {
namespace {

using math::ceil_div;
using plan::cuda_candidate;
using std::int64_t;

constexpr int64_t line_bytes = engine::gpu_line, sector_bytes = engine::gpu_sector;
constexpr int64_t max_tile_bytes = 48 * 1024;
constexpr double least_pressure = 0.8;    // of tiles for which blocks that stay are weighed
constexpr std::size_t ordered_tiles = 6;  // whose order is searched for, and whose work is counted

class search {
 public:
  search(movement const& m, copy_request const& request, machine_model const& machine)
      : m_(m),
        machine_(machine),
        element_(m.element_bits / 8) {
    int64_t const row = cut_rows_of(m, request).length;
    if (static_cast<double>(row) <= c_.fetched_row_bytes && fetch_of(m, request, machine) != cuda_fetch::none)
      fetched_row_ = plan::dense_run_of(m).loops;
  }

  std::vector<std::vector<int64_t>> tiles() {
    std::vector<std::vector<int64_t>> out;
    // A source that is read again and again comes from the cache, in whatever pieces.
    for (int64_t of_src = repeats_source() ? element_ : std::max(line_bytes / 2, element_); of_src <= 16 * 1024;
         of_src *= 2)
      for (int64_t of_dst = line_bytes; of_dst <= 16 * 1024; of_dst *= 2) {
        std::vector<int64_t> tile(m_.loops.size(), 1);
        grow(tile, true, of_src);
        grow(tile, false, of_dst);
        grow(tile, true, of_src);  // where the destination's modes have cut or joined the source's
        if (bytes_of(tile) <= max_tile_bytes && std::find(out.begin(), out.end(), tile) == out.end())
          out.push_back(std::move(tile));
      }
    return out;
  }

  cuda_candidate weigh(std::vector<int64_t> tile) const {
    cuda_candidate out;
    double covered = 1;
    for (std::size_t l = 0; l < tile.size(); ++l) {
      int64_t const extent = m_.loops[l].extent;
      covered *= static_cast<double>(ceil_div(extent, tile[l]) * tile[l]) / static_cast<double>(extent);
    }
    double pieces = 0, parts = 0, repeated = 1;
    for (std::size_t l = 0; l < tile.size(); ++l)
      if (m_.loops[l].src == 0) repeated *= static_cast<double>(tile[l]);
    for (bool const source : {true, false}) {
      int64_t const run = run_bytes(tile, source);
      double const lines = static_cast<double>(run) / line_bytes;
      pieces += (source ? c_.src_pieces / repeated : c_.dst_pieces) * std::pow(lines, -c_.fall);
      if (!begins_with_sectors(tile, source))
        parts += (source ? c_.src_cut / repeated : c_.dst_cut) * sector_bytes /
                 static_cast<double>(std::max(run, sector_bytes));
      (source ? out.src_run : out.dst_run) = run;
    }
    double const total = static_cast<double>(m_.elements) * static_cast<double>(element_);
    double const off = std::log2(static_cast<double>(bytes_of(tile)) /
                                 std::clamp(total / machine_.processors / 8, 2048.0, c_.best_tile_bytes));
    out.tile = std::move(tile);
    out.expected = 1;
    out.cost = 1 + pieces + parts + c_.overhang * (covered - 1) + (off < 0 ? c_.smaller : c_.larger) * off * off +
               fetching(out.tile);
    pieces_.push_back(pieces);
    return out;
  }

  double apart_of(std::size_t i) const { return c_.apart * pieces_[i]; }

 private:
  /// Where sectors are fetched before the tile is read, tiles should be small, so that a processor waits for those of many of them
  /// together, and rows whole, or more sectors are parts.
  double fetching(std::vector<int64_t> const& tile) const {
    if (fetched_row_.empty()) return 0;
    bool const is_cut = std::any_of(fetched_row_.begin(), fetched_row_.end(),
                                    [&](int l) { return tile[static_cast<std::size_t>(l)] < extent(l); });
    return (is_cut ? c_.fetched_cut : 0) +
           c_.fetched_larger * std::max(0.0, std::log2(static_cast<double>(bytes_of(tile)) / c_.fetched_tile_bytes));
  }

  bool repeats_source() const {
    return std::any_of(m_.loops.begin(), m_.loops.end(), [](loop const& l) { return l.src == 0; });
  }
  int64_t extent(int l) const { return m_.loops[static_cast<std::size_t>(l)].extent; }
  int64_t stride(bool source, int l) const {
    loop const& x = m_.loops[static_cast<std::size_t>(l)];
    return std::abs(source ? x.src : x.dst);
  }
  int64_t bytes_of(std::vector<int64_t> const& tile) const {
    int64_t n = element_;
    for (int64_t const t : tile) n *= t;
    return n;
  }

  /// Takes the modes with the smallest strides until they have `wanted` bytes; the last of them in part.
  void grow(std::vector<int64_t>& tile, bool source, int64_t wanted) const {
    int64_t have = element_;
    for (int const l : plan::loops_by(m_, source)) {
      if (have >= wanted || stride(source, l) == 0) return;
      int64_t& t = tile[static_cast<std::size_t>(l)];
      int64_t const all = extent(l), needed = ceil_div(wanted, have);
      if (all <= needed + needed / 2) t = all;
      else t = std::max(t, part_of(all, needed, have));
      have *= t;
    }
  }

  /// About `needed` of `all` coordinates, so that tiles are even and, where they can be, whole sectors.
  int64_t part_of(int64_t all, int64_t needed, int64_t bytes) const {
    int64_t best = needed;
    double least = 1e30;
    for (int64_t t = std::max<int64_t>(1, needed * 3 / 4); t <= std::min(all, needed + needed / 2); ++t) {
      double const over = static_cast<double>(ceil_div(all, t) * t) / static_cast<double>(all) - 1;
      int64_t const piece = t * bytes;
      double const cut = piece % line_bytes == 0 ? 0 : piece % sector_bytes == 0 ? 0.02 : piece % 16 == 0 ? 0.06 : 0.1;
      double const off = std::abs(std::log2(static_cast<double>(t) / static_cast<double>(needed)));
      double const cost = over + cut + 0.02 * off;
      if (cost >= least - 1e-12) continue;
      least = cost;
      best = t;
    }
    return best;
  }

  /// The bytes that follow each other, or nearly: a gap below half of a piece leaves its sectors to the same tile.
  int64_t run_bytes(std::vector<int64_t> const& tile, bool source) const {
    int64_t next = 0, elements = 1;
    for (int const l : plan::loops_by(m_, source)) {
      int64_t const s = stride(source, l), t = tile[static_cast<std::size_t>(l)];
      if (s == 0) break;
      if (t == 1) {
        if (next == 0) next = s;  // nothing follows at the smallest stride
        break;
      }
      if (next != 0 && s * 2 > next * 3 && s * element_ > next * element_ + sector_bytes) break;
      if (next == 0 && s * element_ > sector_bytes) break;
      elements *= t;
      next = s * t;
      if (t < extent(l)) break;
    }
    return elements * element_;
  }

  bool begins_with_sectors(std::vector<int64_t> const& tile, bool source) const {
    bool is_row = false;
    int64_t next = 1;
    for (int const l : plan::loops_by(m_, source)) {
      int64_t const s = stride(source, l), t = tile[static_cast<std::size_t>(l)];
      if (s == 0) continue;
      is_row = is_row || s != next;
      if (is_row && t > 1 && s * element_ % sector_bytes != 0) return false;
      if (t < extent(l) && s * t * element_ % sector_bytes != 0) return false;
      next = s * t;
    }
    return true;
  }

  movement const& m_;
  machine_model const& machine_;
  int64_t element_;
  tile_costs const& c_ = fitted_tile_costs;
  std::vector<int> fetched_row_;  // the loops of short rows whose ends are fetched
  mutable std::vector<double> pieces_;
};

}  // namespace

std::vector<cuda_candidate> weighed_tiles(movement const& m, copy_request const& request,
                                          machine_model const& machine) {
  std::vector<cuda_candidate> out;
  if (!serves(m)) return out;
  search tiles(m, request, machine);
  for (auto& tile : tiles.tiles()) out.push_back(tiles.weigh(std::move(tile)));
  std::stable_sort(out.begin(), out.end(), [](auto const& a, auto const& b) { return a.cost < b.cost; });
  return out;
}

std::vector<cuda_candidate> tile_candidates(movement const& m, copy_request const& request,
                                            machine_model const& machine, std::vector<int> const& order,
                                            std::size_t max_count) {
  std::vector<cuda_candidate> out;
  if (!serves(m)) return out;
  search tiles(m, request, machine);
  for (auto& tile : tiles.tiles()) out.push_back(tiles.weigh(std::move(tile)));
  std::vector<std::size_t> by_cost(out.size());
  std::iota(by_cost.begin(), by_cost.end(), 0);
  std::stable_sort(by_cost.begin(), by_cost.end(), [&](auto a, auto b) { return out[a].cost < out[b].cost; });
  std::vector<cuda_candidate> found;
  bool is_pressed = true;  // as the cheapest one whose blocks have a tile each
  double cheapest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(by_cost.size(), ordered_tiles); ++i) {
    cuda_candidate c = out[by_cost[i]];
    plan::cuda_tile_order best = plan::order_of_tiles(m, machine, c.tile, order);
    c.order = std::move(best.loops);
    c.cost += best.cost * (1 + tiles.apart_of(by_cost[i]));
    bool stays_may_pay = true;
    for (bool const stays : {false, true}) {
      if (stays && !stays_may_pay) break;
      std::optional<cuda_schedule> s = stays ? pipelined_schedule(m, request, machine, c.tile, c.order)
                                             : tile_schedule(m, request, machine, c.tile, c.order);
      if (!s) continue;
      cuda_candidate one = c;
      one.schedule = std::move(*s);
      work_costs const work = costs_of_work(m, machine, one);
      one.cost += work.cost;
      one.expected += 0.3 * (one.cost - one.expected);
      if (!stays) stays_may_pay = work.pressure > least_pressure;
      if (!stays && one.cost < cheapest) {
        cheapest = one.cost;
        is_pressed = stays_may_pay && work.gathers;
      }
      found.push_back(std::move(one));
    }
  }
  if (!is_pressed) std::erase_if(found, [](cuda_candidate const& c) { return c.schedule.stages > 0; });
  std::stable_sort(found.begin(), found.end(), [](auto const& a, auto const& b) { return a.cost < b.cost; });
  if (found.size() > max_count) found.resize(max_count);
  return found;
}

namespace {

/// How long multiprocessors take to issue a tile's instructions and to serve its accesses to shared memory, over the time in which
/// memory moves the tile. Both take turns with each other in part: the root of their squares is nearest to what was measured.
/// bytes: of both sides
double pressure_of(machine_model const& machine, tile_work const& work, double bytes) {
  constexpr double hertz = 1.75e9, warps_a_cycle = 4 * 0.8;
  double const cycles = machine.processors * hertz * bytes / std::max(machine.bytes_per_second, 1.0);
  double const shared = 0.75 * (work.read.shared_cycles + work.write.shared_cycles);
  return std::hypot(work.instructions / warps_a_cycle, shared) / cycles;
}

}  // namespace

work_costs costs_of_work(movement const& m, machine_model const& machine, cuda_candidate const& c) {
  copy_plan plan;
  plan.moves = m;
  plan.tile = c.tile;
  plan.schedule = c.schedule;
  tile_numbers const numbers = numbers_of(plan);
  tile_work const work = work_of(numbers);
  double bytes = m.element_bits / 8.0;
  for (int64_t const t : c.tile) bytes *= static_cast<double>(t);
  tile_costs const& costs = fitted_tile_costs;
  double const cycles = costs.instruction * work.instructions +
                        costs.shared_cycle * (work.read.shared_cycles + work.write.shared_cycles) +
                        costs.line * (work.read.lines + work.write.lines);
  double const pressure = pressure_of(machine, work, 2 * bytes);
  double const over = std::max(0.0, std::log2(bytes / costs.large_tile_bytes));
  double const warps = static_cast<double>(c.schedule.threads) * c.schedule.blocks_per_processor / plan::lanes;
  double pipeline = 0;
  if (c.schedule.stages > 0) {
    pipeline = m.element_bits < 16   ? costs.pipelined_bytes
               : m.element_bits < 32 ? costs.pipelined
                                     : costs.pipelined_words;
    if (c.schedule.blocks_per_processor == 1) pipeline += costs.one_pipeline;
  }
  double const cost = cycles / bytes + costs.pressed * std::max(0.0, pressure - 1) + costs.large_tile * over * over +
                      costs.few_warps * std::max(0.0, std::log2(costs.enough_warps / warps)) + pipeline;
  return {cost, pressure, !numbers.write.joined};
}

}  // namespace tilewright::kernels
