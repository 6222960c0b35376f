// The indices of one axis that a rank owns, as boxes of nested steps, and what two such sets have in common. A block is one
// step; a cyclic axis of block 2 on 3 ranks gives rank 1 of 11 indices the boxes {2,3,8,9} and nothing else: one box of 2 steps
// of 1 and 2 steps of 6. A ragged end adds at most one box for each digit.
#pragma once

#include "tilewright/distributed/distributed_layout.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::distributed {

/// `count` indices, `step` apart; on the owner `stride` apart.
struct set_mode {
  std::int64_t count = 1, step = 1, stride = 0;
};
/// The indices first + Σ xi·modes[i].step, at offset + Σ xi·modes[i].stride; the innermost mode first.
/// law: modes[k+1].step exceeds the span of all modes before it
struct set_box {
  std::int64_t first = 0, offset = 0;
  std::vector<set_mode> modes;
};
using axis_set = std::vector<set_box>;

struct shared_mode {
  std::int64_t count = 1, step = 1, src = 0, dst = 0;
};
/// Indices that two sets have in common, with their offsets in both.
struct shared_box {
  std::int64_t first = 0, src = 0, dst = 0;
  std::vector<shared_mode> modes;
};

/// What the rank with these rank digits owns. `strides` has one entry for each digit; those of rank digits are not read.
/// pre: the axis is valid; values.size() == number of rank digits
axis_set owned(distributed_axis const& axis, std::vector<std::int64_t> const& values,
               std::vector<std::int64_t> const& strides);

std::int64_t count_of(axis_set const& set);
std::int64_t count_of(shared_box const& box);
std::int64_t count_of(std::vector<shared_box> const& boxes);

/// law: the boxes are disjoint, and the union of their indices is the intersection of the sets
/// cost: depends on digits; where periods of the sets do not divide one another, on the number of periods that differ
std::vector<shared_box> intersection(axis_set const& a, axis_set const& b);

}  // namespace tilewright::distributed
