// A copy between two layouts as a set of nested loops, each of which steps through the source and through
// the destination by a stride of its own. The layouts are refined to a common domain, broadcast modes that write the
// same element again are dropped, negative strides are reversed, and what is left is ordered by the destination and
// coalesced:
//   (64,32):(32,1)  ->  (64,32):(1,64)     is    64: src 32, dst 1    32: src 1, dst 64
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/layout/swizzle_value.hpp"

#include <cstdint>
#include <vector>

namespace tilewright {

/// One loop: `extent` steps of `src` and `dst` elements.
struct loop {
  std::int64_t extent = 1;
  std::int64_t src = 0;
  std::int64_t dst = 0;
  friend bool operator==(loop const&, loop const&) = default;
};

/// One mode of one side.
struct step {
  std::int64_t extent = 1;
  std::int64_t stride = 0;
  friend bool operator==(step const&, step const&) = default;
};

/// The element at coordinates (x0, x1, …) of the loops moves
///   from  src_swizzle(src_offset + Σ xi·loops[i].src)  to  dst_swizzle(dst_offset + Σ xi·loops[i].dst),
/// offsets and strides in elements of element_bits.
/// law: 0 < loops[i].dst < loops[i+1].dst; extents > 1; the destination offsets are distinct.
/// Layouts whose modes have no common refinement, such as (4,6) and (6,4) over the index 0…23, have no loops: each side
/// then has steps of its own, first fastest, that take the same index apart.
struct movement {
  int element_bits = 0;
  std::int64_t elements = 0;  // moved in all; 0 leaves everything else empty
  std::int64_t src_offset = 0, dst_offset = 0;
  swizzle_value src_swizzle{}, dst_swizzle{};
  std::vector<loop> loops;
  std::vector<step> src_steps, dst_steps;

  bool has_loops() const { return src_steps.empty(); }
  bool is_swizzled() const { return src_swizzle.bits != 0 || dst_swizzle.bits != 0; }
  friend bool operator==(movement const&, movement const&) = default;
};

/// The span of element offsets that a side touches: [first, last], before the swizzle.
struct offset_range {
  std::int64_t first = 0;
  std::int64_t last = -1;
};

/// error: copy_error bad_layout, different_shapes, writes_twice, bad_element (bits other than 4 and 8·2^k up to 128)
/// cost: microseconds; at most 2^20 steps for the search that decides whether an odd layout writes twice
movement make_movement(composed_value const& src, composed_value const& dst, int element_bits);

/// The same movement in wider elements where runs allow it: a run of 4 floats becomes one element of 128 bits when its
/// length and every other stride and offset divide. `src_alignment` and `dst_alignment` bound the width, in bytes.
/// post: element_bits <= 128
movement widened(movement const& m, std::int64_t src_alignment, std::int64_t dst_alignment);

/// One side's steps, whether the movement has loops or steps of its own; in the same order, first fastest.
std::vector<step> source_steps(movement const& m);
std::vector<step> destination_steps(movement const& m);

/// Element by element, before the swizzle.
offset_range source_range(movement const& m);
offset_range destination_range(movement const& m);

/// Do the strides map two coordinates of [0, extent)… to one offset? "unknown" when 2^20 steps did not decide.
enum class answer { no, yes, unknown };
answer has_collision(std::vector<step> const& steps);

/// Do offset + Σ xi·a[i] and Σ yj·b[j] have a value in common?
answer share_offset(std::vector<step> const& a, std::int64_t offset, std::vector<step> const& b);

}  // namespace tilewright
