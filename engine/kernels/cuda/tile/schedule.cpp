// From a tile to a schedule. Places in shared memory are those of the source's order, or, where rows are read together, begin with
// these; padding between modes is found by trying paddings against a count of bank conflicts, as for a padded matrix:
//   a tile of 32 x 32 floats, rows of 32: columns read by 32 threads meet 1 bank; with rows 33 apart, 32
#include "engine/kernels/cuda/tile/schedule.hpp"

#include "engine/kernels/cuda/tile/fitted_costs.hpp"
#include "engine/kernels/cuda/tile/lane_cycles.hpp"
#include "engine/kernels/cuda/tile/numbers.hpp"
#include "engine/kernels/cuda/tile/sides.hpp"
#include "engine/kernels/cuda/tile/work.hpp"
#include "engine/plan/banks.hpp"
#include "tilewright/analysis/footprint.hpp"
#include "tilewright/base/math.hpp"
#include "tilewright/machine/arch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace tilewright::kernels {
namespace {

using math::ceil_div;
using plan::bank_bytes;
using plan::banks;
using plan::lanes;
using std::int64_t;

constexpr int64_t few_in_flight = 12, base_registers = 40, usual_registers = 48, min_threads = 64, max_threads = 512;

int blocks_of(int64_t threads, int64_t registers, int64_t shared_bytes) {
  analysis::footprint const f =
      analysis::footprint_of(threads, registers, bits{32}, true, bytes{shared_bytes}, arch(arch_id::sm_90));
  return static_cast<int>(std::max<long long>(1, f.blocks));
}

class scheduler {
 public:
  scheduler(movement const& m, copy_request const& request, machine_model const& machine,
            std::vector<int64_t> const& tile, std::vector<int> const& order, tile_knobs const& knobs)
      : m_(m),
        request_(request),
        machine_(machine),
        tile_(tile),
        order_(order),
        knobs_(knobs),
        sides_(m, request, tile),
        element_(m.element_bits / 8) {}

  std::optional<cuda_schedule> run() {
    s_.kernel = cuda_kernel::tile;
    s_.fetch = knobs_.fetch.value_or(fetch_of(m_, request_, machine_));
    s_.source = sides_.side(true, knobs_.may_shift_source);
    s_.target = sides_.side(false, knobs_.may_shift_target);
    grid();
    if (s_.blocks >= int64_t{1} << 31) return {};
    choose_places();
    share_accesses();
    if (end() > max_place) return {};
    copy_plan plan;
    plan.moves = m_;
    plan.tile = tile_;
    plan.schedule = s_;
    s_.shared_bytes = numbers_of(plan).shared_bytes;
    for (bool const source : {true, false}) {
      tile_side const& from = source ? s_.source : s_.target;
      cuda_access& access = source ? s_.read : s_.write;
      access.loop = from.run.empty() ? 0 : from.run.front().loop;
      access.vector = from.vector;
      access.at_once = from.at_once;
    }
    if (machine_.block_bytes > 0 && s_.shared_bytes > machine_.block_bytes) return {};
    occupancy();
    return s_;
  }

 private:
  loop const& loop_at(int l) const { return m_.loops[static_cast<std::size_t>(l)]; }
  int64_t tile(int l) const { return tile_[static_cast<std::size_t>(l)]; }
  int64_t& place(int l) { return s_.place[static_cast<std::size_t>(l)]; }

  void grid() {
    for (int const l : order_) {
      int64_t const tiles = ceil_div(loop_at(l).extent, tile(l));
      if (tiles > 1) s_.grid.push_back({l, tile(l), tiles});
      s_.blocks *= tiles;
    }
    if (s_.grid.empty()) s_.grid.push_back({0, tile(0), 1});
  }

  // --- threads ---

  int64_t access_bytes(tile_side const& side) const { return side.vector * element_; }
  int64_t accesses(tile_side const& side, bool source) const { return access_count(side, source, element_); }

  void threads() {
    int64_t const bytes = std::accumulate(tile_.begin(), tile_.end(), int64_t{element_}, std::multiplies<>());
    int64_t const items =
        std::max(accesses(s_.source, true) * row_count(s_.source), accesses(s_.target, false) * row_count(s_.target));
    int64_t const most = bytes > 24 * 1024 ? max_threads : max_threads / 2;
    int64_t const usual =
        std::clamp<int64_t>(std::min<int64_t>(items, ceil_div(bytes, int64_t{64})), min_threads, most);
    s_.threads =
        busy_threads(knobs_.threads > 0 ? std::clamp<int64_t>(knobs_.threads, min_threads, max_threads) : usual);
    share_accesses();
  }

  /// How many accesses of a thread are in flight together.
  void share_accesses() {
    for (bool const source : {true, false}) {
      tile_side& side = source ? s_.source : s_.target;
      int64_t const each = ceil_div(accesses(side, source) * row_count(side), s_.threads);
      int64_t const words = side.packed * ceil_div(access_bytes(side), word_bytes),
                    few = std::max<int64_t>(1, few_in_flight / words),
                    many = std::max<int64_t>(1, knobs_.registers_in_flight / 2 / words);
      // Half of a processor's registers at most for a block, so that another one reads while it writes.
      bool const fits = (base_registers + many * (words + 2)) * s_.threads * 2 <= arch(arch_id::sm_90).registers_per_sm;
      int64_t const room = fits ? std::min(many, few_in_flight) : few;
      int64_t const rounds = ceil_div(each, source ? room : std::max<int64_t>(1, room / 2));
      side.at_once = static_cast<int>(ceil_div(each, rounds));
      if (!source && element_ < word_bytes)
        side.at_once = 1;  // an access has enough loads, and code takes time to compile
    }
  }

  /// As many threads, about, as leave few idle, and a processor with enough warps: each has accesses of some rows at once, or of
  /// a part of one.
  int busy_threads(int64_t wanted) const {
    int best = 0;
    double least = 1e30;
    for (int64_t n = min_threads; n <= max_threads; n += lanes) {
      if (n * 3 < wanted * 2 || n > wanted * 3 / 2 + lanes) continue;
      double const warps = static_cast<double>(n) / lanes * blocks_of(n, usual_registers, 0);
      double cost = 0.1 * std::abs(std::log2(static_cast<double>(n) / static_cast<double>(wanted))) +
                    fitted_tile_costs.few_warps * std::max(0.0, std::log2(fitted_tile_costs.enough_warps / warps));
      for (bool const source : {true, false}) {
        tile_side const& side = source ? s_.source : s_.target;
        int64_t const of_row = accesses(side, source), rows = row_count(side);
        int64_t const steps = of_row <= n ? ceil_div(rows, n / of_row) : rows * ceil_div(of_row, n);
        cost += static_cast<double>(steps * n) / static_cast<double>(of_row * rows);
      }
      if (cost >= least - 1e-9) continue;
      least = cost;
      best = static_cast<int>(n);
    }
    return best;
  }

  // --- places ---

  /// Places of all modes, one after another with `padding` units before those that may have some.
  void lay_out(std::vector<int64_t> const& padding) {
    s_.place.assign(m_.loops.size(), 0);
    int64_t size = element_;
    bool const is_packed = s_.source.packed > 1;
    for (std::size_t i = 0; i < modes_.size(); ++i) {
      if (!is_packed && i == s_.source.run.size() && s_.source.shifted)
        size = ceil_div(size, access_bytes(s_.source)) * access_bytes(s_.source);
      if (i > 0 && may_pad_[i]) size = ceil_div(size, unit_) * unit_ + padding[i] * unit_;
      place(modes_[i].loop) = size;
      size *= modes_[i].extent;
    }
  }
  int64_t end() const { return end_of_places(tile_, s_.place, element_); }

  void choose_places() {
    best_cost_ = 1e30;
    std::vector<tile_side> const targets = sides_.targets(s_.target);
    std::vector<tile_side> sources{s_.source};
    if (knobs_.may_pack)
      for (tile_side& packed : sides_.packed_sources(s_.target, knobs_.may_shift_source))
        sources.push_back(std::move(packed));
    for (tile_side const& source : sources) {
      s_.source = source;
      s_.target = targets.front();
      threads();
      set_modes();
      int64_t const access = access_bytes(source), least = std::min<int64_t>(word_bytes, access);
      for (tile_side const& target : targets) {
        s_.target = target;
        only_patterns_ = target.vector * 2 == targets.front().vector || target.vector * 8 == targets.front().vector;
        for (int64_t unit = source.packed > 1 ? least : access; unit >= least && unit * 4 >= access; unit /= 2)
          try_unit(unit, access);
      }
    }
    s_ = best_;
  }

  /// The modes in the order in which shared memory has them.
  void set_modes() {
    modes_ = s_.source.run;
    modes_.insert(modes_.end(), s_.source.rows.begin(), s_.source.rows.end());
    if (s_.source.packed > 1)
      std::rotate(modes_.begin(), modes_.begin() + std::ssize(s_.source.run),
                  modes_.begin() + std::ssize(s_.source.run) + 1);
  }

  void try_unit(int64_t unit, int64_t access) {
    unit_ = std::max<int64_t>(unit, element_);
    s_.store_bytes = static_cast<int>(std::min(unit_, access));
    bool const is_packed = s_.source.packed > 1;
    std::size_t const row = is_packed ? 1 : 0, end_of_row = row + s_.source.run.size();
    may_pad_.assign(modes_.size(), true);
    int64_t length = 1;
    for (std::size_t i = row; i < end_of_row; ++i) {
      // Within a row padding must not cut an access in two; columns of packed rows are equally far apart.
      may_pad_[i] = is_packed ? i == row : length * element_ % access == 0;
      length *= modes_[i].extent;
    }
    std::vector<int64_t> padding(modes_.size(), 0);
    for (auto const& [of_row, of_rows] : sides_.lane_choices(s_.target)) {
      s_.target.lanes = of_row;
      s_.target.row_lanes = of_rows;
      search(padding);
      if (found_cycles_ <= ideal_cycles() * 1.01) return;
    }
  }

  /// What an attempt may cost at most to be better than the best so far. Rows that are read together have to gain more: what
  /// they save is work that partly waits for memory anyway (44 copies on an H200, docs/measurements/permute_h200.md).
  double most_cost() const {
    bool const packs = s_.source.packed > 1 && best_.source.packed == 1;
    return best_cost_ * (!packs ? 0.97 : best_.target.shifted ? 0.93 : 0.75);
  }

  void search(std::vector<int64_t>& padding) {
    lay_out(padding);
    find_pattern();
    found_cycles_ = 2 * ideal_cycles();
    if (only_patterns_ && !pattern_.exists) return;
    if (issue_cycles() + 2.0 / lanes >= most_cost()) return;  // whatever the padding
    source_lanes_ = lane_probes(m_, s_.source, true, s_.threads);
    target_lanes_ = lane_probes(m_, s_.target, false, s_.threads);
    double found = cycles();
    int64_t const most = std::max<int64_t>(1, banks * bank_bytes / unit_);
    for (int sweep = 0; sweep < 2; ++sweep)
      for (std::size_t i = modes_.size(); i-- > 1;) {
        if (!may_pad_[i] || found <= ideal_cycles()) continue;
        std::vector<int64_t> attempt = padding;
        for (attempt[i] = 0; attempt[i] < most; ++attempt[i]) {
          lay_out(attempt);
          if (end() > max_place) break;
          double const count = cycles();
          if (count >= found - 1e-9) continue;
          found = count;
          padding = attempt;
        }
      }
    lay_out(padding);
    find_pattern();
    found_cycles_ = found;
    double const cost = found + issue_cycles();
    if (cost >= most_cost() - 1e-9) return;
    best_cost_ = cost;
    best_ = s_;
  }

  /// Cycles that a processor takes to issue the copy's instructions and to look places up, for each word of the tile.
  double issue_cycles() const {
    constexpr double per_cycle = 4.0 * lanes;
    double const words = static_cast<double>(size_of(s_.target.run) * size_of(s_.target.rows) * element_) / word_bytes;
    auto const items = [&](bool source) {
      tile_side const& side = source ? s_.source : s_.target;
      return static_cast<double>(accesses(side, source) * row_count(side));
    };
    tile_side const &from = s_.source, &to = s_.target;
    double const read = read_instructions(static_cast<int>(access_bytes(from)), s_.store_bytes, from.packed,
                                          from.shifted, from.run.size() > 1);
    int const modes = static_cast<int>(to.run.size());
    bool const within_mode = modes <= 1 || (!to.shifted && to.run.front().extent % to.vector == 0);
    bool const is_counted = modes <= 2 || (to.rows.empty() && modes <= 3);
    places const how = is_joined()      ? places::joined
                       : is_patterned() ? places::patterned
                       : is_pieced()    ? places::pieced
                       : is_woven()     ? places::woven
                       : within_mode    ? places::even
                       : is_strided()   ? places::strided
                       : is_counted     ? places::counted
                       : to.shifted     ? places::tabled
                                        : places::packed;
    double const write = write_instructions(static_cast<int>(access_bytes(to)), static_cast<int>(element_), to.shifted,
                                            how, modes, pattern_.instructions);
    double const table_loads = costs_of(how, modes).loads * word_bytes / static_cast<double>(element_) / lanes;
    double const ends = to.shifted ? end_instructions * 2 * to.vector * static_cast<double>(size_of(to.rows)) : 0;
    return (items(true) * read + items(false) * write + ends) / per_cycle / words + table_loads;
  }

  /// Of reading and writing shared memory, for each word of the tile.
  double ideal_cycles() const {
    return 1.0 / lanes + std::max(1.0, static_cast<double>(word_bytes) / static_cast<double>(element_)) / lanes;
  }

  /// Cycles of the fullest bank, for each word of the tile: stores while reading, loads of elements while writing.
  double cycles() const {
    int64_t const store = s_.store_bytes, load = element_;
    double const stores = source_lanes_.cycles(s_.place, store) / (lanes * static_cast<double>(store) / word_bytes);
    if (is_joined()) return stores + 1.0 / lanes;
    if ((is_patterned() || (is_woven() && !is_pieced())) && pattern_.unit > 0)
      return stores + target_lanes_.cycles(s_.place, pattern_.unit) * static_cast<double>(pattern_.units.size()) *
                          word_bytes / (lanes * static_cast<double>(access_bytes(s_.target)));
    if (!is_patterned() && is_pieced()) return stores + 1.0 / lanes;
    return stores + target_lanes_.cycles(s_.place, load) / (lanes * static_cast<double>(load) / word_bytes);
  }

  /// Do the elements of a row of the destination follow each other in shared memory, so that they are read by words?
  bool is_joined() const {
    int64_t next = element_;
    for (cuda_mode const& x : s_.target.run) {
      if (loop_at(x.loop).src < 0 || s_.place[static_cast<std::size_t>(x.loop)] != next) return false;
      next *= x.extent;
    }
    return true;
  }

  /// Are those of all accesses equally far from the first one?
  bool is_patterned() const { return s_.target.vector > 1 && pattern_.exists && !is_woven_; }
  bool is_woven() const { return is_woven_; }

  void find_pattern() {
    tile_side const& to = s_.target;
    std::vector<placed_mode> modes;
    for (cuda_mode const& x : to.run)
      modes.push_back({static_cast<int>(x.extent), static_cast<int>(place(x.loop)), loop_at(x.loop).src < 0});
    if (modes.empty()) modes.emplace_back();
    std::vector<placed_mode> rows;
    for (cuda_mode const& x : to.rows)
      rows.push_back({static_cast<int>(x.extent), static_cast<int>(place(x.loop)), false});
    int const begins = to.shifted ? to.begins : to.vector, bytes = static_cast<int>(element_);
    piece_pattern found = pattern_of_accesses(modes, to.vector, bytes, begins, rows, widest_bytes);
    is_woven_ = found.modes > 0;
    pattern_ = std::move(found.pattern);
  }

  /// Or do so many of them that an access has elements of one such piece, or of two?
  bool is_pieced() const {
    if (s_.target.run.empty() || element_ >= word_bytes || access_bytes(s_.target) < word_bytes) return false;
    cuda_mode const& first = s_.target.run.front();
    int64_t const step = s_.place[static_cast<std::size_t>(first.loop)];
    return (step == element_ || step == 0) && first.extent >= s_.target.vector;
  }

  /// Has a wide access elements of one piece of a row or of two, which are equally far apart in each?
  bool is_strided() const {
    tile_side const& to = s_.target;
    return to.vector > 1 && access_bytes(to) == widest_bytes && to.run.front().extent >= to.vector;
  }

  // --- what a processor holds ---

  void occupancy() {
    int64_t const held = s_.source.at_once * (s_.source.packed * ceil_div(access_bytes(s_.source), word_bytes) +
                                              (s_.source.shifted ? 2 : 1));
    int64_t const gathered = s_.target.at_once * ceil_div(access_bytes(s_.target), word_bytes);
    s_.blocks_per_processor = blocks_of(s_.threads, base_registers + std::max(held, gathered), s_.shared_bytes);
  }

  movement const& m_;
  copy_request const& request_;
  machine_model const& machine_;
  std::vector<int64_t> const& tile_;
  std::vector<int> const& order_;
  tile_knobs const& knobs_;
  tile_sides sides_;
  int64_t element_;
  cuda_schedule s_, best_;
  std::vector<cuda_mode> modes_;  // of the tile, in the source's order
  std::vector<bool> may_pad_;     // before the mode
  int64_t unit_ = 1;              // of padding, in bytes
  double best_cost_ = 0, found_cycles_ = 0;
  bool only_patterns_ = false;  // a width of the destination's accesses that is tried for those alone
  bool is_woven_ = false;       // the pattern is one within pieces of a row
  access_pattern pattern_;      // of the destination's accesses as they are laid out
  lane_probes source_lanes_, target_lanes_;
};

}  // namespace

bool serves(movement const& m) {
  return m.has_loops() && !m.loops.empty() && !m.is_swizzled() && m.element_bits >= 8 && m.elements > 0;
}

std::optional<cuda_schedule> tile_schedule(movement const& m, copy_request const& request, machine_model const& machine,
                                           std::vector<int64_t> const& tile, std::vector<int> const& order,
                                           tile_knobs const& knobs) {
  return scheduler(m, request, machine, tile, order, knobs).run();
}

}  // namespace tilewright::kernels
