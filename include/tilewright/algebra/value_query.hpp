// Questions to a layout's value: how many coordinates and offsets it has, which offset a coordinate has and back, how
// two shapes compare; and the layouts that follow from a shape alone.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/inverse.hpp"
#include "tilewright/algebra/modes.hpp"
#include "tilewright/algebra/product.hpp"
#include "tilewright/algebra/value_door.hpp"

namespace tilewright {

/// What has extents: a layout, a shape, or integers that are read as one.
template <class T>
concept HasExtents = std::is_same_v<T, layout_value> || std::is_same_v<T, shape_value> || std::is_same_v<T, int_tree>;

// --- measures --------------------------------------------------------------------------------------------------------
/// The number of top-level modes; 1 for a leaf.
constexpr int rank(int_tree const& a) { return a.rank(); }
/// The depth of nesting; 0 for a leaf.  pre: not overflowed()
constexpr int depth(int_tree const& a) { return depth(a, a.root()); }

/// The number of coordinates, product of the extents.
/// error: overflow;  cost: O(leaves)
template <HasExtents T>
constexpr result<long long> size(T const& a) {
  return detail::evaluate({detail::a_layout(a)}, [&](arithmetic& c) { return algebra::size(c, a).number; });
}
/// The number of coordinates of one mode.  pre: all extents are numbers, and their product was found to fit
constexpr long long extent_of(int_tree const& a, subtree mode) {
  long long n = 1;
  for (int i = mode.leaf; i < mode.leaf_end; ++i) n *= a.shape[i].number;
  return n;
}
/// The extents of each mode multiplied up: a flat tuple.
template <HasExtents T>
constexpr result<shape_value> product_each(T const& a) {
  return detail::evaluate<shape_value>({detail::a_layout(a)},
                                       [&](arithmetic& c) { return algebra::product_each(c, a); });
}
/// The extents of a layout, and its strides.
constexpr shape_value shape_of(layout_value const& a) {
  int_tree out = a;
  for (int i = 0; i < a.leaves && i < int_tree::leaf_capacity; ++i) out.stride[i] = leaf{};
  return out;
}
constexpr stride_value stride_of(layout_value const& a) {
  int_tree out = a;
  for (int i = 0; i < a.leaves && i < int_tree::leaf_capacity; ++i) {
    out.shape[i] = a.stride[i];
    out.stride[i] = leaf{};
  }
  return out;
}
/// post: shape_of(R) == shape, stride_of(R) == stride;  error: not_congruent unless both are nested alike
constexpr result<layout_value> make_layout(shape_value const& shape, stride_value const& stride) {
  return detail::evaluate<layout_value>({detail::a_layout(shape), detail::a_stride(stride)}, [&](arithmetic& c) {
    int_tree out = shape;
    if (!same_profile(shape, shape.root(), stride, stride.root()))
      c.fail(errc::not_congruent, shape.leaves, stride.leaves);
    else
      for (int i = 0; i < out.leaves; ++i) out.stride[i] = stride.shape[i];
    return out;
  });
}
/// The span of offsets: 1 + largest - smallest, 0 when empty.
/// error: overflow, basis_mismatch for strides that are basis elements
constexpr result<long long> cosize(layout_value const& a) {
  return detail::evaluate({detail::a_layout(a)}, [&](arithmetic& c) { return algebra::cosize(c, a).number; });
}
/// One mode: of a layout its layout, of a tuple its entry.  error: mode_out_of_range
template <TreeValue T>
constexpr result<T> mode(T const& a, int i) {
  return detail::evaluate<T>({detail::a_coordinate(a)}, [&](arithmetic& c) {
    if (i < 0 || i >= a.rank()) c.fail(errc::mode_out_of_range, i, a.rank());
    return c.failed() ? int_tree(a) : copy_of(a, a.mode(i));
  });
}

// --- coordinates, indices, offsets -----------------------------------------------------------------------------------
/// The offset of a coordinate (an index, a tuple, any nesting between; `_` counts as 0), as a tuple where the strides
/// are basis elements.
/// error: coordinate_out_of_range, rank_mismatch, overflow;  cost: O(leaves)
constexpr result<coord_value> offset_at(coord_value const& coordinate, layout_value const& a) {
  return detail::evaluate<coord_value>({detail::a_coordinate(coordinate), detail::a_layout(a)}, [&](arithmetic& c) {
    detail::check_range(c, coordinate, coordinate.root(), a, a.root());
    return c.failed() ? leaf_tree(constant_leaf(0)) : algebra::crd2idx(c, coordinate, a);
  });
}
/// The same as a number.  error: also basis_mismatch, when the offset is a tuple
constexpr result<long long> crd2idx(coord_value const& coordinate, layout_value const& a) {
  result<coord_value> const offset = offset_at(coordinate, a);
  if (!offset) return offset.error();
  return detail::evaluate({}, [&](arithmetic& c) { return detail::only_number(c, *offset); });
}
constexpr result<long long> crd2idx(long long index, layout_value const& a) {
  return crd2idx(leaf_tree(constant_leaf(index)), a);
}

/// The coordinate of an index in [0, size): inverse of crd2idx for the compact layout of the shape.
/// post: congruent to the shape;  error: coordinate_out_of_range
constexpr result<coord_value> idx2crd(long long index, shape_value const& shape) {
  return detail::evaluate<coord_value>({detail::a_layout(shape)}, [&](arithmetic& c) {
    int_tree const x = leaf_tree(constant_leaf(index));
    detail::check_range(c, x, x.root(), shape, shape.root());
    return c.failed() ? x : algebra::idx2crd(c, x.shape[0], shape);
  });
}

/// The coordinate that has the given offset.
/// pre: A has a left inverse;  post: crd2idx(R, A) == offset
/// error: those of left_inverse; coordinate_out_of_range when no coordinate has it
constexpr result<coord_value> offset2crd(long long offset, layout_value const& a) {
  return detail::evaluate<coord_value>({detail::a_layout(a)}, [&](arithmetic& c) {
    int_tree const inverse = algebra::left_inverse(c, a);
    int_tree const x = leaf_tree(constant_leaf(offset));
    if (offset < 0) c.fail(errc::coordinate_out_of_range, offset, 0);
    leaf const index = c.failed() ? x.shape[0] : algebra::crd2idx(c, x, inverse).shape[0];
    leaf const n = algebra::size(c, a);
    if (index.number >= n.number) c.fail(errc::coordinate_out_of_range, offset, n.number);
    if (c.failed()) return x;
    int_tree const found = algebra::crd2idx(c, leaf_tree(index), a);
    if (!found.shape[0].is(offset)) c.fail(errc::coordinate_out_of_range, offset, n.number);
    return algebra::idx2crd(c, index, a);
  });
}

// --- comparing shapes ------------------------------------------------------------------------------------------------
namespace detail {
constexpr bool is_shape(int_tree const& a) {
  arithmetic c{};
  check(c, a_layout(a));
  return !c.failed();
}
constexpr bool compares(int_tree const& a, int_tree const& b, bool weakly) {
  if (!is_shape(a) || !is_shape(b)) return false;
  arithmetic c{};
  bool const yes = algebra::is_compatible(c, a, a.root(), b, b.root(), weakly);
  return yes && !c.failed();
}
}  // namespace detail

// Templates, which are more constrained than those on types.
/// Same profile? Extents play no part.
template <TreeValue A, TreeValue B>
constexpr bool congruent(A const& a, B const& b) {
  return detail::is_shape(a) && detail::is_shape(b) && same_profile(a, a.root(), b, b.root());
}
/// Does B refine A, so that every coordinate of A is one of B? False also where a size does not fit 64 bits.
template <TreeValue A, TreeValue B>
constexpr bool compatible(A const& a, B const& b) {
  return detail::compares(a, b, false);
}
/// The same with A's leaves dividing B's modes.
template <TreeValue A, TreeValue B>
constexpr bool weakly_compatible(A const& a, B const& b) {
  return detail::compares(a, b, true);
}

// --- layouts of a shape ----------------------------------------------------------------------------------------------
/// Compact strides, first leaf fastest.  post: bijective onto [0, size);  error: overflow
constexpr result<layout_value> compact_left(shape_value const& shape) {
  return detail::evaluate<layout_value>({detail::a_layout(shape)},
                                        [&](arithmetic& c) { return algebra::compact_left(c, shape); });
}
/// Compact strides, last leaf fastest.
constexpr result<layout_value> compact_right(shape_value const& shape) {
  return detail::evaluate<layout_value>({detail::a_layout(shape)},
                                        [&](arithmetic& c) { return algebra::compact_right(c, shape); });
}
/// Compact strides in the order that the order's leaves rank the modes: smallest fastest, equals left to right.
/// pre: the shape's profile refines the order's;  error: rank_mismatch, overflow
constexpr result<layout_value> compact_order(shape_value const& shape, stride_value const& order) {
  return detail::evaluate<layout_value>({detail::a_layout(shape), detail::a_tuple(order)},
                                        [&](arithmetic& c) { return algebra::compact_order(c, shape, order); });
}
/// The layout whose offsets are coordinates: stride E<i,j,…> at the leaf of modes i, j, …
/// error: basis_mismatch beyond 4 levels or 63 modes
constexpr result<layout_value> identity_layout(shape_value const& shape) {
  return detail::evaluate<layout_value>({detail::a_layout(shape)},
                                        [&](arithmetic& c) { return algebra::identity(c, shape); });
}

}  // namespace tilewright
