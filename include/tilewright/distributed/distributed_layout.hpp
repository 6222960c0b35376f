// A tensor that is spread over ranks: each coordinate has an owner and an offset in that owner's memory. The map is a layout
// whose strides are multiples of E<0>, the rank, and E<1>, the offset:
//   ((3,4),8):((1@1,1@0),3@1) within (10,8)
// is a 10x8 tensor in blocks of 3 rows on 4 ranks: coordinate (7,2) has the digits 7 = 1 + 3*2, so rank 2 has it at offset
// 1 + 2*3 = 7. Rank 3 has one row, since the shape ends at 10. Replicas are modes that step through ranks and through no
// coordinate: `replicas 2:4` keeps each element on two ranks, r and r + 4.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/layout/swizzle_value.hpp"
#include "tilewright/plan/movement.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// One digit of an axis's index. A digit x adds x * step to the index, and x * stride to the rank or to the offset.
struct axis_digit {
  std::int64_t extent = 1;
  std::int64_t step = 1;
  std::int64_t stride = 0;
  bool of_rank = false;
  friend bool operator==(axis_digit const&, axis_digit const&) = default;
};

/// The index of an axis in digits, the innermost first. All digits below digit k together add less than its step.
/// law: digits[0].step == 1, digits[k].step <= digits[k+1].step <= digits[k].step * digits[k].extent,
///      extent <= digits.back().step * digits.back().extent; so each index below `extent` has digits, and only one set of them
struct distributed_axis {
  std::int64_t extent = 1;
  std::vector<axis_digit> digits;
  friend bool operator==(distributed_axis const&, distributed_axis const&) = default;
};

struct distributed_layout {
  std::vector<distributed_axis> axes;
  std::vector<step> replicas;  // extent, and stride in ranks
  std::vector<int>
      packed;  // axes, the one with the smallest stride first: each rank's tensor is compact in this order,
               // also where its block is ragged. Empty: strides are the same on every rank
  std::int64_t offset = 0;  // of each rank's first element
  swizzle_value swizzle{};  // of the offsets
  int ranks = 1;            // there are in all; those that the digits do not reach hold nothing
  std::vector<int> on;      // rank r of the layout is process on[r]; empty: process r
  friend bool operator==(distributed_layout const&, distributed_layout const&) = default;
};

/// Where an element is.
struct place {
  int rank = 0;
  std::int64_t offset = 0;
  friend bool operator==(place const&, place const&) = default;
};

/// Proves that every element has an owner, that each rank's elements have distinct offsets, and that no number exceeds 63 bits.
/// error: copy_error bad_layout: one sentence
/// cost: that of has_collision on the offset digits
void validate(distributed_layout const& layout);

/// Every place of the element: one for each replica, by ascending rank.
/// pre: a valid layout
/// error: copy_error bad_option where not 0 <= coordinate[i] < axes[i].extent
std::vector<place> places_of(distributed_layout const& layout, std::vector<std::int64_t> const& coordinate);

/// How many coordinates of each axis the rank owns; zeros where it owns nothing.
std::vector<std::int64_t> local_shape(distributed_layout const& layout, int rank);

/// Elements from the start of the rank's memory to the end of its last element, with what a swizzle may reach.
std::int64_t local_span(distributed_layout const& layout, int rank);

/// The stride of each axis in the rank's memory, counted in the rank's own indices of the axis.
///   ((3,4),8):((1@1,1@0),3@1): (1,3)
/// post: empty where an axis has no single stride, as with a swizzle or a gap between blocks
std::vector<std::int64_t> local_strides(distributed_layout const& layout, int rank);

std::vector<std::int64_t> shape_of(distributed_layout const& layout);
std::int64_t elements_of(distributed_layout const& layout);

/// The same ownership with `count` smaller elements in place of each: one more axis, the last, contiguous.
/// error: copy_error bad_layout for a swizzle, or offsets beyond 63 bits
distributed_layout with_split_elements(distributed_layout layout, std::int64_t count);

/// The layout itself, coordinates to (rank, offset), without `within`, replicas, `packed` and `on`.
/// error: copy_error bad_layout: steps that are no products of extents, more than 64 digits
layout_value layout_of(distributed_layout const& layout);

/// LAYOUT [within SHAPE] [steps TUPLE] [replicas LAYOUT] [packed ORDER] [offset N] [swizzle Sw<B,M,S>] [ranks N] [on TUPLE]
std::string to_text(distributed_layout const& layout);

/// Reads to_text's form, or distribute(SHAPE,MESH,PLACEMENT,…[,row|col]), see placements.hpp.
/// law: parse_distributed(to_text(x)) == x
/// error: text_error with the place; copy_error bad_layout, as validate
distributed_layout parse_distributed(std::string_view text);

}  // namespace tilewright
