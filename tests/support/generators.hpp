// RapidCheck generators of layouts: any nesting, any small extents and strides, and compact ones (bijections onto
// [0, size)) with their modes in any order. Counterexamples print as layouts.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <functional>

#include "families.hpp"

namespace tilewright {

inline void showValue(int_tree const& a, std::ostream& out) { out << format_layout(a); }

namespace tests {

/// Runs the body on many random draws and reports the first failure. One function for all properties: RC_GTEST_PROP would
/// compile RapidCheck's machinery once for each.
inline void property(std::function<void()> const& body) { rc::detail::checkGTest(body); }

/// A shape of at most `leaves` leaves, nested at random.
inline int_tree any_shape(int leaves, std::vector<int> const& extents, int level = 0) {
  int const modes = level > 2 || leaves == 1 ? 1 : *rc::gen::inRange(1, leaves + 1);
  if (modes == 1 && (level > 0 || *rc::gen::arbitrary<bool>()))
    return leaf_tree(constant_leaf(*rc::gen::elementOf(extents)));
  int_tree out{};
  out.open(modes);
  int left = leaves;
  for (int i = 0; i < modes; ++i) {
    int const most = left - (modes - 1 - i);
    int_tree const mode = any_shape(most > 1 ? *rc::gen::inRange(1, most + 1) : 1, extents, level + 1);
    left -= mode.leaves;
    out.add(mode);
  }
  return out;
}

inline layout_value any_layout(int leaves, std::vector<int> const& extents, std::vector<int> const& strides) {
  layout_value out(any_shape(leaves, extents));
  for (int i = 0; i < out.leaves; ++i) out.stride[i] = constant_leaf(*rc::gen::elementOf(strides));
  return out;
}

/// Compact strides with the leaves in any order.
inline layout_value any_compact_layout(int leaves, std::vector<int> const& extents) {
  int_tree shape = any_shape(leaves, extents), order = shape;
  for (int i = 0; i < order.leaves; ++i) order.shape[i] = constant_leaf(*rc::gen::inRange(0, 100));
  return *compact_order(shape, order);
}

}  // namespace tests
}  // namespace tilewright
