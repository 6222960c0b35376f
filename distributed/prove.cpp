// The proof of a redistribution, for all ranks, from the digits of both layouts. It shares with the planner the boxes that it
// checks and nothing that made them.
#include "distributed/meet.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>

namespace tilewright {
namespace {

using distributed::meet;
using distributed::prepared;
using distributed::shared_box;
using distributed::shared_mode;
using reason = std::optional<std::string>;

/// Do the indices first + Σ xi·step of the box have, on one side, the rank digits of `key` and the offsets that it says?
/// Digits that are contiguous in both index and offset count as one. Each mode of the box steps through digits of offsets
/// without a carry, so the map from box to offset is affine, and its strides are those of the digits.
reason steps_as_digits(prepared const& side, int axis, int key, shared_box const& box, std::int64_t offset,
                       std::int64_t shared_mode::*stride) {
  struct wide_digit {
    std::int64_t extent, step, stride;
    bool of_rank;
    std::int64_t fixed;
  };
  distributed_axis const& a = side.layout().axes[static_cast<std::size_t>(axis)];
  std::vector<std::int64_t> const strides = side.strides(axis), fixed = side.digits(axis, key);
  std::vector<wide_digit> digits;
  std::size_t rank_digit = 0;
  for (std::size_t k = 0; k < a.digits.size(); ++k) {
    axis_digit const& d = a.digits[k];
    if (d.extent == 1) {
      rank_digit += d.of_rank ? 1 : 0;
      continue;
    }
    bool const joins = !digits.empty() && !d.of_rank && !digits.back().of_rank &&
                       digits.back().step * digits.back().extent == d.step &&
                       digits.back().stride * digits.back().extent == strides[k];
    if (joins) digits.back().extent *= d.extent;
    else digits.push_back({d.extent, d.step, strides[k], d.of_rank, d.of_rank ? fixed[rank_digit] : 0});
    if (d.of_rank) ++rank_digit;
  }
  std::int64_t rest = box.first, at = 0, last = box.first;
  std::vector<std::int64_t> value(digits.size(), 0);
  for (std::size_t k = digits.size(); k-- > 0;) {
    value[k] = rest / digits[k].step;
    rest -= value[k] * digits[k].step;
    if (digits[k].of_rank && value[k] != digits[k].fixed)
      return fmt::format("index {} of axis {} belongs to other ranks", box.first, axis);
    if (!digits[k].of_rank) at += value[k] * digits[k].stride;
  }
  if (rest != 0 || at != offset)
    return fmt::format("index {} of axis {} is at {} and not {}", box.first, axis, at, offset);
  for (shared_mode const& m : box.modes) {
    std::int64_t left = m.step, sum = 0;
    for (std::size_t k = digits.size(); k-- > 0;) {
      std::int64_t const by = left / digits[k].step;
      left -= by * digits[k].step;
      if (by == 0) continue;
      value[k] += (m.count - 1) * by;
      if (digits[k].of_rank) return fmt::format("a step of {} on axis {} changes the rank", m.step, axis);
      sum += by * digits[k].stride;
    }
    if (left != 0 || sum != m.*stride)
      return fmt::format("a step of {} on axis {} moves the offset by {} and not {}", m.step, axis, sum, m.*stride);
    last += (m.count - 1) * m.step;
  }
  if (last >= a.extent) return fmt::format("index {} of axis {} is beyond its {} indices", last, axis, a.extent);
  // `value` is now that of the last index. Values only grow: if the last index has no carry, no index has one.
  std::int64_t below = 0;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (value[k] >= digits[k].extent || (k > 0 && below >= digits[k].step))
      return fmt::format("indices from {} on axis {} carry from one digit into the next", box.first, axis);
    below += value[k] * digits[k].step;
  }
  return {};
}

std::vector<step> steps_of(shared_box const& box) {
  std::vector<step> out;
  for (shared_mode const& m : box.modes) out.push_back({m.count, m.step});
  return out;
}

reason axis_is_partitioned(meet& all, int axis) {
  for (int to = 0; to < all.dst().keys(axis); ++to) {
    std::int64_t found = 0;
    for (int from = 0; from < all.src().keys(axis); ++from) {
      std::vector<shared_box> const& boxes = all.boxes(axis, from, to);
      found += count_of(boxes);
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (reason r = steps_as_digits(all.src(), axis, from, boxes[i], boxes[i].src, &shared_mode::src)) return r;
        if (reason r = steps_as_digits(all.dst(), axis, to, boxes[i], boxes[i].dst, &shared_mode::dst)) return r;
        if (has_collision(steps_of(boxes[i])) != answer::no)
          return fmt::format("a box of axis {} from index {} has an index twice", axis, boxes[i].first);
        for (std::size_t j = 0; j < i; ++j) {
          bool const apart =
              boxes[i].first != boxes[j].first &&
              share_offset(steps_of(boxes[i]), boxes[i].first - boxes[j].first, steps_of(boxes[j])) == answer::no;
          if (!apart) return fmt::format("two boxes of axis {} may share an index", axis);
        }
      }
    }
    if (found != all.dst().count(axis, to))
      return fmt::format("receivers {} of axis {} have {} indices and get {}", to, axis, all.dst().count(axis, to),
                         found);
  }
  return {};
}

reason each_rank_is_served(meet& all) {
  std::vector<std::int64_t> served(static_cast<std::size_t>(all.ranks()), 0), had = served;
  for (int cls = 0; cls < all.src().classes(); ++cls) {
    if (all.src().members(cls).empty()) {
      if (all.src().elements(cls) > 0) return fmt::format("the elements of class {} have no owner", cls);
      continue;
    }
    auto const owners = all.owners_of(cls);
    for (int to = 0; to < all.ranks(); ++to) {
      auto const& [owner, elements] = owners[static_cast<std::size_t>(to)];
      if (owner < 0) continue;
      if (all.src().class_of(owner) != cls)
        return fmt::format("rank {} is to send what it lacks to rank {}", owner, to);
      bool const has = all.src().class_of(to) == cls;
      if (has != (owner == to)) return fmt::format("rank {} is sent what it has", to);
      served[static_cast<std::size_t>(to)] += elements;
    }
  }
  for (int to = 0; to < all.ranks(); ++to) {
    std::int64_t const wanted = all.dst().elements(all.dst().class_of(to));
    if (served[static_cast<std::size_t>(to)] != wanted)
      return fmt::format("rank {} wants {} elements and gets {}", to, wanted, served[static_cast<std::size_t>(to)]);
  }
  return {};
}

}  // namespace

plan_proof prove(distributed_layout const& src, distributed_layout const& dst, exchange_options const& options) {
  try {
    validate(src);
    validate(dst);
    meet all(src, dst, options);
    for (int i = 0; i < all.src().axes(); ++i)
      if (reason r = axis_is_partitioned(all, i)) return {false, *r};
    if (reason r = each_rank_is_served(all)) return {false, *r};
  } catch (copy_error const& e) {
    return {false, e.what()};
  }
  return {true, {}};
}

}  // namespace tilewright
