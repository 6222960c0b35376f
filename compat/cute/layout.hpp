// Layouts and their algebra, plain and swizzled, by CuTe's names.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/array_tuple.hpp"
#include "cute/detail/composed_layouts.hpp"
#include "cute/detail/divide.hpp"
#include "cute/detail/layout_algebra.hpp"
#include "cute/detail/own_strides.hpp"
#include "cute/detail/swizzled_slice.hpp"
#include "cute/numeric/int.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "cute/stride.hpp"
#include "cute/underscore.hpp"
#include "cute/util/debug.hpp"
#include "cute/util/print.hpp"
#include "cutlass/bfloat16.h"
#include "cutlass/half.h"
#include "tilewright/algebra/swizzled.hpp"
#include "tilewright/algorithm/print.hpp"

namespace cute {

using tilewright::Coord;
using tilewright::Layout;
using tilewright::make_coord;
using tilewright::make_shape;
using tilewright::make_step;
using tilewright::make_stride;
using tilewright::make_tile;
using tilewright::multiple_of;
using tilewright::Shape;
using tilewright::Step;
using tilewright::Stride;
using tilewright::Tile;

// making
using tilewright::make_composed_layout;
using tilewright::make_identity_layout;
using tilewright::make_layout;
using tilewright::make_layout_like;
using tilewright::make_ordered_layout;

/// Compact, in the order of the layout's strides: (4,2,3):(1,100,10) to (4,2,3):(1,12,4).
template <tilewright::LayoutType L>
CUTE_HOST_DEVICE constexpr auto make_ordered_layout(L const& layout) {
  return cute::make_ordered_layout(layout.shape(), layout.stride());
}

using tilewright::get;
using tilewright::layout;

// the algebra, by CuTe's names, and CuTe's answers beyond the domain
#define TILEWRIGHT_X_LIFTED(NAME, ...) using tilewright::NAME;
#define TILEWRIGHT_X_OWN(NAME, ...) using tilewright::NAME;
#include "tilewright/algebra/operations.def"

/// The target's shape, where it is a layout.
template <class Block, tilewright::LayoutType Target, class... Order>
CUTE_HOST_DEVICE constexpr auto tile_to_shape(Block const& block, Target const& target, Order const&... order) {
  return cute::tile_to_shape(block, target.shape(), order...);
}
/// Mode by mode, for the modes of a profile: ((2,3),4):((0,1),0) by (_1,_1) is (3,1):(1,0).
template <tilewright::LayoutType L, tilewright::IntTuple Profile>
CUTE_HOST_DEVICE constexpr auto filter(L const& a, Profile const& profile) {
  return coalesce(filter_zeros(a), profile);
}

using tilewright::print;
using tilewright::print_layout;

/// A layout and entries that are no layouts are a tuple of them, as a tiler has: prepend<3>(layout, _) is (_, _, layout).
template <int N, tilewright::AnyLayout L, class X>
requires(!tilewright::AnyLayout<X> && N >= 1) CUTE_HOST_DEVICE constexpr auto prepend(L const& layout, X const& x) {
  if constexpr (N == 1) return make_tuple(layout);
  else return prepend<N>(make_tuple(layout), x);
}
template <int N, tilewright::AnyLayout L, class X>
requires(!tilewright::AnyLayout<X> && N >= 1) CUTE_HOST_DEVICE constexpr auto append(L const& layout, X const& x) {
  if constexpr (N == 1) return make_tuple(layout);
  else return append<N>(make_tuple(layout), x);
}

template <class T>
struct is_layout : bool_constant<tilewright::AnyLayout<std::remove_cvref_t<T>>> {};
template <class T>
inline constexpr bool is_layout_v = is_layout<T>::value;
template <class T>
struct is_composed_layout : bool_constant<tilewright::is_composed_layout_v<std::remove_cvref_t<T>>> {};

template <class L>
inline constexpr auto cosize_v = decltype(cosize(std::declval<L const&>()))::value;
template <class L>
using cosize_t = decltype(cosize(std::declval<L const&>()));

/// Modes [Begin, End) become one.
template <int Begin, int End, class L>
requires(tilewright::AnyLayout<L>) CUTE_HOST_DEVICE constexpr auto group_modes(L const& layout) {
  constexpr int end = End < 0 ? rank_v<L> : End;
  return group<Begin, end>(layout);
}
namespace detail {
/// gcd of a run of contiguous elements and a stride; strides within the run are its own, and a run-time stride counts as 1.
struct aligned_by {
  template <class Run, class D>
  CUTE_HOST_DEVICE constexpr auto operator()(Run const&, D const&) const {
    if constexpr (!is_static<D>::value) return C<1>{};
    else if constexpr (tilewright::math::abs(static_cast<long long>(D::value)) < static_cast<long long>(Run::value))
      return Run{};
    else return C<static_cast<int>(tilewright::math::gcd(Run::value, D::value))>{};
  }
};
/// An extent known at run time counts as one element, and its stride still decides.
struct constant_or_one {
  template <class S>
  CUTE_HOST_DEVICE constexpr auto operator()(S const& s) const {
    if constexpr (is_static<S>::value) return s;
    else return C<1>{};
  }
};
}  // namespace detail
/// The elements that are contiguous wherever their first one is aligned: 4 of (8,4):(1,12).
template <class S, class D>
CUTE_HOST_DEVICE constexpr auto max_alignment(Layout<S, D> const& layout) {
  if constexpr (is_static<S>::value) {
    auto const run = size(tilewright::right_inverse(layout));
    if constexpr (!is_static<decltype(run)>::value) return C<1>{};
    else return cute::fold(flatten_to_tuple(coalesce(layout).stride()), run, detail::aligned_by{});
  } else {
    auto const constants = make_layout(transform_leaf(layout.shape(), detail::constant_or_one{}), layout.stride());
    auto const run = size(tilewright::right_inverse(constants));
    if constexpr (!is_static<decltype(run)>::value) return C<1>{};
    else return cute::fold(flatten_to_tuple(layout.stride()), run, detail::aligned_by{});
  }
}
/// The layout of elements of one type seen as that of another over the same bits.
template <class OldType, class NewType, class L>
CUTE_HOST_DEVICE constexpr auto recast_layout(L const& a) {
  constexpr int from = tilewright::sizeof_bits_v<OldType>, to = tilewright::sizeof_bits_v<NewType>;
  if constexpr (from == to) return a;
  else if constexpr (detail::keeps_elements_whole<L, from, to>) return tilewright::recast_bits<from, to>(a);
  else if constexpr (!detail::cute_layout<L> && from < to) return cute::upcast<to / from>(a);
  else if constexpr (!detail::cute_layout<L>) return cute::downcast<from / to>(a);
  else return tilewright::lift::call<detail::op::recast<from, to>, L>::on(a);
}
/// The layout of a register fragment for a partition: mode 0 contiguous, the others in the order of the source.
template <class L>
requires(tilewright::AnyLayout<L>) CUTE_HOST_DEVICE constexpr auto make_fragment_layout(L const& layout) {
  if constexpr (is_composed_layout<L>::value) return tilewright::make_fragment_layout(layout.layout_b());
  else return tilewright::make_fragment_layout(layout);
}

namespace detail {
template <class... T>
CUTE_HOST_DEVICE constexpr tuple<T...> const& tuple_of_entries(tuple<T...> const& t) {
  return t;
}
template <class T>
CUTE_HOST_DEVICE constexpr auto one_more(T const& last) {
  if constexpr (is_tuple_v<T>)
    return cute::transform(tuple_of_entries(last), [](auto const& e) { return one_more(e); });
  else return last + C<1>{};
}
template <class T>
CUTE_HOST_DEVICE constexpr auto zeros_like(T const& t) {
  if constexpr (is_tuple_v<T>) return cute::transform(tuple_of_entries(t), [](auto const& e) { return zeros_like(e); });
  else return C<0>{};
}
}  // namespace detail
/// One more than the largest offset, for coordinates mode by mode: (4,3) of (4,3):(1@0,1@1), 21 of (4,3):(2,7).
template <int... I, class S, class D>
CUTE_HOST_DEVICE constexpr auto coshape(Layout<S, D> const& a) {
  auto const part = layout<I...>(a);
  using Offset = std::remove_cvref_t<decltype(part(size(part) - C<1>{}))>;
  if constexpr (is_tuple_v<Offset>) return detail::one_more(part(size(part) - C<1>{}));
  else return cosize(part);
}
namespace detail {
template <class D>
inline constexpr bool has_basis = tilewright::is_scaled_basis_v<D>;
template <class... D>
inline constexpr bool has_basis<tilewright::tuple<D...>> = (has_basis<D> || ...);
}  // namespace detail
/// Of a layout of coordinates: how many the box has that begins at 0 and holds them all. (4,8):(2@0,1@1) has 7 * 8 = 56.
template <int... I, tilewright::LayoutType L>
requires(sizeof...(I) == 0 &&
         detail::has_basis<std::remove_cvref_t<decltype(std::declval<L const&>().stride())>>) CUTE_HOST_DEVICE
    constexpr auto cosize(L const& a) {
  return tilewright::product(cute::coshape(a));
}
/// Zeros, nested like the offsets.
template <class S, class D>
CUTE_HOST_DEVICE constexpr auto coprofile(Layout<S, D> const& a) {
  return detail::zeros_like(a(C<0>{}));
}

/// ((a,b),(c,d)) -> ((a,c),(b,d)), of shapes and of strides.
template <class S, class D>
CUTE_HOST_DEVICE constexpr auto zip(Layout<S, D> const& a) {
  return make_layout(cute::zip(a.shape()), cute::zip(a.stride()));
}
template <class S, class D, class T, class E>
CUTE_HOST_DEVICE constexpr auto zip(Layout<S, D> const& a, Layout<T, E> const& b) {
  return make_layout(cute::zip(a.shape(), b.shape()), cute::zip(a.stride(), b.stride()));
}
/// Modes split as the tiler is nested: tiles in mode 0, rests in mode 1.
template <class S, class D, class Tiler>
CUTE_HOST_DEVICE constexpr auto tile_unzip(Layout<S, D> const& a, Tiler const& tiler) {
  return make_layout(cute::zip2_by(a.shape(), tiler), cute::zip2_by(a.stride(), tiler));
}
template <class A, class O, class B, class Tiler>
CUTE_HOST_DEVICE constexpr auto tile_unzip(tilewright::ComposedLayout<A, O, B> const& a, Tiler const& tiler) {
  return make_composed_layout(a.layout_a(), a.offset(), cute::tile_unzip(a.layout_b(), tiler));
}

namespace detail {
template <class L, class F, int... I>
CUTE_HOST_DEVICE constexpr auto transform_modes(L const& a, F&& f, seq<I...>) {
  return make_layout(f(layout<I>(a))...);
}
template <class L, class M, class F, int... I, int... J, int... K>
CUTE_HOST_DEVICE constexpr auto transform_modes(L const& a, M const& b, F&& f, seq<I...>, seq<J...>, seq<K...>) {
  return make_layout(f(layout<I>(a), layout<I>(b))..., layout<J>(a)..., layout<K>(b)...);
}
}  // namespace detail
/// f of every mode, or of the modes of two layouts; the modes that only one of them has stay.
template <class S, class D, class F>
CUTE_HOST_DEVICE constexpr auto transform_layout(Layout<S, D> const& a, F&& f) {
  return detail::transform_modes(a, f, make_seq<rank_v<Layout<S, D>>>{});
}
template <class S, class D, class T, class E, class F>
CUTE_HOST_DEVICE constexpr auto transform_layout(Layout<S, D> const& a, Layout<T, E> const& b, F&& f) {
  constexpr int ra = rank_v<Layout<S, D>>, rb = rank_v<Layout<T, E>>, both = ra < rb ? ra : rb;
  return detail::transform_modes(a, b, f, make_seq<both>{}, make_range<both, ra>{}, make_range<both, rb>{});
}

template <class A, class B>
requires((detail::cute_composed<A> ||
          detail::cute_composed<B>)&&tilewright::AnyLayout<A>&& tilewright::AnyLayout<B>) CUTE_HOST_DEVICE
    constexpr auto compatible(A const& a, B const& b) {
  return tilewright::compatible(tilewright::shape(a), tilewright::shape(b));
}

}  // namespace cute
