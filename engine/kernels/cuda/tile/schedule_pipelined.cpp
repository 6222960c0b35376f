// From a tile to a schedule of the pipelined kernel (body_pipelined.hpp). In shared memory a row of the source is what it is in
// memory, gaps included, and rows are as far apart, modulo a granule, as they are there; how many granules are between them is
// found by a count of bank conflicts.
#include "engine/kernels/cuda/tile/schedule.hpp"

#include "engine/kernels/cuda/tile/lane_cycles.hpp"
#include "engine/kernels/cuda/tile/numbers.hpp"
#include "engine/kernels/cuda/tile/sides.hpp"
#include "engine/plan/banks.hpp"
#include "tilewright/analysis/footprint.hpp"
#include "tilewright/base/math.hpp"
#include "tilewright/machine/arch.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tilewright::kernels {
namespace {

using math::ceil_div;
using plan::lanes;
using std::int64_t;

constexpr int first_capability = 80;     // that has asynchronous copies
constexpr int64_t max_source_step = 32;  // bytes between elements of a row: of a sector at least one is used
constexpr int min_threads = 128, max_threads = 512;
constexpr int64_t max_registers = 112;   // of a thread
constexpr int64_t min_shifted_row = 64;  // bytes; of shorter rows too much is ends
constexpr int granules_tried = 8;        // between rows: then the banks repeat

class pipelined_scheduler {
 public:
  pipelined_scheduler(movement const& m, copy_request const& request, machine_model const& machine,
                      std::vector<int64_t> const& tile, std::vector<int> const& order, pipeline_knobs const& knobs)
      : m_(m),
        machine_(machine),
        tile_(tile),
        order_(order),
        knobs_(knobs),
        sides_(m, request, tile),
        element_(m.element_bits / 8) {
    s_.kernel = cuda_kernel::tile;
    s_.stages = knobs.stages;
    s_.fetch = fetch_of(m, request, machine);
  }

  std::optional<cuda_schedule> run() {
    if (machine_.compute_capability < first_capability || s_.fetch != cuda_fetch::none) return {};
    grid();
    if (!find_sides()) return {};
    lay_out();
    s_.store_bytes = granule_bytes;
    if (end() > max_place || !threads()) return {};
    if (machine_.block_bytes > 0 && s_.shared_bytes > machine_.block_bytes) return {};
    for (bool const source : {true, false}) {
      cuda_access& access = source ? s_.read : s_.write;
      access.loop = (source ? s_.source : s_.target).run.front().loop;
      access.vector = (source ? s_.source : s_.target).vector;
    }
    int64_t const blocks = int64_t{machine_.processors} * s_.blocks_per_processor;
    if (tiles_ < blocks * knobs_.min_tiles_of_block || tiles_ >= int64_t{1} << 31) return {};
    s_.blocks = blocks;
    return s_;
  }

 private:
  loop const& loop_at(int l) const { return m_.loops[static_cast<std::size_t>(l)]; }
  int64_t tile(int l) const { return tile_[static_cast<std::size_t>(l)]; }
  int64_t step(int l) const { return std::abs(loop_at(l).src) * element_; }

  void grid() {
    for (int const l : order_) {
      int64_t const tiles = ceil_div(loop_at(l).extent, tile(l));
      if (tiles > 1) s_.grid.push_back({l, tile(l), tiles});
      tiles_ *= tiles;
    }
    if (s_.grid.empty()) s_.grid.push_back({0, tile(0), 1});
  }

  /// Words of the destination, or elements that are larger; of rows that begin anywhere, such as begin before them.
  bool find_sides() {
    s_.source = sides_.side(true, false);
    s_.target = sides_.side(false, false);
    tile_side &from = s_.source, &to = s_.target;
    if (from.run.empty() || to.run.empty() || step(from.run.front().loop) > max_source_step) return false;
    if (std::abs(loop_at(to.run.front().loop).dst) != 1) return false;
    from.vector = static_cast<int>(std::max<int64_t>(1, granule_bytes / element_));
    from.at_once = to.at_once = 1;
    from.shifted = true;
    int64_t const word = std::max<int64_t>(1, word_bytes / element_);
    to.shifted = to.vector < word;
    to.begins = to.shifted ? to.vector : 1;
    to.vector = static_cast<int>(word);
    int64_t const row = size_of(to.run) * element_;
    return (to.rows.empty() || row >= knobs_.min_row) && (!to.shifted || row >= min_shifted_row);
  }

  // --- places ---

  void lay_out() {
    lane_probes const written(m_, s_.target, false, lanes * 4);
    std::vector<int> padding(s_.source.rows.size(), 0);
    place(padding);
    double least = written.cycles(s_.place, element_);
    for (std::size_t i = 0; i < padding.size(); ++i) {
      std::vector<int> attempt = padding;
      for (attempt[i] = 1; attempt[i] < granules_tried; ++attempt[i]) {
        place(attempt);
        if (end() > max_place) break;
        double const cycles = written.cycles(s_.place, element_);
        if (cycles >= least - 1e-9) continue;
        least = cycles;
        padding = attempt;
      }
    }
    place(padding);
  }

  void place(std::vector<int> const& padding) {
    s_.place.assign(m_.loops.size(), 0);
    int64_t reach = element_;
    auto const set = [&](cuda_mode const& x, int64_t bytes) {
      s_.place[static_cast<std::size_t>(x.loop)] = bytes;
      reach += (x.extent - 1) * bytes;
    };
    for (cuda_mode const& x : s_.source.run) set(x, step(x.loop));
    for (std::size_t i = 0; i < padding.size(); ++i) {
      cuda_mode const& x = s_.source.rows[i];
      int64_t const least = reach + granule_bytes - 1, over = (step(x.loop) - least) % granule_bytes;
      set(x, least + (over + granule_bytes) % granule_bytes + padding[i] * granule_bytes);
    }
  }
  int64_t end() const { return end_of_places(tile_, s_.place, element_); }

  // --- threads ---

  /// As many blocks to a multiprocessor as there can be, and of those as many threads as leave few idle.
  bool threads() {
    copy_plan plan;
    plan.moves = m_;
    plan.tile = tile_;
    double best = 0;
    cuda_schedule found;
    for (int n = min_threads; n <= max_threads; n += lanes) {
      s_.threads = n;
      plan.schedule = s_;
      tile_numbers const numbers = numbers_of(plan);
      if (registers(numbers) > max_registers) continue;
      s_.shared_bytes = numbers.shared_bytes;
      s_.blocks_per_processor = blocks_of(numbers);
      double const items = numbers.write.rows * numbers.write.accesses, busy = items / (numbers.max_writes * n);
      double const worth = s_.blocks_per_processor + std::min(busy, 0.9) + 1e-4 * n;
      if (worth <= best) continue;
      best = worth;
      found = s_;
    }
    s_ = std::move(found);
    return best > 0;
  }
  static int blocks_of(tile_numbers const& n) {
    analysis::footprint const f =
        analysis::footprint_of(n.threads, registers(n), bits{32}, true, bytes{n.shared_bytes}, arch(arch_id::sm_90));
    return static_cast<int>(std::max<long long>(1, f.blocks));
  }
  /// Of a thread, so that none is spilled: what the compiler needs for 40 kernels on sm_90, to a few.
  static int64_t registers(tile_numbers const& n) {
    int const vector = n.write.vector, of_access = (vector > 2 ? 6 : vector + 3) + (n.write.rows > 1 ? 1 : 0);
    return (vector > 2 ? 14 : 10) + n.max_writes * of_access + (n.max_reads - 1) * (n.read.rows > 1 ? 3 : 2) +
           (n.write.shifted ? 14 : 0) + 2 * static_cast<int64_t>(n.limits.size());
  }

  movement const& m_;
  machine_model const& machine_;
  std::vector<int64_t> const& tile_;
  std::vector<int> const& order_;
  pipeline_knobs const& knobs_;
  tile_sides sides_;
  int64_t element_;
  int64_t tiles_ = 1;
  cuda_schedule s_;
};

}  // namespace

std::optional<cuda_schedule> pipelined_schedule(movement const& m, copy_request const& request,
                                                machine_model const& machine, std::vector<int64_t> const& tile,
                                                std::vector<int> const& order, pipeline_knobs const& knobs) {
  return pipelined_scheduler(m, request, machine, tile, order, knobs).run();
}

}  // namespace tilewright::kernels
