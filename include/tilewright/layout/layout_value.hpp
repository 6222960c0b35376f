// The types of the value face: a shape, strides, a coordinate, a layout and a tiler have one structure, int_tree, and are
// different types, so that a shape is not taken for a layout with strides 0. Each can be read as an int_tree; none
// becomes another without saying so. Host only.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/layout/layout_tree.hpp"

#if TILEWRIGHT_HOSTED
#include <initializer_list>
#include <type_traits>

namespace tilewright {

/// Integers in a nesting, as they are read: (4,(2,8)). They become a shape, strides or a coordinate by being passed as
/// such; a layout or a tiler only where that is said.
using tuple_value = int_tree;

template <class T>
concept TreeValue = std::is_base_of_v<int_tree, T>;
template <class T>
concept TreeRole = std::is_base_of_v<int_tree, T> && !std::is_same_v<int_tree, T>;

/// Extents.
struct shape_value : int_tree {
  constexpr shape_value() = default;
  constexpr shape_value(int_tree const& integers) : int_tree(integers) {}
  template <TreeRole Other>
  shape_value(Other const&) = delete;  // shape_of(layout) has its extents
};
/// Strides, or the order of modes that ranks them.
struct stride_value : int_tree {
  constexpr stride_value() = default;
  constexpr stride_value(int_tree const& integers) : int_tree(integers) {}
  template <TreeRole Other>
  stride_value(Other const&) = delete;  // stride_of(layout) has its strides
};
/// A coordinate, or with `_` a slice.
struct coord_value : int_tree {
  constexpr coord_value() = default;
  constexpr coord_value(int_tree const& integers) : int_tree(integers) {}
  template <TreeRole Other>
  coord_value(Other const&) = delete;
};
/// A layout: extents and strides. Made by parse_layout, make_layout(shape, stride), compact_left(shape) and operations on
/// layouts.
struct layout_value : int_tree {
  constexpr layout_value() = default;
  constexpr explicit layout_value(int_tree const& extents_and_strides) : int_tree(extents_and_strides) {}
  template <TreeRole Other>
  explicit layout_value(Other const&) = delete;

  /// The offset of an index, taken apart with the first leaf fastest and the last unbounded.
  constexpr long long operator()(long long index) const { return algebra::offset_of_index(*this, index); }
};

/// A tuple to divide, multiply or compose by, mode by mode: integers n (n:1), `_`, layouts behind a marker, or tuples
/// of such.
struct tiler_value {
  int_tree tree{};
  friend constexpr bool operator==(tiler_value const&, tiler_value const&) = default;

  /// One layout for the whole.
  static constexpr tiler_value of(layout_value const& layout) {
    tiler_value out{};
    out.tree.add_layout_marker();
    if (!layout.overflowed()) out.tree.add(layout);
    return out;
  }
  /// One layout for each mode.
  static constexpr tiler_value of(std::initializer_list<layout_value> by_mode) {
    tiler_value out{};
    out.tree.open(static_cast<int>(by_mode.size()));
    for (layout_value const& layout : by_mode) {
      out.tree.add_layout_marker();
      if (!layout.overflowed()) out.tree.add(layout);
    }
    return out;
  }
};

/// Values of different roles do not compare.
template <TreeRole A, TreeRole B>
requires(!std::is_same_v<A, B>) bool operator==(A const&, B const&) = delete;

}  // namespace tilewright

#endif
