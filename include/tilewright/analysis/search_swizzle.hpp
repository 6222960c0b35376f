// The best swizzle for a set of accesses to a tile in shared memory. Every Swizzle<B,M,S> that keeps the vectors of the
// accesses whole and stays within the tile is tried, so that the answer is proved: it meets a bound that no permutation
// of aligned vectors could beat, or no other swizzle is better.
#pragma once

#include "tilewright/base/config.hpp"

#include <optional>
#include <vector>

#include "tilewright/analysis/tiling.hpp"
#include "tilewright/tiling/banks.hpp"
#include "tilewright/tiling/tiled_side.hpp"

namespace tilewright::analysis {

/// One instruction of a warp on a tile: where each lane's vector starts, in elements, below the swizzle.
struct tile_access {
  access_kind kind = access_kind::load;
  elements vector{1};
  std::uint32_t active = 0;
  std::array<long long, warp_access::max_lanes> start{};

  /// pre: 0 <= lane < 32
  constexpr void set(int lane, long long offset) {
    active |= std::uint32_t{1} << lane;
    start[static_cast<std::size_t>(lane)] = offset;
  }
};

/// Everything that is done to the tile.
struct access_set {
  bits element{32};
  long long extent = 0;  // elements the tile occupies: offsets are in [0, extent)
  std::vector<tile_access> accesses;
};

enum class optimality : int {
  by_bound,       // no permutation of aligned vectors takes fewer wavefronts
  by_exhaustion,  // no Swizzle<B,M,S> within the tile that keeps the vectors whole takes fewer
};

struct swizzle_choice {
  swizzle_value swizzle{};
  long long wavefronts = 0;
  long long phases = 0;
  long long bound = 0;       // below which no permutation of aligned vectors gets
  long long unswizzled = 0;  // wavefronts without a swizzle
  long long tried = 0;       // swizzles examined
  optimality proof = optimality::by_bound;

  constexpr bool conflict_free() const { return wavefronts == phases; }
};

namespace detail {

inline warp_access swizzled_access(tile_access const& a, swizzle_value const& s, bits element) {
  warp_access out{a.kind, to_bits(a.vector, element), a.active, {}};
  for (int lane = 0; lane < warp_access::max_lanes; ++lane) {
    long long const x = a.start[static_cast<std::size_t>(lane)];
    out.at[lane] = (s.bits == 0 ? x : s(x)) * element.count;
  }
  return out;
}

/// The wavefronts of the set under a swizzle; stops counting once they exceed `enough`.
inline long long wavefronts_of(access_set const& set, swizzle_value const& s, architecture const& machine,
                               long long enough) {
  long long sum = 0;
  for (tile_access const& a : set.accesses) {
    sum += bank_conflicts(swizzled_access(a, s, set.element), machine).wavefronts;
    if (sum > enough) return sum;
  }
  return sum;
}

/// What one phase takes under the best permutation of aligned units of `unit` bytes. A word keeps its place in its unit,
/// so the words of one place can be in only banks * 4 / unit banks; units below a word can be packed at will.
inline long long bound_of_phase(warp_access const& access, architecture const& machine, int first, int lanes,
                                long long unit) {
  long long const word = machine.bank_width.count, places = unit / word;
  byte_ranges const ranges = sorted_ranges(access, first, lanes);
  if (ranges.count == 0) return 0;
  if (places <= 1) return math::ceil_div(units_touched(ranges.view(), 1), word * machine.banks);
  if (places > machine.banks) return 1;
  bank_words of_place(static_cast<int>(places), machine.bank_width);
  for (byte_range const& bytes : ranges.view()) of_place.add(bytes);
  return math::ceil_div(of_place.fullest(), machine.banks / places);
}

/// Does the swizzle map [0, extent) onto itself?
inline bool stays_within(swizzle_value const& s, long long extent) {
  if (math::has_single_bit(static_cast<unsigned long long>(extent))) return s.period() <= extent;
  for (long long x = 0; x < extent; ++x)
    if (s(x) >= extent) return false;
  return true;
}

/// Smaller is preferred among swizzles of equal cost and bits: those TMA has, then positive and small shifts, then large
/// bases, which keep longer vectors whole.
constexpr int preference(swizzle_value const& s, bits element) {
  long long const base_bytes = (1LL << s.base) * element.count / 8;
  bool const hardware = base_bytes == 16 && s.shift == 3 && s.bits <= 3;
  int const shift = s.shift < 0 ? 64 - s.shift : s.shift;
  return hardware ? 0 : 1 + shift * 64 + (63 - s.base);
}

}  // namespace detail

/// The fewest wavefronts; of those the fewest bits, and of those the preferred one (see detail::preference).
/// pre:  each access is at most 128 bits wide, its vector a power of two that divides where its lanes start
/// error: misaligned (start, vector), coordinate_out_of_range (start, extent), bad_factor (width, 128);
///        throws std::length_error for a tile beyond enumeration_limit
/// cost: O(swizzles * accesses), swizzles about bits(extent)^3 / 3
inline result<swizzle_choice> search_swizzle(access_set const& set, architecture const& machine) {
  require_enumerable(set.extent, "the tile");
  long long unit = 1;
  for (tile_access const& a : set.accesses) {
    bool const power = a.vector.count > 0 && math::has_single_bit(static_cast<unsigned long long>(a.vector.count));
    if (!power || set.element.count <= 0 || a.vector.count > 128 || a.vector.count * set.element.count > 128)
      return error{errc::bad_factor, a.vector.count, 1};
    for (int lane = 0; lane < warp_access::max_lanes; ++lane) {
      long long const x = a.start[static_cast<std::size_t>(lane)];
      if ((a.active >> lane & 1) == 0) continue;
      if (x < 0 || x > set.extent - a.vector.count) return error{errc::coordinate_out_of_range, x, set.extent};
      if (x % a.vector.count != 0) return error{errc::misaligned, x % 256, a.vector.count};
    }
    unit = std::max(unit, a.vector.count);
  }
  swizzle_choice best{};
  for (tile_access const& a : set.accesses) {
    warp_access const plain = detail::swizzled_access(a, {}, set.element);
    bank_report const report = bank_conflicts(plain, machine);
    best.phases += report.phases;
    best.unswizzled += report.wavefronts;
    int const lanes = lanes_of_a_phase(plain);
    for (int first = 0; first < warp_access::max_lanes; first += lanes)
      best.bound += detail::bound_of_phase(plain, machine, first, lanes, unit * set.element.count / 8);
  }
  best.wavefronts = best.unswizzled;
  best.tried = 1;
  int const width = math::bit_width(static_cast<unsigned long long>(set.extent > 0 ? set.extent - 1 : 0));
  int const least_base = math::countr_zero(static_cast<unsigned long long>(unit));
  long long const swizzles = static_cast<long long>(width) * width * width / 3;
  require_enumerable(static_cast<long long>(set.accesses.size()) * (swizzles + 1), "the search for a swizzle",
                     walk_limit / 8);
  for (int b = 1; 2 * b <= width && best.wavefronts > best.bound; ++b) {
    std::vector<swizzle_value> of_bits;
    for (int base = least_base; base + 2 * b <= width; ++base)
      for (int reach = b; base + b + reach <= width; ++reach) {
        of_bits.push_back({b, base, reach});
        of_bits.push_back({b, base, -reach});
      }
    std::sort(of_bits.begin(), of_bits.end(), [&](swizzle_value const& x, swizzle_value const& y) {
      return detail::preference(x, set.element) < detail::preference(y, set.element);
    });
    for (swizzle_value const& s : of_bits) {
      if (best.wavefronts == best.bound) break;
      ++best.tried;
      long long const cost = detail::wavefronts_of(set, s, machine, best.wavefronts);
      if (cost >= best.wavefronts || !detail::stays_within(s, set.extent)) continue;
      best.wavefronts = cost;
      best.swizzle = s;
    }
  }
  best.proof = best.wavefronts == best.bound ? optimality::by_bound : optimality::by_exhaustion;
  return best;
}

// --- what is done to tiles -------------------------------------------------------------------------------------------

/// Every access that a tiled copy makes on a tile in shared memory, `vector` elements at a time, values in order.
/// pre:  vector divides the values of a thread; a layout of non-negative strides; its cosize at most the set's extent
/// error: those of side_of; throws std::length_error beyond enumeration_limit
[[nodiscard]] inline error add_tiled(access_set& set, tiled_map const& map, layout_value const& tile, elements vector,
                                     access_kind kind) {
  result<long long> const pairs = size(map.tv), all = size(tile);
  if (!pairs) return pairs.error();
  if (!all) return all.error();
  require_enumerable(*all, "the tile");
  if (vector.count <= 0 || map.values() % vector.count != 0)
    return error{errc::too_few_values, map.values(), vector.count};
  result<layout_value> const divided = zipped_divide(tile, tiler_value{map.tiler});
  if (!divided) return divided.error();
  layout_value const within(copy_of(*divided, divided->mode(0))), rest(copy_of(*divided, divided->mode(1)));
  long long const threads = map.threads(), values = map.values(), rounds = extent_of(rest, rest.root());
  for (long long round = 0; round < rounds; ++round)
    for (long long first = 0; first < threads; first += warp_access::max_lanes)
      for (long long value = 0; value < values; value += vector.count) {
        tile_access access{kind, vector, 0, {}};
        for (int lane = 0; lane < std::min(warp_access::max_lanes, map.active) && first + lane < threads; ++lane)
          access.set(lane, rest(round) + within(map.tv(first + lane + threads * value)));
        set.accesses.push_back(access);
      }
  return {};
}

/// Every 8x8 matrix of a tile (rows, columns), read by ldmatrix (or written by stmatrix) 1, 2 or 4 at a time: the
/// matrices of one instruction follow one another down the rows, then along the columns.
/// pre:  a row of a matrix is 16 bytes that the layout keeps together; matrices is 1, 2 or 4
/// error: rank_mismatch, tiler_does_not_fit; throws std::length_error beyond enumeration_limit
[[nodiscard]] inline error add_matrices(access_set& set, layout_value const& tile, int matrices, access_kind kind) {
  result<long long> const all = size(tile), span = cosize(tile);
  if (!all) return all.error();
  if (!span) return span.error();
  require_enumerable(*all, "the tile");
  if (tile.rank() != 2) return error{errc::rank_mismatch, tile.rank(), 2};
  long long const rows = extent_of(tile, tile.mode(0)), columns = extent_of(tile, tile.mode(1));
  long long const row = set.element.count > 0 ? 128 / set.element.count : 0;
  if (row == 0 || columns % row != 0) return error{errc::tiler_does_not_fit, columns, row};
  if (matrices < 1 || matrices > 4 || rows % 8 != 0 || rows / 8 * (columns / row) % matrices != 0)
    return error{errc::tiler_does_not_fit, rows, 8LL * matrices};
  long long const down = rows / 8, count = down * (columns / row);
  for (long long m = 0; m < count; m += matrices) {
    tile_access access{kind, {row}, 0, {}};
    for (int lane = 0; lane < 8 * matrices; ++lane) {
      long long const matrix = m + lane / 8;
      long long const at = matrix % down * 8 + lane % 8 + rows * (matrix / down * row);
      access.set(lane, tile(at));
    }
    set.accesses.push_back(access);
  }
  return {};
}

}  // namespace tilewright::analysis
