// The best thread and value layouts for a tile and an atom: every way to place the threads on the tile's modes, in every
// order, with each thread's vector along each mode, is tried on both sides of the copy, and the cheapest is chosen.
#pragma once

#include "tilewright/base/config.hpp"

#include <numeric>
#include <optional>
#include <vector>

#include "tilewright/analysis/footprint.hpp"
#include "tilewright/analysis/tiling.hpp"
#include "tilewright/tiling/access_width.hpp"

namespace tilewright::analysis {

/// A tensor on one side of a copy: its layout in elements, where it is and how its base is aligned.
struct side_question {
  composed_value layout{};
  memory space = memory::global;
  bytes alignment{256};
};

/// What a tiled copy costs on one side.
struct side_cost {
  access_width width{};
  global_traffic global{};  // where the side is in global memory, or the machine is a CPU
  shared_traffic shared{};  // where it is in shared memory
  long long instructions = 0;

  /// Clocks of the model, for the choice between arrangements.
  constexpr double clocks(architecture const& machine) const {
    model_time const t = time_of(global, shared, machine);
    return t.global_clocks + t.shared_clocks + static_cast<double>(instructions);
  }
};

struct arrangement {
  layout_value thr{}, val{};
  side_cost source{}, destination{};
  long long tried = 0;
};

constexpr bits widest_access(memory space, architecture const& machine) {
  return space == memory::shared ? machine.widest_shared : machine.widest_global;
}

/// error: those of side_of
inline result<side_cost> cost_of(tiled_map const& map, side_question const& q, access_kind kind,
                                 architecture const& machine) {
  side_cost out{};
  if (q.space == memory::registers) return out;
  result<tiled_side> const side = side_of(map, q.layout, machine);
  if (!side) return side.error();
  out.width = width_of(map, *side, q.layout, q.alignment, widest_access(q.space, machine));
  if (!machine.is_gpu()) {
    out.global = cache_traffic(*side, machine);
    out.instructions = side->rounds * side->threads * side->values / out.width.vector.count;
    return out;
  }
  for_each_access(*side, out.width.vector.count, kind, machine, [&](warp_access const& access, long long times) {
    out.instructions += times;
    if (q.space == memory::global) out.global.add(traffic_of(access, machine), times);
    else out.shared.add(traffic_of(bank_conflicts(access, machine), machine), times);
  });
  return out;
}

namespace detail {

/// f(factors): every way to write n as a product of `rank` factors, factor i dividing room[i].
template <class F>
void for_each_factorisation(long long n, std::vector<long long> const& room, std::vector<long long>& factors,
                            F const& f) {
  std::size_t const mode = factors.size();
  if (mode == room.size()) {
    if (n == 1) f(factors);
    return;
  }
  for (long long d = 1; d <= n && d <= room[mode]; ++d) {
    if (n % d != 0 || room[mode] % d != 0) continue;
    factors.push_back(d);
    for_each_factorisation(n / d, room, factors, f);
    factors.pop_back();
  }
}

/// A compact layout of the extents whose modes count up in the given order, the first fastest.
inline layout_value compact_in_order(std::vector<long long> const& extents, std::vector<int> const& order) {
  layout_value out{};
  out.open(static_cast<int>(extents.size()));
  std::vector<long long> stride(extents.size(), 0);
  long long current = 1;
  for (int const mode : order) {
    auto const at = static_cast<std::size_t>(mode);
    if (extents[at] != 1) stride[at] = current;
    current *= extents[at];
  }
  for (std::size_t i = 0; i < extents.size(); ++i) out.add_leaf(constant_leaf(extents[i]), constant_leaf(stride[i]));
  return out;
}

}  // namespace detail

/// The arrangement of `threads` threads, each with one vector of at most the atom, that costs the fewest clocks of the
/// model on both sides together; of equals the one of fewer lines, then the widest, then the one found first. `tile` is an extent for each mode.
/// post: thr's and val's extents divide the tile's, mode by mode; none where no number of values lets the threads fit
/// error: atom_not_divisible, rank_mismatch, those of side_of;  cost: O(candidates * threads * values)
inline result<std::optional<arrangement>> search_arrangement(shape_value const& tile, long long threads, bits atom,
                                                             bits element, side_question const& source,
                                                             side_question const& destination,
                                                             architecture const& machine) {
  bool const whole = atom.count > 0 && element.count > 0 && atom.count % element.count == 0;
  if (!whole) return error{errc::atom_not_divisible, atom.count, element.count};
  if (threads < 1) return error{errc::thr_layout_not_compact, threads, 1};
  result<long long> const n = size(tile);
  if (!n) return n.error();
  require_enumerable(threads, "the thread layout");
  std::optional<arrangement> best;
  double best_clocks = 0;
  long long tried = 0, best_lines = 0;
  int const rank = tile.rank();
  std::vector<long long> extents;
  for (int i = 0; i < rank; ++i) extents.push_back(extent_of(tile, tile.mode(i)));
  error first_error{};
  for (long long vector = std::min(atom.count / element.count, *n); vector >= 1; --vector)
    for (int along = 0; along < rank; ++along) {
      if ((vector == 1 && along > 0) || (atom.count / element.count) % vector != 0) continue;
      if (extents[static_cast<std::size_t>(along)] % vector != 0) continue;
      std::vector<long long> room = extents, val(static_cast<std::size_t>(rank), 1), factors;
      room[static_cast<std::size_t>(along)] /= vector;
      val[static_cast<std::size_t>(along)] = vector;
      std::vector<int> natural(static_cast<std::size_t>(rank));
      std::iota(natural.begin(), natural.end(), 0);
      detail::for_each_factorisation(threads, room, factors, [&](std::vector<long long> const& thr) {
        std::vector<int> order = natural;
        std::vector<layout_value> seen;  // orders that differ in modes of one thread only give the same layout
        do {
          declaration d{{vector * element.count},
                        element,
                        detail::compact_in_order(thr, order),
                        detail::compact_in_order(val, natural)};
          if (std::find(seen.begin(), seen.end(), d.thr) != seen.end()) continue;
          seen.push_back(d.thr);
          ++tried;
          result<tiled_map> const map = map_of(d);
          if (!map) continue;
          result<side_cost> const from = cost_of(*map, source, access_kind::load, machine);
          result<side_cost> const to = cost_of(*map, destination, access_kind::store, machine);
          if (!from || !to) {
            if (!first_error) first_error = from ? to.error() : from.error();
            continue;
          }
          double const clocks = from->clocks(machine) + to->clocks(machine);
          long long const lines = from->global.lines + to->global.lines;
          bool const cheaper = !best || clocks < best_clocks || (clocks == best_clocks && lines < best_lines);
          if (!cheaper) continue;
          best = arrangement{d.thr, d.val, *from, *to, 0};
          best_clocks = clocks;
          best_lines = lines;
        } while (rank <= 4 ? std::next_permutation(order.begin(), order.end())
                           : (std::rotate(order.begin(), order.begin() + 1, order.end()), order != natural));
      });
    }
  if (!best && first_error) return first_error;
  if (best) best->tried = tried;
  return best;
}

}  // namespace tilewright::analysis
