// Making layouts: from a shape with given or derived strides, from other layouts, or after the pattern of another.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algebra/lift.hpp"

namespace tilewright {

/// First mode fastest (column-major) or last mode fastest (row-major), where a stride is expected.
struct GenColMajor {};
struct GenRowMajor {};
using LayoutLeft = GenColMajor;
using LayoutRight = GenRowMajor;

/// What shapes, strides and coordinates are made of.
template <class T>
concept IntTuple = IntegerLike<T> || TupleType<T> || is_multiple_v<T>;
template <class T>
concept StrideTuple = IntTuple<T> || is_scaled_basis_v<T>;

namespace op {

struct compact_left {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& shape) {
    return algebra::compact_left(c, shape);
  }
};
struct compact_right {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& shape) {
    return algebra::compact_right(c, shape);
  }
};
struct compact_order {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& shape, int_tree const& order) {
    return algebra::compact_order(c, shape, order);
  }
};
struct identity {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& shape) {
    return algebra::identity(c, shape);
  }
};

/// Compact strides in the order of another layout's strides; where those are 0, stride 0 stays.
struct compact_like {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a,
                                             algebra::equal_orders equals = algebra::equal_orders::left_to_right) {
    int_tree order = a;
    for (int i = 0; i < a.leaves; ++i) {
      order.shape[i] = a.stride[i].is_static() ? c.abs(without_basis(a.stride[i])) : a.stride[i];
      if (a.stride[i].is(0)) order.shape[i] = constant_leaf(int64_max);
      if (!a.stride[i].basis().empty()) equals = algebra::equal_orders::left_to_right;  // 1@0 and 1@1 are not equal
    }
    int_tree const filtered = [&] {
      int_tree f = a;
      for (int i = 0; i < f.leaves; ++i)
        if (f.stride[i].is(0)) f.shape[i] = constant_leaf(1);
      return f;
    }();
    int_tree out = algebra::compact_order(c, filtered, order, equals);
    for (int i = 0; i < a.leaves; ++i) out.shape[i] = a.shape[i];
    return out;
  }
};

/// The layout of a fragment: mode 0, the values of one atom, contiguous first; the rest in the order of the source.
struct fragment_like {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a) {
    if (a.rank() == 1 || !a.is_tuple(a.root())) return compact_like::apply(c, a);
    int_tree const first = copy_of(a, a.mode(0));
    int_tree const inner = algebra::compact_left(c, first);
    int_tree rest{};
    rest.open(a.rank() - 1);
    for (int i = 1; i < a.rank(); ++i) rest.add(a, a.mode(i));
    int_tree outer = compact_like::apply(c, rest);
    leaf const block = algebra::size(c, first);
    int_tree out{};
    out.open(a.rank());
    out.add(inner);
    for (int i = 0; i < outer.leaves; ++i)
      if (!outer.stride[i].is(0)) outer.stride[i] = c.mul(outer.stride[i], block);
    for (int i = 0; i < outer.rank(); ++i) out.add(outer, outer.mode(i));
    return checked(c, out);
  }
};

template <class A, class B>
inline constexpr bool congruent = same_profile(lift::value_of<A>.tree, lift::value_of<A>.tree.root(),
                                               lift::value_of<B>.tree, lift::value_of<B>.tree.root());

}  // namespace op

template <class ShapeType>
struct compact_stride {
  using type = lift::stride_of_run<lift::Run<op::compact_left, ShapeType>>;
};

namespace detail {
template <class S, class D>
struct shape_and_stride_have_one_profile {
  static constexpr bool value = op::congruent<S, D>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_layout: the shape and the stride differ in their profile; nest them alike, one stride for each "
                  "extent (docs/errors.md#profile)");
    return invalid_layout{};
  }
};

/// Layouts keep a program's own numbers as integers.
template <class T>
inline constexpr bool has_own_numbers = is_own_number<T>;
template <class... T>
inline constexpr bool has_own_numbers<tuple<T...>> = (has_own_numbers<T> || ...);
template <int D, class T>
inline constexpr bool has_own_numbers<multiple<D, T>> = false;
template <class T>
TILEWRIGHT_FN constexpr auto as_numbers(T const& extent) {
  if constexpr (has_own_numbers<T>) return static_cast<typename own_number<T>::type>(extent);
  else return extent;
}
template <class T, int... I>
TILEWRIGHT_FN constexpr auto as_numbers(T const& shape, seq<I...>);
template <class... T>
TILEWRIGHT_FN constexpr auto as_numbers(tuple<T...> const& shape) {
  return as_numbers(shape, make_seq<static_cast<int>(sizeof...(T))>{});
}
template <class T, int... I>
TILEWRIGHT_FN constexpr auto as_numbers(T const& shape, seq<I...>) {
  return make_tuple(as_numbers(get<I>(shape))...);
}
}  // namespace detail

/// shape:stride.  pre: same profile
template <IntTuple S, StrideTuple D>
TILEWRIGHT_FN constexpr auto make_layout(S const& shape, D const& stride) {
  if constexpr (lift::is_invalid<S> || lift::is_invalid<D>) {
    return invalid_layout{};
  } else if constexpr (detail::has_own_numbers<S>) {
    return make_layout(detail::as_numbers(shape), stride);
  } else {
    using check = detail::shape_and_stride_have_one_profile<S, D>;
    if constexpr (!check::value) return check::sentence();
    else return Layout<S, D>(shape, stride);
  }
}
/// Compact, first mode fastest.
template <IntTuple S>
TILEWRIGHT_FN constexpr auto make_layout(S const& shape) {
  return lift::call<op::compact_left, S>::on(shape);
}
template <IntTuple S>
TILEWRIGHT_FN constexpr auto make_layout(S const& shape, GenColMajor const&) {
  return lift::call<op::compact_left, S>::on(shape);
}
/// Compact, last mode fastest.
template <IntTuple S>
TILEWRIGHT_FN constexpr auto make_layout(S const& shape, GenRowMajor const&) {
  return lift::call<op::compact_right, S>::on(shape);
}
template <class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr invalid_layout make_layout(A const&...) { return {}; }

/// Layouts side by side: one mode each.
template <class... S, class... D>
TILEWRIGHT_FN constexpr auto make_layout(Layout<S, D> const&... layouts) {
  return Layout<tuple<S...>, tuple<D...>>(tuple<S...>(layouts.shape()...), tuple<D...>(layouts.stride()...));
}

/// Compact strides, the modes taken in the order of the step's entries: the smallest is fastest.
template <IntTuple S, IntTuple Order>
TILEWRIGHT_FN constexpr auto make_ordered_layout(S const& shape, Order const& order) {
  return lift::call<op::compact_order, S, Order>::on(shape, order);
}
/// Compact, with modes as fast as in the given layout; broadcast modes (stride 0) stay broadcast.
template <LayoutType L>
TILEWRIGHT_FN constexpr auto make_layout_like(L const& layout) {
  return lift::call<op::compact_like, L>::on(layout);
}
/// The layout of a register fragment: mode 0 contiguous, the other modes in the source's order.
template <LayoutType L>
TILEWRIGHT_FN constexpr auto make_fragment_layout(L const& layout) {
  return lift::call<op::fragment_like, L>::on(layout);
}
/// Offsets are coordinates: shape:(E<0>,E<1>,…).
template <IntTuple S>
TILEWRIGHT_FN constexpr auto make_identity_layout(S const& shape) {
  return lift::call<op::identity, S>::on(shape);
}

template <IntTuple S>
TILEWRIGHT_FN constexpr auto compact_col_major(S const& shape) {
  return make_layout(shape).stride();
}
template <IntTuple S>
TILEWRIGHT_FN constexpr auto compact_row_major(S const& shape) {
  return make_layout(shape, GenRowMajor{}).stride();
}
template <IntTuple S, IntTuple Order>
TILEWRIGHT_FN constexpr auto compact_order(S const& shape, Order const& order) {
  return make_ordered_layout(shape, order).stride();
}
template <IntTuple S>
TILEWRIGHT_FN constexpr auto compact_major(S const& shape, GenColMajor const&) {
  return compact_col_major(shape);
}
template <IntTuple S>
TILEWRIGHT_FN constexpr auto compact_major(S const& shape, GenRowMajor const&) {
  return compact_row_major(shape);
}

// --- arguments that no overload above takes --------------------------------------------------------------------------
namespace detail {
template <class... A>
struct make_layout_takes {
  static constexpr bool value = sizeof...(A) == 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_layout: takes a shape, a shape and a stride, or layouts, and an argument is of another type; pass "
        "integers, Int<N>{} or tuples of them, made by make_shape and make_stride "
        "(docs/errors.md#layout_arguments)");
    return invalid_layout{};
  }
};
}  // namespace detail
template <class... A>
requires((detail::is_no_entry<A> || ...)) TILEWRIGHT_FN constexpr auto make_layout(A const&...) {
  if constexpr (AnyInvalid<A...>) return invalid_layout{};
  else return detail::make_layout_takes<A...>::sentence();
}
}  // namespace tilewright
