// When a swizzled offset is the sum of a tile's place and a place within the tile. A swizzle is linear over bits: where the two
// numbers have no bit in common, among those that it reads or writes,
//   swizzle(a + b) = high(a) + high(b) + (swizzle(low(a)) xor swizzle(low(b))).
#pragma once

#include "tilewright/plan/movement.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::plan {

/// The bits that the swizzle reads or writes, as a mask; 0 where there is none.
inline std::int64_t swizzled_bits(swizzle_value const& s) { return s.bits == 0 ? 0 : s.period() - 1; }

/// Bits of `mask` that some sum of an offset and whole numbers of steps may have: at least those, perhaps more.
/// pre: mask is 2^n - 1
std::int64_t reached_bits(std::vector<step> const& steps, std::int64_t offset, std::int64_t mask);

/// Do tiles of these extents have places that no bit of which the swizzle of either side knows is shared with a place within
/// the tile?
/// pre: m.has_loops()
bool swizzles_separate(movement const& m, std::vector<std::int64_t> const& tile);

}  // namespace tilewright::plan
