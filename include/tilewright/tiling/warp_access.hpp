// One memory instruction of a warp, as data: how many bits each thread moves, and where they start. What it costs is in
// sectors.hpp and banks.hpp. Addresses are relative to a base that is aligned to a line (128 bytes), so
// that banks, sectors and lines are those of the machine.
#pragma once

#include "tilewright/base/config.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "tilewright/base/math.hpp"
#include "tilewright/base/units.hpp"
#include "tilewright/layout/layout_value.hpp"
#include "tilewright/machine/arch.hpp"

namespace tilewright::tiling {

enum class memory : int { global, shared, registers };
enum class access_kind : int { load, store, ldmatrix, stmatrix };

struct warp_access {
  static constexpr int max_lanes = 32;

  access_kind kind = access_kind::load;
  bits width{};               // of each lane
  std::uint32_t active = 0;   // lanes that take part
  long long at[max_lanes]{};  // the first bit of each lane's

  /// pre: 0 <= lane < 32, |first| < 2^62
  constexpr void set(int lane, bits first) {
    active |= std::uint32_t{1} << lane;
    at[lane] = first.count;
  }
  constexpr bool is_active(int lane) const { return (active >> lane & 1) != 0; }
};

/// The most elements that an analysis keeps one by one, and that it walks over; larger questions throw std::length_error.
inline constexpr long long enumeration_limit = 1LL << 24;
inline constexpr long long walk_limit = 1LL << 27;

/// error: std::length_error
inline void require_enumerable(long long elements, char const* what, long long limit = enumeration_limit) {
  if (elements > limit)
    raise_exception(std::length_error("analysis: " + std::string(what) + " has " + std::to_string(elements) +
                                      " elements, and more than " + std::to_string(limit) +
                                      " are not examined one by one; analyse a smaller tile"));
}

/// Bytes [begin, end).
struct byte_range {
  long long begin = 0, end = 0;
};

/// Those that a lane touches.
constexpr byte_range bytes_of(warp_access const& access, int lane) {
  return {math::floor_div(access.at[lane], 8), math::floor_div(access.at[lane] + access.width.count + 7, 8)};
}
constexpr bool comes_before(byte_range const& a, byte_range const& b) { return a.begin < b.begin; }

struct byte_ranges {
  int count = 0;
  std::array<byte_range, warp_access::max_lanes> range{};

  constexpr std::span<byte_range const> view() const { return {range.data(), static_cast<std::size_t>(count)}; }
};

/// The bytes of lanes [first, first + lanes), in ascending order of their begin.
constexpr byte_ranges sorted_ranges(warp_access const& access, int first, int lanes) {
  byte_ranges out{};
  for (int lane = first; lane < first + lanes && lane < warp_access::max_lanes; ++lane)
    if (access.is_active(lane)) out.range[static_cast<std::size_t>(out.count++)] = bytes_of(access, lane);
  std::sort(out.range.begin(), out.range.begin() + out.count, comes_before);
  return out;
}

/// How many distinct aligned units of so many bytes the ranges touch. (Units of 1: the distinct bytes.)
/// pre: sorted by begin
constexpr long long units_touched(std::span<byte_range const> all, long long unit) {
  long long count = 0, next = int64_min;  // units below `next` are counted
  for (byte_range const r : all) {
    if (r.end <= r.begin) continue;
    long long const first = math::floor_div(r.begin, unit), last = math::floor_div(r.end - 1, unit);
    long long const from = first > next ? first : next;
    if (last >= from) {
      count += last - from + 1;
      next = last + 1;
    }
  }
  return count;
}

}  // namespace tilewright::tiling
