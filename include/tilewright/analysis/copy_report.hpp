// The whole of a tiled copy: coverage of its tile, the width of its accesses and what limits it, sectors in global memory
// and wavefronts in shared memory, registers and shared memory it takes, a bound on its time; and, where it falls short,
// the arrangement of threads and values or the swizzle that would do better.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/analysis/search_arrangement.hpp"
#include "tilewright/analysis/search_swizzle.hpp"
#include "tilewright/analysis/tiling.hpp"
#include "tilewright/tiling/coverage.hpp"

namespace tilewright::analysis {

struct copy_question {
  declaration copy{};
  side_question source{}, destination{};
  arch_id machine = arch_id::sm_90;
  bool through_registers = true;  // false: cp.async

  constexpr access_kind loads_as() const { return copy.matrix ? copy.matrix->kind : access_kind::load; }
  constexpr access_kind stores_as() const { return copy.matrix ? copy.matrix->kind : access_kind::store; }
};

/// One access of a side, as an example: the first of the first warp.
struct shown_access {
  warp_access access{};
  global_traffic global{};
  bank_report banks{};
};

struct side_report {
  side_question question{};
  side_cost cost{};
  shown_access shown{};
  bool covers_whole_bytes = true;  // false: two threads' elements share a byte, so that stores destroy each other's

  /// A swizzle of the side's layout under which this copy's accesses take fewer wavefronts, where there is one.
  std::optional<swizzle_choice> better_swizzle;
};

struct copy_report {
  copy_question question{};
  tiled_map map{};  // of a matrix atom that of the registers
  coverage covered{};
  long long rounds = 0;  // tiles of the tensor
  side_report source{}, destination{};
  footprint takes{};
  model_time time{};

  /// What one thread accesses at a time, as the atom has it: of a matrix atom a row of 16 bytes.
  constexpr bits atom() const { return question.copy.matrix ? bits{128} : to_bits(map.atom, map.element); }

  /// Threads and values, as many of them, that make wider accesses or cost less, where something is to be gained: a
  /// thread's values run across memory, or requests fetch more than was asked for.
  std::optional<arrangement> better;
};

namespace detail {

inline result<side_report> report_of(tiled_map const& map, side_question const& q, access_kind kind,
                                     architecture const& machine) {
  side_report out{};
  out.question = q;
  if (q.space == memory::registers) return out;
  result<side_cost> const cost = cost_of(map, q, kind, machine);
  if (!cost) return cost.error();
  out.cost = *cost;
  out.covers_whole_bytes = out.cost.width.width.count % 8 == 0;
  bool first = true;
  result<tiled_side> const side = side_of(map, q.layout, machine);
  if (!side) return side.error();
  for_each_access(*side, out.cost.width.vector.count, kind, machine, [&](warp_access const& access, long long) {
    if (first) out.shown = {access, traffic_of(access, machine), bank_conflicts(access, machine)};
    first = false;
  });
  result<long long> const extent = cosize(q.layout.layout);
  bool const searchable = q.space == memory::shared && q.layout.swizzle.bits == 0 && q.layout.offset.is(0) &&
                          out.cost.shared.conflicts() > 0 && extent && *extent <= 1LL << 14;
  if (!searchable) return out;
  access_set set{map.element, *extent, {}};
  if (add_tiled(set, map, q.layout.layout, out.cost.width.vector, kind)) return out;
  result<swizzle_choice> const choice = search_swizzle(set, machine);
  if (choice && choice->wavefronts < choice->unswizzled) out.better_swizzle = *choice;
  return out;
}

constexpr bool may_gain(side_cost const& cost, architecture const& machine) {
  width_limit const why = cost.width.limit;
  return why == width_limit::stride || why == width_limit::run || why == width_limit::values ||
         cost.global.efficiency(machine) < 1;
}

/// The cheapest arrangement of the copy's tile and of the whole tensor, where it costs less than the copy does; the
/// tile's where both cost the same.
/// error: those of search_arrangement
inline result<std::optional<arrangement>> better_arrangement(copy_report const& r, architecture const& machine) {
  copy_question const& q = r.question;
  auto const clocks_of = [&](side_cost const& source, side_cost const& destination) {
    return source.clocks(machine) + destination.clocks(machine);
  };
  double least = clocks_of(r.source.cost, r.destination.cost);
  std::optional<arrangement> best;
  int_tree extents{};
  layout_value const& tensor =
      q.source.space == memory::registers ? q.destination.layout.layout : q.source.layout.layout;
  extents.open(tensor.rank());
  for (int i = 0; i < tensor.rank(); ++i) extents.add_leaf(constant_leaf(extent_of(tensor, tensor.mode(i))));
  for (shape_value const& tile : {r.map.tiler, shape_value(extents)}) {
    result<std::optional<arrangement>> const found =
        search_arrangement(tile, r.map.threads(), q.copy.atom, q.copy.element, q.source, q.destination, machine);
    if (!found) return found;
    if (!*found || clocks_of((*found)->source, (*found)->destination) >= least) continue;
    best = **found;
    least = clocks_of(best->source, best->destination);
  }
  return best;
}

}  // namespace detail

/// pre:  with a matrix atom, one side is in shared memory and the other in registers
/// error: those of map_of, rows_of and side_of; throws std::length_error beyond enumeration_limit
inline result<copy_report> report_of(copy_question const& q) {
  architecture const& machine = arch(q.machine);
  copy_report out{};
  out.question = q;
  result<tiled_map> const map = map_of(q.copy);
  if (!map) return map.error();
  out.map = *map;
  result<coverage> const covered = cover(map->tv, map->tiler);
  if (!covered) return covered.error();
  out.covered = *covered;
  result<tiled_map> const in_memory = q.copy.matrix ? rows_of(q.copy, *map) : map;
  if (!in_memory) return in_memory.error();
  result<side_report> const source = detail::report_of(*in_memory, q.source, q.loads_as(), machine);
  if (!source) return source.error();
  result<side_report> const destination = detail::report_of(*in_memory, q.destination, q.stores_as(), machine);
  if (!destination) return destination.error();
  out.source = *source;
  out.destination = *destination;
  bytes shared{};
  global_traffic global{};
  shared_traffic banks{};
  for (side_report const* side : {&out.source, &out.destination}) {
    side_question const& s = side->question;
    if (s.space == memory::registers) continue;
    result<long long> const n = size(s.layout.layout);
    result<long long> const span = s.layout.swizzle.bits == 0 ? cosize(s.layout.layout) : cosize(s.layout);
    if (!n || !span) return n ? span.error() : n.error();
    out.rounds = *n / (map->threads() * map->values());
    global.add(side->cost.global, 1);
    banks.add(side->cost.shared, 1);
    long long size_in_bits = 0;
    if (s.space != memory::shared) continue;
    if (!math::multiply(*span, map->element.count, size_in_bits))
      return error{errc::overflow, *span, map->element.count};
    shared.count += to_bytes(bits{size_in_bits}).count;
  }
  out.takes = footprint_of(map->threads(), map->values(), map->element, q.through_registers, shared, machine);
  out.time = time_of(global, banks, machine);
  bool const both_in_memory = q.source.space != memory::registers && q.destination.space != memory::registers;
  if (both_in_memory &&
      (detail::may_gain(out.source.cost, machine) || detail::may_gain(out.destination.cost, machine))) {
    result<std::optional<arrangement>> const better = detail::better_arrangement(out, machine);
    if (better) out.better = *better;
  }
  return out;
}

}  // namespace tilewright::analysis
