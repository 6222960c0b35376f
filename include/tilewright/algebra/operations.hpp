// The algebra on typed layouts: each function lifts the value operation of the same name (see operations.def and its header
// for law, domain and errors); static operands give a type, mixed ones a type and a few integer instructions.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algebra/inverse.hpp"
#include "tilewright/algebra/recast.hpp"
#include "tilewright/algebra/shape_arithmetic.hpp"
#include "tilewright/algebra/wrong_arguments.hpp"

namespace tilewright {

namespace op {

#define TILEWRIGHT_X_LIFTED(NAME, ...)                                                   \
  struct NAME : layout_operation {                                                       \
    static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, auto const&... operands) { \
      return algebra::NAME(c, operands...);                                              \
    }                                                                                    \
  };
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                                                  \
  struct NAME : layout_operation {                                                                        \
    static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& tiler) { \
      return algebra::NAME##_by_tiler(c, a, tiler);                                                       \
    }                                                                                                     \
  };
#define TILEWRIGHT_X_DIVIDE TILEWRIGHT_X_LIFTED
#define TILEWRIGHT_X_PRODUCT TILEWRIGHT_X_LIFTED
#include "tilewright/algebra/operations.def"
struct with_shape : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, auto const&... t) { return algebra::with_shape(c, t...); }
};
struct max_common_layout : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, auto const&... t) {
    return algebra::max_common_layout(c, t...);
  }
};
struct max_common_vector {
  static constexpr auto kind = gives_tuple;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    return leaf_tree(algebra::max_common_vector(c, a, b));
  }
};
struct tile_to_shape : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& target) {
    return algebra::tile_to_shape(c, a, target);
  }
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& target,
                                             int_tree const& order) {
    return algebra::tile_to_shape(c, a, target, order);
  }
};
struct upcast : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& n) {
    return algebra::upcast(c, a, n.shape[0]);
  }
};
struct downcast : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& n) {
    return algebra::downcast(c, a, n.shape[0]);
  }
};
template <int From, int To>
struct recast : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, auto const&... t) {
    return algebra::recast(c, t..., From, To);
  }
};
struct domain_distribute : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& shape, int_tree const& n) {
    return algebra::domain_distribute(c, shape, n.shape[0]);
  }
};
}  // namespace op

/// What a mode list can be divided or multiplied by: an integer, a layout, `_`, or a tuple of these.
template <class T>
concept TilerType = IntTuple<T> || LayoutType<T> || std::is_same_v<T, Underscore>;

// --- lifted operations -----------------------------------------------------------------------------------------------
// No section here is defined as another one: clang prints each definition that a message comes through.
#define TILEWRIGHT_X_SIMPLIFY(NAME, ...)          \
  template <LayoutType L>                         \
  TILEWRIGHT_FN constexpr auto NAME(L const& a) { \
    return lift::call<op::NAME, L>::on(a);        \
  }
#define TILEWRIGHT_X_INVERT(NAME, ...)            \
  template <LayoutType L>                         \
  TILEWRIGHT_FN constexpr auto NAME(L const& a) { \
    return lift::call<op::NAME, L>::on(a);        \
  }
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                             \
  template <LayoutType L, TilerType T>                               \
  TILEWRIGHT_FN constexpr auto NAME(L const& a, T const& tiler) {    \
    return lift::call<op::NAME, L, lift::as_tiler<T>>::on(a, tiler); \
  }
#define TILEWRIGHT_X_DIVIDE(NAME, ...)                               \
  template <LayoutType L, TilerType T>                               \
  TILEWRIGHT_FN constexpr auto NAME(L const& a, T const& tiler) {    \
    return lift::call<op::NAME, L, lift::as_tiler<T>>::on(a, tiler); \
  }
#define TILEWRIGHT_X_PRODUCT(NAME, ...)                              \
  template <LayoutType L, TilerType T>                               \
  TILEWRIGHT_FN constexpr auto NAME(L const& a, T const& tiler) {    \
    return lift::call<op::NAME, L, lift::as_tiler<T>>::on(a, tiler); \
  }
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                     \
  template <LayoutType A, LayoutType B>                       \
  TILEWRIGHT_FN constexpr auto NAME(A const& a, B const& b) { \
    return lift::call<op::NAME, A, B>::on(a, b);              \
  }
#include "tilewright/algebra/operations.def"

// --- with other operands ---------------------------------------------------------------------------------------------
/// Below the leaves of a profile, whose modes survive.
template <LayoutType L, IntTuple P>
TILEWRIGHT_FN constexpr auto coalesce(L const& a, P const& profile) {
  return lift::call<op::coalesce, L, P>::on(a, profile);
}
template <LayoutType L, IntTuple S>
TILEWRIGHT_FN constexpr auto with_shape(L const& a, S const& shape) {
  return lift::call<op::with_shape, L, S>::on(a, shape);
}
/// Within a target: an integer, a shape, or a layout's shape.
template <LayoutType L, IntTuple T>
TILEWRIGHT_FN constexpr auto complement(L const& a, T const& target) {
  return lift::call<op::complement, L, T>::on(a, target);
}
template <LayoutType L, LayoutType T>
TILEWRIGHT_FN constexpr auto complement(L const& a, T const& target) {
  return complement(a, target.shape());
}
TILEWRIGHT_FN constexpr Underscore right_inverse(Underscore const&) { return {}; }
TILEWRIGHT_FN constexpr Underscore left_inverse(Underscore const&) { return {}; }
template <LayoutType A, LayoutType B>
TILEWRIGHT_FN constexpr auto max_common_layout(A const& a, B const& b) {
  return lift::call<op::max_common_layout, A, B>::on(a, b);
}
template <LayoutType A, LayoutType B>
TILEWRIGHT_FN constexpr auto max_common_vector(A const& a, B const& b) {
  return lift::call<op::max_common_vector, A, B>::on(a, b);
}
template <LayoutType L, IntTuple S>
TILEWRIGHT_FN constexpr auto tile_to_shape(L const& block, S const& target) {
  return lift::call<op::tile_to_shape, L, S>::on(block, target);
}
/// The modes repeated in the order of `order`'s entries, the smallest fastest.
template <LayoutType L, IntTuple S, IntTuple Order>
TILEWRIGHT_FN constexpr auto tile_to_shape(L const& block, S const& target, Order const& order) {
  return lift::call<op::tile_to_shape, L, S, Order>::on(block, target, order);
}
template <LayoutType L, IntTuple S>
TILEWRIGHT_FN constexpr auto tile_to_shape(L const& block, S const& target, GenColMajor const&) {
  return tile_to_shape(block, target);
}
namespace detail {
template <int... N>
TILEWRIGHT_FN constexpr auto last_mode_fastest(seq<N...>) {
  return tuple<C<static_cast<int>(sizeof...(N)) - 1 - N>...>{};
}
}  // namespace detail
template <LayoutType L, IntTuple S>
TILEWRIGHT_FN constexpr auto tile_to_shape(L const& block, S const& target, GenRowMajor const&) {
  if constexpr (tuple_size_v<S> == 1) return tile_to_shape(block, target);
  else return tile_to_shape(block, target, detail::last_mode_fastest(make_seq<tuple_size_v<S>>{}));
}

// --- recasting -------------------------------------------------------------------------------------------------------
template <LayoutType L, IntTuple N>
TILEWRIGHT_FN constexpr auto upcast(L const& a, N const& factor) {
  return lift::call<op::upcast, L, N>::on(a, factor);
}
template <int N, LayoutType L>
TILEWRIGHT_FN constexpr auto upcast(L const& a) {
  return upcast(a, C<N>{});
}
template <LayoutType L, IntTuple N>
TILEWRIGHT_FN constexpr auto downcast(L const& a, N const& factor) {
  return lift::call<op::downcast, L, N>::on(a, factor);
}
template <int N, LayoutType L>
TILEWRIGHT_FN constexpr auto downcast(L const& a) {
  return downcast(a, C<N>{});
}
/// The layout of elements of `From` bits seen as one of elements of `To` bits.
template <int From, int To, LayoutType L>
TILEWRIGHT_FN constexpr auto recast_bits(L const& a) {
  if constexpr (From == To) return a;
  else return lift::call<op::recast<From, To>, L>::on(a);
}
template <IntTuple S, IntTuple N>
TILEWRIGHT_FN constexpr auto domain_distribute(S const& shape, N const& workers) {
  return lift::call<op::domain_distribute, S, N>::on(shape, workers);
}

// --- Layout's own ----------------------------------------------------------------------------------------------------
namespace detail {
/// The first argument of what members of layouts call. Compat adds more constrained overloads of all three, which give CuTe's answers
/// beyond the domain; within it they agree.
struct as_member {};
template <class L, class T>
TILEWRIGHT_FN constexpr auto composed(as_member, L const& layout, T const& tiler) {
  return composition(layout, tiler);
}
template <class L, class T>
TILEWRIGHT_FN constexpr auto reshaped(as_member, L const& layout, T const& shape) {
  return with_shape(layout, shape);  // unqualified: swizzled layouts have theirs further down
}
template <class L, class T>
TILEWRIGHT_FN constexpr auto tiled(as_member, L const& layout, T const& tiler) {
  return tiled_divide(layout, tiler);
}
}  // namespace detail

template <class S, class D>
template <class... Tilers>
TILEWRIGHT_FN constexpr auto Layout<S, D>::compose(Tilers const&... tilers) const {
  return composed(detail::as_member{}, *this, detail::one_or_tuple(tilers...));
}
template <class S, class D>
template <class... Tilers>
TILEWRIGHT_FN constexpr auto Layout<S, D>::tile(Tilers const&... tilers) const {
  if constexpr (sizeof...(Tilers) == 0) return tiled(detail::as_member{}, *this, tuple<>{});
  else return tiled(detail::as_member{}, *this, detail::one_or_tuple(tilers...));
}
template <class S, class D>
template <class... Extents>
TILEWRIGHT_FN constexpr auto Layout<S, D>::with_shape(Extents const&... extents) const {
  return reshaped(detail::as_member{}, *this, detail::one_or_tuple(extents...));
}

template <class A, class B, class D, class F>
TILEWRIGHT_FN constexpr auto operator==(Layout<A, B> const& a, Layout<D, F> const& b) {
  return detail::all_equal(a.shape() == b.shape(), a.stride() == b.stride());
}
template <class A, class B, class D, class F>
TILEWRIGHT_FN constexpr auto operator!=(Layout<A, B> const& a, Layout<D, F> const& b) {
  return !(a == b);
}

}  // namespace tilewright
