// The algebra on plain values: layouts from layouts. Every function is total: it returns the layout its law describes,
// or the error that says why there is none. operations.def names the operations, and the header of each has its law (coalesce.hpp, …);
// a bare layout on the right of a division or product is one tile for the whole, a tiler_value goes mode by mode.
#pragma once

#include "tilewright/base/config.hpp"

#include <span>

#include "tilewright/algebra/recast.hpp"
#include "tilewright/algebra/value_query.hpp"
#include "tilewright/base/units.hpp"

namespace tilewright {

// --- operations of the table -----------------------------------------------------------------------------------------
#define TILEWRIGHT_X_SIMPLIFY(NAME, ...)                                                                              \
  constexpr result<layout_value> NAME(layout_value const& a) {                                                        \
    return detail::evaluate<layout_value>({detail::a_layout(a)}, [&](arithmetic& c) { return algebra::NAME(c, a); }); \
  }
#define TILEWRIGHT_X_INVERT TILEWRIGHT_X_SIMPLIFY
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                                                              \
  constexpr result<layout_value> NAME(layout_value const& a, tiler_value const& tiler) {                              \
    return detail::evaluate<layout_value>({detail::a_layout(a), detail::a_tiler(tiler)},                              \
                                          [&](arithmetic& c) { return algebra::NAME##_by_tiler(c, a, tiler.tree); }); \
  }
#define TILEWRIGHT_X_DIVIDE(NAME, ...)                                                                     \
  constexpr result<layout_value> NAME(layout_value const& a, tiler_value const& tiler) {                   \
    return detail::evaluate<layout_value>({detail::a_layout(a), detail::a_tiler(tiler)},                   \
                                          [&](arithmetic& c) { return algebra::NAME(c, a, tiler.tree); }); \
  }                                                                                                        \
  constexpr result<layout_value> NAME(layout_value const& a, layout_value const& tile) {                   \
    return NAME(a, tiler_value::of(tile));                                                                 \
  }
#define TILEWRIGHT_X_PRODUCT TILEWRIGHT_X_DIVIDE
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                                                         \
  constexpr result<layout_value> NAME(layout_value const& a, layout_value const& b) {             \
    return detail::evaluate<layout_value>({detail::a_layout(a), detail::a_layout(b)},             \
                                          [&](arithmetic& c) { return algebra::NAME(c, a, b); }); \
  }
#include "tilewright/algebra/operations.def"

// --- with other operands ---------------------------------------------------------------------------------------------
/// coalesce below each leaf of a profile.
/// pre: no node of the profile has more modes than the layout's;  error: rank_mismatch
constexpr result<layout_value> coalesce(layout_value const& a, coord_value const& profile) {
  return detail::evaluate<layout_value>({detail::a_layout(a), detail::a_coordinate(profile)},
                                        [&](arithmetic& c) { return algebra::coalesce(c, a, profile); });
}
/// R = A ∘ B.
/// pre:  B's image is in A's domain, the walk of each mode of B through A is a layout, and the walks add up
/// post: R(i) == A(B(i)) for every i in [0, size(B)), with A(-x) = -A(x); R's profile refines B's
/// error: out_of_domain, stride_does_not_divide, shape_does_not_divide, modes_carry
/// cost: O(leaves(A) * leaves(B)), and O(size(B)) more where divisibility does not decide
constexpr result<layout_value> composition(layout_value const& a, layout_value const& b) {
  return detail::evaluate<layout_value>({detail::a_layout(a), detail::a_layout(b)},
                                        [&](arithmetic& c) { return algebra::composition(c, a, b); });
}
/// A with another shape of the same size (or less), first leaf fastest.
constexpr result<layout_value> with_shape(layout_value const& a, shape_value const& shape) {
  return detail::evaluate<layout_value>({detail::a_layout(a), detail::a_layout(shape)},
                                        [&](arithmetic& c) { return algebra::with_shape(c, a, shape); });
}
/// post: (A, R) is injective and R's strides rise; where A's strides divide one another, (A, R) reaches every offset
///       below the target's size
/// pre:  A's modes, once filtered and sorted by stride, each start at or beyond the span of those before
/// error: not_injective, negative_stride;  cost: O(leaves^2)
constexpr result<layout_value> complement(layout_value const& a, shape_value const& target) {
  return detail::evaluate<layout_value>({detail::a_layout(a), detail::a_layout(target)},
                                        [&](arithmetic& c) { return algebra::complement(c, a, target); });
}
constexpr result<layout_value> complement(layout_value const& a, long long target) {
  return complement(a, leaf_tree(constant_leaf(target)));
}
/// post: A(R(i)) == B(R(i)) == i for every i in [0, size(R)): what both hold contiguously in the same order.
constexpr result<layout_value> max_common_layout(layout_value const& a, layout_value const& b) {
  return detail::evaluate<layout_value>({detail::a_layout(a), detail::a_layout(b)},
                                        [&](arithmetic& c) { return algebra::max_common_layout(c, a, b); });
}
/// The size of max_common_layout: how many elements one vector access may carry.
constexpr result<long long> max_common_vector(layout_value const& a, layout_value const& b) {
  return detail::evaluate({detail::a_layout(a), detail::a_layout(b)},
                          [&](arithmetic& c) { return algebra::max_common_vector(c, a, b).number; });
}
/// The block repeated, first mode fastest or in a given order, until it covers the target.
/// post: mode i is (block_i, ceil(target_i / block_i));  error: unordered_target when a target is smaller than the block
constexpr result<layout_value> tile_to_shape(layout_value const& block, shape_value const& target) {
  return detail::evaluate<layout_value>({detail::a_layout(block), detail::a_layout(target)},
                                        [&](arithmetic& c) { return algebra::tile_to_shape(c, block, target); });
}
constexpr result<layout_value> tile_to_shape(layout_value const& block, shape_value const& target,
                                             stride_value const& order) {
  return detail::evaluate<layout_value>({detail::a_layout(block), detail::a_layout(target), detail::a_tuple(order)},
                                        [&](arithmetic& c) { return algebra::tile_to_shape(c, block, target, order); });
}

// --- other element widths --------------------------------------------------------------------------------------------
/// `factor` narrow elements become one.
/// post: the offsets are those of A divided by the factor, rounded down
/// error: cannot_upcast, bad_factor
constexpr result<layout_value> upcast(layout_value const& a, long long factor) {
  return detail::evaluate<layout_value>({detail::a_layout(a)},
                                        [&](arithmetic& c) { return algebra::upcast(c, a, constant_leaf(factor)); });
}
/// One wide element becomes `factor`: contiguous extents grow by it, other strides are multiplied.
/// post: upcast(R, factor) is A, when A has at most one contiguous leaf;  error: bad_factor, overflow
constexpr result<layout_value> downcast(layout_value const& a, long long factor) {
  return detail::evaluate<layout_value>({detail::a_layout(a)},
                                        [&](arithmetic& c) { return algebra::downcast(c, a, constant_leaf(factor)); });
}
/// The memory of elements `from` wide seen as elements `to` wide.
constexpr result<layout_value> recast(layout_value const& a, bits from, bits to) {
  return detail::evaluate<layout_value>({detail::a_layout(a)},
                                        [&](arithmetic& c) { return algebra::recast(c, a, from.count, to.count); });
}
/// The domain of a shape dealt out to workers.
/// post: injective, ascending, size(R) divides `workers`;  error: bad_factor unless workers >= 1
constexpr result<layout_value> domain_distribute(shape_value const& shape, long long workers) {
  return detail::evaluate<layout_value>({detail::a_layout(shape)}, [&](arithmetic& c) {
    return algebra::domain_distribute(c, shape, constant_leaf(workers));
  });
}

// --- modes -----------------------------------------------------------------------------------------------------------
/// Modes [begin, end) become one.  error: mode_out_of_range
template <TreeValue T>
constexpr result<T> group(T const& a, int begin, int end) {
  return detail::evaluate<T>({detail::a_coordinate(a)}, [&](arithmetic& c) {
    if (end < 0) c.fail(errc::mode_out_of_range, end, a.rank());
    return c.failed() ? int_tree(a) : algebra::group(c, a, begin, end);
  });
}
/// Modes [begin, end) as a tuple.
template <TreeValue T>
constexpr result<T> take(T const& a, int begin, int end) {
  return detail::evaluate<T>({detail::a_coordinate(a)}, [&](arithmetic& c) { return algebra::take(c, a, begin, end); });
}
/// The named modes in that order, perhaps repeated.  error: mode_out_of_range, too_many_leaves
template <TreeValue T>
constexpr result<T> select(T const& a, std::span<int const> modes) {
  return detail::evaluate<T>({detail::a_coordinate(a)}, [&](arithmetic& c) {
    bool const few = modes.size() < int_tree::node_capacity;
    if (!few) c.fail(errc::too_many_leaves, static_cast<long long>(modes.size()), int_tree::leaf_capacity);
    return few ? algebra::select(c, a, modes.data(), static_cast<int>(modes.size())) : int_tree(a);
  });
}
template <TreeValue T>
constexpr result<T> select(T const& a, std::initializer_list<int> modes) {
  return select(a, std::span<int const>(modes.begin(), modes.size()));
}
/// One more mode behind (in front of) those of A.
template <TreeValue T>
constexpr result<T> append(T const& a, T const& b) {
  return detail::evaluate<T>({detail::a_coordinate(a), detail::a_coordinate(b)},
                             [&](arithmetic& c) { return algebra::append(c, a, b); });
}
template <TreeValue T>
constexpr result<T> prepend(T const& a, T const& b) {
  return detail::evaluate<T>({detail::a_coordinate(a), detail::a_coordinate(b)},
                             [&](arithmetic& c) { return algebra::prepend(c, a, b); });
}
/// Mode i becomes B; a leaf becomes B itself.  error: mode_out_of_range
template <TreeValue T>
constexpr result<T> replace(T const& a, int i, T const& b) {
  return detail::evaluate<T>({detail::a_coordinate(a), detail::a_coordinate(b)},
                             [&](arithmetic& c) { return algebra::replace(c, a, i, b); });
}
/// All leaves in one flat tuple; a leaf stays a leaf.
template <TreeValue T>
constexpr result<T> flatten(T const& a) {
  return detail::evaluate<T>({detail::a_layout(a)}, [&](arithmetic&) { return algebra::flatten(a); });
}
/// A's leaves in the nesting of the profile.  error: not_congruent unless there are as many
template <TreeValue T>
constexpr result<T> unflatten(T const& a, coord_value const& profile) {
  return detail::evaluate<T>({detail::a_layout(a), detail::a_tuple(profile)},
                             [&](arithmetic& c) { return algebra::unflatten(c, a, profile); });
}

/// The modes at `_`, as one flat list of modes; `_` alone keeps the whole.
/// error: rank_mismatch, coordinate_out_of_range
constexpr result<layout_value> slice(coord_value const& coordinate, layout_value const& a) {
  return detail::evaluate<layout_value>({detail::a_coordinate(coordinate), detail::a_layout(a)}, [&](arithmetic& c) {
    detail::check_range(c, coordinate, coordinate.root(), a, a.root());
    return c.failed() ? int_tree(a) : algebra::slice(c, coordinate, a);
  });
}
/// The modes at integers.
constexpr result<layout_value> dice(coord_value const& coordinate, layout_value const& a) {
  return detail::evaluate<layout_value>({detail::a_coordinate(coordinate), detail::a_layout(a)}, [&](arithmetic& c) {
    detail::check_range(c, coordinate, coordinate.root(), a, a.root());
    return c.failed() ? int_tree(a) : algebra::dice(c, coordinate, a);
  });
}
/// post: A at the coordinate with y in place of the kept modes is offset + layout(y).
constexpr result<sliced_value> slice_and_offset(coord_value const& coordinate, layout_value const& a) {
  result<layout_value> const layout = slice(coordinate, a);
  if (!layout) return layout.error();
  result<long long> const offset = crd2idx(coordinate, a);
  if (!offset) return offset.error();
  return sliced_value{*layout, *offset};
}

}  // namespace tilewright
