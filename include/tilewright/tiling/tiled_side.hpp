// A tiled copy seen by an analysis: the tile and the (thread, value) map that its declaration gives, and, for the tensor
// on one side, every access that the copy makes. Rounds of a large tensor differ only in where they start, and cost the
// same wherever they start alike modulo a line and the swizzle's period; so one round of each kind is looked at and
// counted as often as it comes, however large the tensor.
#pragma once

#include "tilewright/base/config.hpp"

#include <map>
#include <optional>
#include <vector>

#include "tilewright/tiling/offsets.hpp"
#include "tilewright/tiling/sectors.hpp"
#include "tilewright/tiling/thread_value.hpp"

namespace tilewright::tiling {

/// ldmatrix or stmatrix as the atom of a tiled copy: the 32 threads of a warp together. One side is in registers, and
/// thread-value layouts are made for it; on the other, in shared memory, threads name rows of 16 bytes.
///   ldmatrix x1: rows ((8,4),128):((128,0),1), registers (32,32):(32,1)
struct matrix_atom {
  access_kind kind = access_kind::ldmatrix;
  layout_value rows{}, registers{};  // (thread, bit) -> bit, as Copy_Traits has them
};

/// What make_tiled_copy takes: what one instruction copies, where the threads are, how many values each has.
/// `val` counts values when its size is a multiple of the atom's values; otherwise atoms, whose values extend mode 0.
struct declaration {
  bits atom{128};  // of one thread; of a matrix atom in registers
  bits element{32};
  layout_value thr{};  // (m,n,…) -> thread
  layout_value val{};  // (m,n,…) -> value
  std::optional<matrix_atom> matrix{};
};

/// What is derived from it.
struct tiled_map : thread_value_map {
  bits element{32};
  layout_value thr{};
  int active = 32;  // of each warp, threads that access memory; ldmatrix x1: the first 8
};

/// As map_threads.
/// error: atom_not_divisible, thr_layout_not_compact, too_few_values, those of raked_product
constexpr result<tiled_map> map_of(declaration const& d) {
  result<thread_value_map> const map = map_threads(d.atom, d.element, d.thr, d.val);
  if (!map) return map.error();
  return tiled_map{*map, d.element, d.thr};
}

/// The side of a matrix atom that is in shared memory, as a map by itself: each thread's values are rows of 16 bytes.
///   ldmatrix x1 on a tile (8,8) of f16: 32 threads x 8 values, of which 8 threads are active
/// pre:  map is map_of(d), and d.matrix is given
/// error: too_few_threads, too_few_values, those of in_elements
inline result<tiled_map> rows_of(declaration const& d, tiled_map const& map) {
  constexpr long long row = 128;
  result<atom_maps_value> const maps = in_elements({d.matrix->registers, d.matrix->rows, d.matrix->rows}, d.element);
  if (!maps) return maps.error();
  result<layout_value> const tv = side_of_atom(map, maps->reference, maps->source);
  if (!tv) return tv.error();
  tiled_map out = map;
  out.atom = {row / d.element.count};
  out.tv = *tv;
  out.active = static_cast<int>(cosize(d.matrix->rows).value() / row);
  return out;
}

/// Rounds that start at `start` (in elements, below the swizzle, modulo the period), and how many there are.
struct round_class {
  long long start = 0;
  long long count = 0;
};

/// A tensor as the threads of a tiled copy meet it. Offsets are in elements.
struct tiled_side {
  bits element{32};
  swizzle_value swizzle{};
  long long threads = 0, values = 0;
  long long active = 32;  // threads of a warp that access memory
  long long rounds = 0;
  long long period = 1;           // of starts: beyond it accesses cost the same
  std::vector<long long> offset;  // [thread + threads * value], below the swizzle, from the start of a round
  std::vector<round_class> classes;

  long long below_swizzle(long long thread, long long value, round_class const& round) const {
    return round.start + offset[static_cast<std::size_t>(thread + threads * value)];
  }
  /// Where the thread finds its value in such a round.
  long long at(long long thread, long long value, round_class const& round) const {
    long long const x = below_swizzle(thread, value, round);
    return swizzle.bits == 0 ? x : swizzle(x);
  }
};

namespace detail {

/// The residues of start + i * stride, i < extent, for every start.
inline std::map<long long, long long> with_mode(std::map<long long, long long> const& starts, long long extent,
                                                long long stride, long long period) {
  long long const step = math::floor_mod(stride, period);
  long long const cycle = step == 0 ? 1 : period / math::gcd(step, period);  // distinct residues
  require_enumerable(static_cast<long long>(starts.size()) * std::min(cycle, extent), "a mode of the rounds");
  std::map<long long, long long> out;
  for (auto const& [start, count] : starts)
    for (long long i = 0; i < std::min(cycle, extent); ++i)
      out[(start + i * step) % period] += count * (extent / cycle + (i < extent % cycle ? 1 : 0));
  return out;
}

/// Elements after which banks, sectors, lines and the swizzle repeat.
constexpr long long period_of(swizzle_value const& s, bits element, architecture const& machine) {
  long long const line = to_bits(machine.line).count;
  long long const plain = line / math::gcd(line, element.count);
  return s.bits == 0 ? plain : math::lcm(plain, s.period());
}

}  // namespace detail

/// pre:  each tiled mode of the tensor is a whole number of the tile's; swizzles have a period of at most 2^24 elements
/// error: tiler_does_not_fit, rank_mismatch, those of zipped_divide and of cosize; overflow;
///        throws std::length_error beyond enumeration_limit
/// cost: O(threads * values + modes * period^2) at worst
inline result<tiled_side> side_of(tiled_map const& map, composed_value const& tensor, architecture const& machine) {
  result<long long> const n = checked_size(tensor), pairs = size(map.tv);
  if (!n) return n.error();
  if (!pairs) return pairs.error();
  require_enumerable(*pairs, "the tile");
  layout_value whole{};
  if (!tensor.layout.is_tuple(tensor.layout.root())) whole.open(1);
  whole.add(tensor.layout);
  if (map.tiler.rank() > whole.rank()) return error{errc::rank_mismatch, whole.rank(), map.tiler.rank()};
  for (int i = 0; i < map.tiler.rank(); ++i) {
    long long const extent = extent_of(whole, whole.mode(i));
    long long const tile = extent_of(map.tiler, map.tiler.mode(i));
    if (extent % tile != 0) return error{errc::tiler_does_not_fit, extent, tile};
  }
  result<layout_value> const divided = zipped_divide(whole, tiler_value{map.tiler});
  if (!divided) return divided.error();
  layout_value const tile(copy_of(*divided, divided->mode(0))), rest(copy_of(*divided, divided->mode(1)));

  tiled_side out{};
  out.element = map.element;
  out.swizzle = tensor.swizzle;
  out.threads = map.threads();
  out.values = map.values();
  out.active = map.active;
  out.rounds = extent_of(rest, rest.root());
  out.period = detail::period_of(out.swizzle, map.element, machine);
  if (out.period > enumeration_limit || map.element.count > enumeration_limit)
    require_enumerable(enumeration_limit + 1, "the period of the swizzle and the elements");
  result<long long> const span = cosize(whole);
  if (!span) return span.error();
  long long reach = 0, bits_reached = 0;  // bit addresses stay well within 64 bits
  if (!math::add(*span, out.period, reach) || !math::multiply(reach, 4 * map.element.count, bits_reached))
    return error{errc::overflow, *span, map.element.count};
  out.offset.reserve(static_cast<std::size_t>(*pairs));
  long long smallest = 0;
  for (long long pair = 0; pair < *pairs; ++pair) {
    out.offset.push_back(tile(map.tv(pair)));
    smallest = std::min(smallest, out.offset.back());
  }
  if (out.rounds == 0) return out;
  std::map<long long, long long> starts{{math::floor_mod(tensor.offset.number, out.period), 1}};
  for (int i = 0; i < rest.leaves; ++i)
    starts = detail::with_mode(starts, rest.shape[i].number, rest.stride[i].number, out.period);
  // A negative stride reaches below the start: whole periods on top keep what the swizzle sees non-negative.
  long long const lift = math::ceil_div(-smallest, out.period) * out.period;
  for (auto const& [start, count] : starts) out.classes.push_back({start + lift, count});
  require_enumerable(static_cast<long long>(out.classes.size()) * *pairs, "the tile in all kinds of rounds",
                     walk_limit);
  return out;
}

/// f(access, times) for every kind of access that the copy makes with `vector` elements at a time, values in order.
/// pre:  vector divides the values of a thread
/// post: `times` adds up to rounds * warps * values / vector
template <class F>
void for_each_access(tiled_side const& side, long long vector, access_kind kind, architecture const& machine,
                     F const& f) {
  long long const lanes = std::min<long long>(machine.warp, warp_access::max_lanes);
  for (round_class const& round : side.classes)
    for (long long first = 0; first < side.threads; first += lanes)
      for (long long value = 0; value < side.values; value += vector) {
        warp_access access{};
        access.kind = kind;
        access.width = {vector * side.element.count};
        for (long long lane = 0; lane < std::min(lanes, side.active) && first + lane < side.threads; ++lane)
          access.set(static_cast<int>(lane), {side.at(first + lane, value, round) * side.element.count});
        f(access, round.count);
      }
}

/// On a CPU, where threads share no access: what each thread touches in a round, all its values together, is one request.
inline global_traffic cache_traffic(tiled_side const& side, architecture const& machine) {
  global_traffic out{};
  std::vector<byte_range> ranges;
  for (round_class const& round : side.classes)
    for (long long thread = 0; thread < side.threads; ++thread) {
      ranges.clear();
      for (long long value = 0; value < side.values; ++value) {
        long long const first = side.at(thread, value, round) * side.element.count;
        ranges.push_back({math::floor_div(first, 8), math::floor_div(first + side.element.count + 7, 8)});
      }
      std::sort(ranges.begin(), ranges.end(), comes_before);
      out.add(detail::request_of(ranges, machine), round.count);
    }
  return out;
}

}  // namespace tilewright::tiling
