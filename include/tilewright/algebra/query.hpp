// Asking a typed layout or tuple: rank, depth, size, cosize, its shapes, strides and modes; offset and coordinate of an
// index; how two shapes compare. Answers are constants wherever the operands allow it.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algebra/construct.hpp"
#include "tilewright/algebra/direct.hpp"
#include "tilewright/algebra/modes.hpp"
#include "tilewright/algebra/product.hpp"

namespace tilewright {

namespace op {

/// The subtree reached by modes I, J, …
template <int... I>
TILEWRIGHT_CONSTEXPR subtree descend(arithmetic& c, int_tree const& a) {
  subtree u = a.root();
  (void)(true && ... &&
         (I < a.rank(u) ? (u = a.mode(u, I), true) : (c.fail(errc::mode_out_of_range, I, a.rank(u)), false)));
  return u;
}
template <int... I>
struct mode_of {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a) {
    return copy_of(a, descend<I...>(c, a));
  }
};
template <int... I>
struct size_of {
  static constexpr auto kind = lift::result_kind::tuple;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a) {
    return leaf_tree(algebra::size(c, a, descend<I...>(c, a)));
  }
};
template <int... I>
struct cosize_of {
  static constexpr auto kind = lift::result_kind::tuple;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a) {
    return leaf_tree(algebra::cosize(c, a, descend<I...>(c, a)));
  }
};
struct offset_of {
  static constexpr auto kind = lift::result_kind::offset;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& x) {
    return algebra::crd2idx(c, x, a);
  }
};
struct slice {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& x) {
    return algebra::slice(c, x, a);
  }
};
struct dice {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& x) {
    return algebra::dice(c, x, a);
  }
};
struct coordinate_of {
  static constexpr auto kind = lift::result_kind::tuple;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& shape, int_tree const& index) {
    return algebra::idx2crd(c, index.shape[0], shape);
  }
};
struct coordinate_at {
  static constexpr auto kind = lift::result_kind::tuple;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& offset) {
    return algebra::coordinate_of_offset(c, offset.shape[0], a);
  }
};
struct flat_coordinate_at {
  static constexpr auto kind = lift::result_kind::tuple;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& offset) {
    return algebra::flat_coordinate_of_offset(c, offset.shape[0], a);
  }
};
struct product_each {
  static constexpr auto kind = lift::result_kind::tuple;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a) { return algebra::product_each(c, a); }
};
template <bool Weakly>
struct is_compatible {
  static TILEWRIGHT_CONSTEXPR bool apply(int_tree const& a, int_tree const& b) {
    arithmetic c{};
    return algebra::is_compatible(c, a, a.root(), b, b.root(), Weakly);
  }
};

}  // namespace op

// --- parts -----------------------------------------------------------------------------------------------------------
template <int... I, IntTuple T>
TILEWRIGHT_FN constexpr auto shape(T const& t) {
  if constexpr (sizeof...(I) == 0) return t;
  else return get<I...>(t);
}
template <int... I, class S, class D>
TILEWRIGHT_FN constexpr auto shape(Layout<S, D> const& layout) {
  if constexpr (sizeof...(I) == 0) return layout.shape();
  else return get<I...>(layout.shape());
}
template <int... I, class S, class D>
TILEWRIGHT_FN constexpr auto stride(Layout<S, D> const& layout) {
  if constexpr (sizeof...(I) == 0) return layout.stride();
  else return get<I...>(layout.stride());
}
/// The layout of mode I (of mode J of mode I, …).
template <int... I, LayoutType L>
TILEWRIGHT_FN constexpr auto layout(L const& l) {
  if constexpr (sizeof...(I) == 0) return l;
  else return lift::call<op::mode_of<I...>, L>::on(l);
}
template <int I, class S, class D>
TILEWRIGHT_FN constexpr auto get(Layout<S, D> const& l) {
  return layout<I>(l);
}

// --- measures --------------------------------------------------------------------------------------------------------
template <class T>
inline constexpr int rank_v = tuple_size_v<T>;
template <class S, class D>
inline constexpr int rank_v<Layout<S, D>> = tuple_size_v<S>;
template <class T>
inline constexpr int rank_v<T const> = rank_v<T>;

template <int... I, IntTuple T>
TILEWRIGHT_FN constexpr auto rank(T const& t) {
  return C<rank_v<decltype(shape<I...>(t))>>{};
}
template <int... I, class S, class D>
TILEWRIGHT_FN constexpr auto rank(Layout<S, D> const& l) {
  return C<rank_v<decltype(shape<I...>(l))>>{};
}

template <int... I, IntTuple T>
TILEWRIGHT_FN constexpr auto depth(T const& t) {
  using Part = decltype(shape<I...>(t));
  return C<tilewright::depth(lift::value_of<Part>.tree, lift::value_of<Part>.tree.root())>{};
}
template <int... I, class S, class D>
TILEWRIGHT_FN constexpr auto depth(Layout<S, D> const& l) {
  return depth<I...>(l.shape());
}

/// The number of coordinates (of mode I, …).
template <int... I, IntTuple T>
TILEWRIGHT_FN constexpr auto size(T const& t) {
  constexpr long long direct = detail::direct_size_of_mode<T, I...>::value;
  if constexpr (direct > 0) return normal_constant<direct>{};
  else return lift::call<op::size_of<I...>, T>::on(t);
}
template <int... I, class S, class D>
TILEWRIGHT_FN constexpr auto size(Layout<S, D> const& l) {
  constexpr long long direct = detail::direct_size_of_mode<S, I...>::value;
  if constexpr (direct > 0) return normal_constant<direct>{};
  else return lift::call<op::size_of<I...>, S>::on(l.shape());
}
/// Of the result of a failed operation.
template <int... I>
TILEWRIGHT_FN constexpr C<1> size(invalid_layout const&) {
  return {};
}
template <int... I>
TILEWRIGHT_FN constexpr C<1> rank(invalid_layout const&) {
  return {};
}
template <int... I>
TILEWRIGHT_FN constexpr C<0> depth(invalid_layout const&) {
  return {};
}
template <int... I>
TILEWRIGHT_FN constexpr invalid_layout shape(invalid_layout const&) {
  return {};
}
template <int... I>
TILEWRIGHT_FN constexpr invalid_layout stride(invalid_layout const&) {
  return {};
}
TILEWRIGHT_FN constexpr invalid_layout product(invalid_layout const&) { return {}; }
TILEWRIGHT_FN constexpr invalid_layout product_each(invalid_layout const&) { return {}; }
template <class Index>
TILEWRIGHT_FN constexpr invalid_layout idx2crd(Index const&, invalid_layout const&) {
  return {};
}
/// The product of a tuple's integers.
template <IntTuple T>
TILEWRIGHT_FN constexpr auto product(T const& t) {
  return size(t);
}
template <IntTuple T>
TILEWRIGHT_FN constexpr auto product_each(T const& t) {
  return lift::call<op::product_each, T>::on(t);
}

/// The span of offsets: how many elements of memory the layout (its mode I, …) needs.
template <int... I, LayoutType L>
TILEWRIGHT_FN constexpr auto cosize(L const& l) {
  return lift::call<op::cosize_of<I...>, L>::on(l);
}

template <class T>
inline constexpr auto size_v = decltype(size(std::declval<T const&>()))::value;
template <class L>
inline constexpr auto cosize_v = decltype(cosize(std::declval<L const&>()))::value;
template <class T>
inline constexpr int depth_v = decltype(depth(std::declval<T const&>()))::value;

// --- coordinates and offsets -----------------------------------------------------------------------------------------
/// The offset of a coordinate: an integer index, a tuple congruent at the top, or any nesting between; `_` counts as 0.
template <class X, LayoutType L>
TILEWRIGHT_FN constexpr auto crd2idx(X const& x, L const& l) {
  return lift::call<op::offset_of, L, X>::on(l, x);
}
template <class X, IntTuple S>
TILEWRIGHT_FN constexpr auto crd2idx(X const& x, S const& shape) {
  return crd2idx(x, make_layout(shape));
}
template <class X, IntTuple S, StrideTuple D>
TILEWRIGHT_FN constexpr auto crd2idx(X const& x, S const& shape, D const& stride) {
  return crd2idx(x, make_layout(shape, stride));
}
/// The coordinate of an index within a shape, nested like it.
template <IntegerLike Index, IntTuple S>
TILEWRIGHT_FN constexpr auto idx2crd(Index const& index, S const& shape) {
  return lift::call<op::coordinate_of, S, Index>::on(shape, index);
}

/// The layout of the modes at `_`.
template <class X, LayoutType L>
TILEWRIGHT_FN constexpr auto slice(X const& x, L const& l) {
  if constexpr (detail::is_direct_slice<X, L>) return detail::direct_slice<X>(l);
  else return lift::call<op::slice, L, X>::on(l, x);
}
/// The layout of the modes at integers.
template <class X, LayoutType L>
TILEWRIGHT_FN constexpr auto dice(X const& x, L const& l) {
  return lift::call<op::dice, L, X>::on(l, x);
}

/// A slice and where it starts.
template <class LayoutResult, class Offset>
struct sliced {
  LayoutResult layout;
  Offset offset;
};
template <int N, class L, class O>
TILEWRIGHT_FN constexpr auto get(sliced<L, O> const& s) {
  if constexpr (N == 0) return s.layout;
  else return s.offset;
}
template <class X, LayoutType L>
TILEWRIGHT_FN constexpr auto slice_and_offset(X const& x, L const& l) {
  return sliced<decltype(slice(x, l)), decltype(crd2idx(x, l))>{slice(x, l), crd2idx(x, l)};
}

// --- comparing shapes ------------------------------------------------------------------------------------------------
namespace detail {
template <class T>
TILEWRIGHT_FN constexpr auto shape_of(T const& t) {
  if constexpr (is_layout_v<T>) return t.shape();
  else return t;
}
template <class T>
using shape_type_of = decltype(shape_of(std::declval<T const&>()));
// Variables of their own: as template arguments inside of a function they cost nvcc 200 MB each.
template <class A, class B, bool Weakly>
inline constexpr bool shapes_are_compatible = op::is_compatible<Weakly>::apply(lift::value_of<A>.tree,
                                                                               lift::value_of<B>.tree);
}  // namespace detail

/// Same profile.
template <class A, class B>
TILEWRIGHT_FN constexpr auto congruent(A const&, B const&) {
  return C<op::congruent<detail::shape_type_of<A>, detail::shape_type_of<B>>>{};
}
namespace detail {
/// Of shapes with run-time extents, by their numbers.
template <bool Weakly, class A, class B>
TILEWRIGHT_FN constexpr auto compatible_at_run_time(A const& a, B const& b);
template <bool Weakly, class A, class B, int... N>
TILEWRIGHT_FN constexpr auto compatible_each(A const& a, B const& b, seq<N...>) {
  if constexpr ((std::is_same_v<decltype(compatible_at_run_time<Weakly>(get<N>(a), get<N>(b))), C<false>> || ...))
    return C<false>{};
  else return (C<true>{} && ... && compatible_at_run_time<Weakly>(get<N>(a), get<N>(b)));
}
template <bool Weakly, class A, class B>
TILEWRIGHT_FN constexpr auto compatible_at_run_time(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) {
    if constexpr (tuple_size_v<A> != tuple_size_v<B>) return C<false>{};
    else return compatible_each<Weakly>(a, b, make_seq<tuple_size_v<A>>{});
  } else if constexpr (is_tuple_v<A>) {
    return C<false>{};
  } else if constexpr (Weakly) {
    return size(b) % a == C<0>{};
  } else {
    return size(b) == a;
  }
}
template <bool Weakly, class A, class B>
TILEWRIGHT_FN constexpr auto compare_shapes(A const& a, B const& b) {
  if constexpr (is_static_v<A> && is_static_v<B>) return C<shapes_are_compatible<A, B, Weakly>>{};
  else return compatible_at_run_time<Weakly>(a, b);
}
}  // namespace detail

/// Every coordinate of A is one of B: B's shape refines A's, with equal sizes.
/// post: a constant where the extents or the profiles decide it, a bool otherwise
template <class A, class B>
TILEWRIGHT_FN constexpr auto compatible(A const& a, B const& b) {
  return detail::compare_shapes<false>(detail::shape_of(a), detail::shape_of(b));
}
/// As compatible, but A's leaves need only divide B's modes.
template <class A, class B>
TILEWRIGHT_FN constexpr auto weakly_compatible(A const& a, B const& b) {
  return detail::compare_shapes<true>(detail::shape_of(a), detail::shape_of(b));
}

/// One index for each mode of the coordinate at an offset, in a tuple where the shape is one: (3) at offset 3 of (8):(1).
template <LayoutType L, class Offset>
TILEWRIGHT_FN constexpr auto flat_coordinates(L const& a, Offset const& offset) {
  return lift::call<op::flat_coordinate_at, L, Offset>::on(a, offset);
}

// --- Layout's own ----------------------------------------------------------------------------------------------------
namespace detail {
template <auto Coordinates>
struct there_is_a_coordinate {
  static constexpr bool value = Coordinates > 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "layout(): a layout maps a coordinate to an offset; pass one index, or one for each mode "
                  "(docs/errors.md#no_coordinate)");
    return invalid_layout{};
  }
};

/// One coordinate as it is, several as a tuple.
template <class X>
TILEWRIGHT_FN constexpr X const& one_or_tuple(X const& x) {
  return x;
}
template <class X, class Y, class... More>
TILEWRIGHT_FN constexpr tuple<X, Y, More...> one_or_tuple(X const& x, Y const& y, More const&... more) {
  return {x, y, more...};
}

/// The check that a layout takes a coordinate: there is one, of the layout's profile.
template <bool Slices>
struct pick_coordinate_check {
  template <class L, class X>
  using type = lift::succeeds<op::offset_of, L, X>;
};
template <>
struct pick_coordinate_check<true> {
  template <class L, class X>
  using type = lift::succeeds<op::slice, L, X>;
};
template <int Coordinates>
struct coordinates_of_call {
  template <class L, class... X>
  using type = typename pick_coordinate_check<(has_underscore_v<X> || ...)>::template type<L, tuple<X...>>;
};
template <>
struct coordinates_of_call<1> {
  template <class L, class X>
  using type = typename pick_coordinate_check<has_underscore_v<X>>::template type<L, X>;
};
template <>
struct coordinates_of_call<0> {
  template <class L>
  using type = there_is_a_coordinate<0>;
};
template <class L, class... Coords>
using coordinate_check = typename coordinates_of_call<static_cast<int>(sizeof...(Coords))>::template type<L, Coords...>;
}  // namespace detail

template <class S, class D>
template <class... Coords>
TILEWRIGHT_FN constexpr auto Layout<S, D>::operator()(Coords const&... coords) const {
  using check = detail::coordinate_check<Layout, Coords...>;
  if constexpr (!check::value) return check::sentence();
  else if constexpr ((has_underscore_v<Coords> || ...)) return slice(detail::one_or_tuple(coords...), *this);
  else return crd2idx(detail::one_or_tuple(coords...), *this);
}
template <class S, class D>
template <int... I>
TILEWRIGHT_FN constexpr auto Layout<S, D>::layout() const {
  if constexpr (sizeof...(I) == 0) return *this;
  else return tilewright::layout<I...>(*this);
}
template <class S, class D>
template <class Offset>
TILEWRIGHT_FN constexpr auto Layout<S, D>::get_hier_coord(Offset const& offset) const {
  return lift::call<op::coordinate_at, Layout, Offset>::on(*this, offset);
}
template <class S, class D>
template <class Offset>
TILEWRIGHT_FN constexpr auto Layout<S, D>::get_flat_coord(Offset const& offset) const {
  using Coordinates = decltype(flat_coordinates(*this, offset));
  if constexpr (is_tuple_v<Coordinates> && tuple_size_v<Coordinates> == 1)
    return get<0>(flat_coordinates(*this, offset));
  else return flat_coordinates(*this, offset);
}
template <class S, class D>
template <class Offset>
TILEWRIGHT_FN constexpr auto Layout<S, D>::get_1d_coord(Offset const& offset) const {
  return crd2idx(get_hier_coord(offset), this->shape());
}

}  // namespace tilewright
