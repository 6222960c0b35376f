// A distributed layout, made ready for questions about ranks: which digits a rank has, and which ranks share them.
#pragma once

#include "distributed/axis_set.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::distributed {

class prepared {
 public:
  /// error: copy_error bad_layout, as validate
  explicit prepared(distributed_layout const& layout);

  distributed_layout const& layout() const { return layout_; }
  int axes() const { return static_cast<int>(layout_.axes.size()); }
  int ranks() const { return layout_.ranks; }

  /// Ranks with the same rank digits have the same elements: a class, its replicas. -1: the rank owns nothing.
  int class_of(int rank) const { return rank >= 0 && rank < ranks() ? class_of_[static_cast<std::size_t>(rank)] : -1; }
  int classes() const { return static_cast<int>(members_.size()); }
  /// Ascending.
  std::vector<int> const& members(int cls) const { return members_[static_cast<std::size_t>(cls)]; }

  /// The rank digits of one axis as a number below keys(axis).
  int key(int cls, int axis) const {
    return static_cast<int>(cls / weight_[static_cast<std::size_t>(axis)] % keys_[static_cast<std::size_t>(axis)]);
  }
  int keys(int axis) const { return static_cast<int>(keys_[static_cast<std::size_t>(axis)]); }
  /// What ranks with that key own of the axis. Offsets are in the strides of the layout, or, where it is packed, in
  /// indices of the rank's own axis.
  axis_set const& set(int axis, int key) const {
    return sets_[static_cast<std::size_t>(axis)][static_cast<std::size_t>(key)];
  }
  std::int64_t count(int axis, int key) const {
    return counts_[static_cast<std::size_t>(axis)][static_cast<std::size_t>(key)];
  }
  std::int64_t elements(int cls) const;
  /// What offsets of set(axis, ·) are multiplied by on ranks of the class.
  std::vector<std::int64_t> scales(int cls) const;
  /// The strides of an axis's digits, as set() has them.
  std::vector<std::int64_t> strides(int axis) const;
  /// The rank digits of a key, the innermost first.
  std::vector<std::int64_t> digits(int axis, int key) const;

 private:
  distributed_layout layout_;
  std::vector<std::int64_t> weight_, keys_;  // of each axis
  std::vector<int> class_of_;
  std::vector<std::vector<int>> members_;
  std::vector<std::vector<axis_set>> sets_;
  std::vector<std::vector<std::int64_t>> counts_;
};

/// The strides of an axis's digits as a set of indices has them: those of the layout, or where it is packed, 1, e0, e0*e1, ….
std::vector<std::int64_t> strides_of(distributed_layout const& layout, std::size_t axis);

/// Extents of an axis's offset digits together: the local extent of a rank that has all of it.
std::int64_t local_extent(distributed_axis const& axis);

/// validate without the proof of distinct offsets: all that reading the layout relies on.
void check_structure(distributed_layout const& layout);

}  // namespace tilewright::distributed
