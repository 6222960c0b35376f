// Operations on swizzled layouts, each through the inner layout. Slicing moves the fixed part of a coordinate into the
// offset, so that a swizzled tile is partitioned like any other.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algebra/operations.hpp"
#include "tilewright/algebra/swizzle.hpp"

namespace tilewright {

template <class A, class Offset, class B>
TILEWRIGHT_FN constexpr auto make_composed_layout(A const& a, Offset const& offset, B const& b) {
  if constexpr (AnyInvalid<A, Offset, B>) return invalid_layout{};
  else return ComposedLayout<A, Offset, B>{a, offset, b};
}

/// Swizzle ∘ layout.
template <int B, int M, int S, LayoutType L>
TILEWRIGHT_FN constexpr auto composition(Swizzle<B, M, S> const& swizzle, L const& layout) {
  return make_composed_layout(swizzle, C<0>{}, layout);
}
template <int B, int M, int S, IntegerLike Offset, LayoutType L>
TILEWRIGHT_FN constexpr auto composition(Swizzle<B, M, S> const& swizzle, Offset const& offset, L const& layout) {
  return make_composed_layout(swizzle, offset, layout);
}
namespace detail {
/// The layout itself, or the one under a swizzle.
template <class L>
TILEWRIGHT_FN constexpr auto inner_layout(L const& a) {
  if constexpr (is_composed_layout_v<L>) return a.layout_b();
  else return a;
}
/// The layout below all swizzles and layouts.
template <class L>
TILEWRIGHT_FN constexpr auto innermost_layout(L const& a) {
  if constexpr (is_composed_layout_v<L>) return innermost_layout(a.layout_b());
  else return a;
}

/// Is the outer function of a composed layout a swizzle?
template <class L>
inline constexpr bool layout_swizzles = false;
template <int B, int M, int S, class O, class L>
inline constexpr bool layout_swizzles<ComposedLayout<Swizzle<B, M, S>, O, L>> = true;

/// The leading elements that are next to each other after an outer function that is no swizzle. Compat specialises it.
template <class L>
inline constexpr int elements_kept_by = 1;

template <class Offset>
struct nothing_was_sliced_off {
  static constexpr bool value = std::is_base_of_v<C<0>, Offset>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "composition: a swizzle is undone only where the offset is 0; undo it first and slice afterwards "
                  "(docs/errors.md#swizzle_offset)");
    return invalid_layout{};
  }
};
}  // namespace detail

/// A swizzle after a swizzled layout of the same kind undoes it; anything else has no name.
template <int B, int M, int S, class O, LayoutType L>
TILEWRIGHT_FN constexpr auto composition(Swizzle<B, M, S> const&,
                                         ComposedLayout<Swizzle<B, M, S>, O, L> const& layout) {
  if constexpr (!detail::nothing_was_sliced_off<O>::value) return detail::nothing_was_sliced_off<O>::sentence();
  else return layout.layout_b();
}

// --- operations on the inner layout: those of the table, and with other operands --------------------------------------
#define TILEWRIGHT_X_SIMPLIFY(NAME, ...)                                       \
  template <ComposedType L>                                                    \
  TILEWRIGHT_FN constexpr auto NAME(L const& a) {                              \
    return make_composed_layout(a.layout_a(), a.offset(), NAME(a.layout_b())); \
  }
#define TILEWRIGHT_X_INVERT(NAME, ...)
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                              \
  template <ComposedType L, TilerType T>                                              \
  TILEWRIGHT_FN constexpr auto NAME(L const& a, T const& tiler) {                     \
    return make_composed_layout(a.layout_a(), a.offset(), NAME(a.layout_b(), tiler)); \
  }
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                                              \
  template <ComposedType L, LayoutType T>                                              \
  TILEWRIGHT_FN constexpr auto NAME(L const& a, T const& layout) {                     \
    return make_composed_layout(a.layout_a(), a.offset(), NAME(a.layout_b(), layout)); \
  }
#include "tilewright/algebra/operations.def"
template <ComposedType L, IntTuple S>
TILEWRIGHT_FN constexpr auto with_shape(L const& a, S const& s) {
  return make_composed_layout(a.layout_a(), a.offset(), with_shape(a.layout_b(), s));
}
template <ComposedType L, IntTuple P>
TILEWRIGHT_FN constexpr auto coalesce(L const& a, P const& p) {
  return make_composed_layout(a.layout_a(), a.offset(), coalesce(a.layout_b(), p));
}
template <ComposedType L>
TILEWRIGHT_FN constexpr auto flatten(L const& a) {
  return make_composed_layout(a.layout_a(), a.offset(), flatten(a.layout_b()));
}
template <ComposedType L, class... More>
TILEWRIGHT_FN constexpr auto tile_to_shape(L const& a, More const&... more) {
  return make_composed_layout(a.layout_a(), a.offset(), tile_to_shape(a.layout_b(), more...));
}
template <int Begin, int End, ComposedType L>
TILEWRIGHT_FN constexpr auto group(L const& a) {
  return make_composed_layout(a.layout_a(), a.offset(), group<Begin, End>(a.layout_b()));
}
template <int Begin, int End, ComposedType L>
TILEWRIGHT_FN constexpr auto take(L const& a) {
  return make_composed_layout(a.layout_a(), a.offset(), take<Begin, End>(a.layout_b()));
}
template <int... I, ComposedType L>
TILEWRIGHT_FN constexpr auto select(L const& a) {
  return make_composed_layout(a.layout_a(), a.offset(), select<I...>(a.layout_b()));
}
template <int... I, ComposedType L>
TILEWRIGHT_FN constexpr auto layout(L const& a) {
  return make_composed_layout(a.layout_a(), a.offset(), layout<I...>(a.layout_b()));
}
/// Mode N alone, swizzled like the whole.
template <int N, class A, class O, class B>
TILEWRIGHT_FN constexpr auto get(ComposedLayout<A, O, B> const& a) {
  return layout<N>(a);
}
template <ComposedType L, class M>
TILEWRIGHT_FN constexpr auto append(L const& a, M const& mode) {
  return make_composed_layout(a.layout_a(), a.offset(), append(a.layout_b(), mode));
}
template <int N, ComposedType L, class M>
TILEWRIGHT_FN constexpr auto append(L const& a, M const& mode) {
  return make_composed_layout(a.layout_a(), a.offset(), append<N>(a.layout_b(), mode));
}
template <ComposedType L, class M>
TILEWRIGHT_FN constexpr auto prepend(L const& a, M const& mode) {
  return make_composed_layout(a.layout_a(), a.offset(), prepend(a.layout_b(), mode));
}
template <int N, ComposedType L, class M>
TILEWRIGHT_FN constexpr auto prepend(L const& a, M const& mode) {
  return make_composed_layout(a.layout_a(), a.offset(), prepend<N>(a.layout_b(), mode));
}

// --- measures and coordinates ----------------------------------------------------------------------------------------
template <int... I, ComposedType L>
TILEWRIGHT_FN constexpr auto shape(L const& a) {
  return shape<I...>(a.layout_b());
}
template <int... I, ComposedType L>
TILEWRIGHT_FN constexpr auto size(L const& a) {
  return size<I...>(a.layout_b());
}
template <int... I, ComposedType L>
TILEWRIGHT_FN constexpr auto rank(L const& a) {
  return rank<I...>(a.layout_b());
}
template <int... I, ComposedType L>
TILEWRIGHT_FN constexpr auto depth(L const& a) {
  return depth<I...>(a.layout_b());
}
template <class A, class O, class B>
inline constexpr int rank_v<ComposedLayout<A, O, B>> = rank_v<B>;

/// One past the largest offset: the swizzle's whole period, since it may move any element to its end.
/// pre: static where the swizzle moves bits that the inner span does not fill
template <class O, int B, int M, int S, LayoutType L>
TILEWRIGHT_FN constexpr auto cosize(ComposedLayout<Swizzle<B, M, S>, O, L> const& a) {
  if constexpr (B == 0) return a.offset() + cosize(a.layout_b());
  else return round_up(a.offset() + cosize(a.layout_b()), normal_constant<Swizzle<B, M, S>::period>{});
}

namespace op {
/// The layout with the strides that are whole numbers of Period alone, the others 0; or the other way round.
template <long long Period, bool Whole>
struct strides_of_whole_periods {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic const& c, int_tree const& a) {
    int_tree out = a;
    for (int i = 0; i < out.leaves; ++i) {
      leaf const d = out.stride[i];
      if (c.divides(Period, d) != Whole) out.stride[i] = constant_leaf(0);
    }
    return out;
  }
};
}  // namespace op

namespace detail {
/// A swizzled layout in two parts: swizzle(x + n * period) == swizzle(x) + n * period, so that modes whose strides are whole
/// periods stay outside of the swizzle, whose instructions a loop over such a mode computes once.
template <ComposedType L>
TILEWRIGHT_FN constexpr auto within_period(L const& a) {
  return lift::call<op::strides_of_whole_periods<L::layout_a_type::period, false>, typename L::layout_b_type>::on(
      a.layout_b());
}
template <ComposedType L>
TILEWRIGHT_FN constexpr auto whole_periods(L const& a) {
  return lift::call<op::strides_of_whole_periods<L::layout_a_type::period, true>, typename L::layout_b_type>::on(
      a.layout_b());
}
template <class L>
inline constexpr bool has_whole_periods = false;
template <int B, int M, int S, class O, LayoutType L>
requires(B > 0) inline constexpr bool has_whole_periods<ComposedLayout<Swizzle<B, M, S>, O, L>> = !std::is_same_v<
    L, std::remove_cvref_t<decltype(within_period(std::declval<ComposedLayout<Swizzle<B, M, S>, O, L>>()))>>;
}  // namespace detail

template <class X, ComposedType L>
TILEWRIGHT_FN constexpr auto crd2idx(X const& x, L const& a) {
  if constexpr (detail::has_whole_periods<L>)
    return a.layout_a()(a.offset() + crd2idx(x, detail::within_period(a))) + crd2idx(x, detail::whole_periods(a));
  else return a.layout_a()(a.offset() + crd2idx(x, a.layout_b()));
}
/// The modes at `_`, with the fixed part of the coordinate in the offset.
template <class X, ComposedType L>
TILEWRIGHT_FN constexpr auto slice(X const& x, L const& a) {
  return make_composed_layout(a.layout_a(), a.offset() + crd2idx(x, a.layout_b()), slice(x, a.layout_b()));
}
/// The same, with whole periods of the swizzle beside the layout: a tensor's slice moves its data pointer by them.
template <class X, ComposedType L>
TILEWRIGHT_FN constexpr auto slice_and_offset(X const& x, L const& a) {
  if constexpr (detail::has_whole_periods<L>) {
    auto const rest =
        make_composed_layout(a.layout_a(), a.offset() + crd2idx(x, detail::within_period(a)), slice(x, a.layout_b()));
    auto const start = crd2idx(x, detail::whole_periods(a));
    return sliced<std::remove_const_t<decltype(rest)>, std::remove_const_t<decltype(start)>>{rest, start};
  } else {
    return sliced<decltype(slice(x, a)), C<0>>{slice(x, a), {}};
  }
}

/// The layout moved to start at a coordinate, and the offset to add to what it gives.
template <class X, LayoutType L>
TILEWRIGHT_FN constexpr auto domain_offset(X const& x, L const& a) {
  return sliced<L, decltype(crd2idx(x, a))>{a, crd2idx(x, a)};
}
/// Of a swizzled layout the coordinate moves the offset below the swizzle, which depends on where an element is.
/// post: R.layout(c) == A(x + c) for coordinates c that do not leave A
template <class X, ComposedType L>
TILEWRIGHT_FN constexpr auto domain_offset(X const& x, L const& a) {
  auto const moved = make_composed_layout(a.layout_a(), a.offset() + crd2idx(x, a.layout_b()), a.layout_b());
  return sliced<std::remove_const_t<decltype(moved)>, C<0>>{moved, {}};
}

namespace detail {
template <int Narrow, int Wide, int Base>
struct swizzle_keeps_elements_whole {
  static constexpr bool widths_are_a_power_of_two_apart = math::has_single_bit(Narrow) && math::has_single_bit(Wide);
  static constexpr bool value = widths_are_a_power_of_two_apart && Base >= 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        widths_are_a_power_of_two_apart,
        "recast: a swizzled layout is recast by a power of two; choose element widths of a power of two apart "
        "(docs/errors.md#swizzle_width)");
    static_assert(
        value || !widths_are_a_power_of_two_apart,
        "recast: the swizzle moves bits inside the wider element; use a swizzle whose base M covers the vector "
        "(docs/errors.md#swizzle_base)");
    return invalid_layout{};
  }
};
template <int From, int To>
struct recast_ratio {
  static constexpr int narrow = static_cast<int>(From / math::gcd(From, To));
  static constexpr int wide = static_cast<int>(To / math::gcd(From, To));
};
template <int From, int To, int M>
struct recast_keeps_elements_whole
    : recast_ratio<From, To>,
      swizzle_keeps_elements_whole<recast_ratio<From, To>::narrow, recast_ratio<From, To>::wide,
                                   M + math::countr_zero(recast_ratio<From, To>::narrow) -
                                       math::countr_zero(recast_ratio<From, To>::wide)> {
  static constexpr int base =
      M + math::countr_zero(recast_ratio<From, To>::narrow) - math::countr_zero(recast_ratio<From, To>::wide);
};
}  // namespace detail

/// Narrow elements become wide ones. The swizzle must not move bits inside a wide element.
/// pre: the offset, which slicing leaves behind, is a whole number of wide elements
/// error: in a checked host build, layout_error misaligned where it is not
template <int From, int To, class O, int B, int M, int S, LayoutType L>
TILEWRIGHT_FN constexpr auto recast_bits(ComposedLayout<Swizzle<B, M, S>, O, L> const& a) {
  using check = detail::recast_keeps_elements_whole<From, To, M>;
  constexpr int narrow = check::narrow, wide = check::wide, base = check::base;
  if constexpr (!check::value) {
    return check::sentence();
  } else {
    auto const offset = [&] {
      if constexpr (detail::flagged_bits<O> != 0) {
        return smem_ptr_flag_bits<detail::flagged_bits<O> * wide / narrow>{};
      } else if constexpr (wide == 1) {
        return a.offset() * C<narrow>{};
      } else {
        auto const parts = a.offset() * C<narrow>{};
        if constexpr (lift::verifies)
          if (static_cast<long long>(parts) % wide != 0)
            lift::raise(errc::misaligned, static_cast<long long>(a.offset()) * From / 8 % 256, To / 8);
        return parts / C<wide>{};
      }
    }();
    return make_composed_layout(Swizzle<B, base, S>{}, offset, recast_bits<From, To>(a.layout_b()));
  }
}

/// N narrow elements become one, one wide element becomes N: recast_bits by the widths' ratio.
template <int N, ComposedType L>
TILEWRIGHT_FN constexpr auto upcast(L const& a) {
  return recast_bits<1, N>(a);
}
template <int N, ComposedType L>
TILEWRIGHT_FN constexpr auto downcast(L const& a) {
  return recast_bits<N, 1>(a);
}

/// The vector that a swizzled layout shares with another: as without the swizzle, but no longer than 2^M elements,
/// which the swizzle keeps together, and a divisor of a constant offset.
/// pre: a run-time offset is a multiple of it (slices of whole vectors are)
template <class O, int B, int M, int S, LayoutType L, AnyLayout Other>
TILEWRIGHT_FN constexpr auto max_common_vector(ComposedLayout<Swizzle<B, M, S>, O, L> const& a, Other const& b) {
  auto const common = [&] {
    if constexpr (is_composed_layout_v<Other>) return max_common_vector(b, a.layout_b());
    else return max_common_vector(a.layout_b(), b);
  }();
  if constexpr (B == 0) return common;
  else if constexpr (is_constant_v<O>) return gcd(gcd(common, C<(1LL << M)>{}), O{});
  else return gcd(common, C<(1LL << M)>{});
}
template <LayoutType L, ComposedType S>
TILEWRIGHT_FN constexpr auto max_common_vector(L const& a, S const& b) {
  return max_common_vector(b, a);
}

/// c with offset(c) == i for contiguous i: the inner inverse after the swizzle, which is its own inverse.
template <int B, int M, int S, ZeroOffset O, LayoutType L>
TILEWRIGHT_FN constexpr auto right_inverse(ComposedLayout<Swizzle<B, M, S>, O, L> const& a) {
  return make_composed_layout(right_inverse(a.layout_b()), C<0>{}, Swizzle<B, M, S>{});
}

namespace detail {
/// layout(x) with _ in x; compat adds a more constrained overload.
template <class X, ComposedType L>
TILEWRIGHT_FN constexpr auto sliced_at(as_member, X const& x, L const& layout) {
  return slice(x, layout);
}

template <class L, class... Coords>
struct composed_takes_of {
  using type = no_objection;
};
template <LayoutType L, class... Coords>
struct composed_takes_of<L, Coords...> {
  using type = coordinate_check<L, Coords...>;
};
template <class L, class... Coords>
using composed_takes = typename composed_takes_of<L, Coords...>::type;
}  // namespace detail

template <class A, class O, class B>
template <class... Coords>
TILEWRIGHT_FN constexpr auto ComposedLayout<A, O, B>::operator()(Coords const&... coords) const {
  using check = detail::composed_takes<B, Coords...>;
  if constexpr (!check::value) return check::sentence();
  else if constexpr (is_swizzle_v<B>) return layout_a()(offset() + layout_b()(coords...));
  else if constexpr ((has_underscore_v<Coords> || ...))
    return sliced_at(detail::as_member{}, detail::one_or_tuple(coords...), *this);
  else return crd2idx(detail::one_or_tuple(coords...), *this);
}
template <class A, class O, class B>
template <class... Tilers>
TILEWRIGHT_FN constexpr auto ComposedLayout<A, O, B>::compose(Tilers const&... tilers) const {
  return composed(detail::as_member{}, *this, detail::one_or_tuple(tilers...));
}
template <class A, class O, class B>
template <class... Tilers>
TILEWRIGHT_FN constexpr auto ComposedLayout<A, O, B>::tile(Tilers const&... tilers) const {
  return make_composed_layout(layout_a(), offset(), layout_b().tile(tilers...));
}
template <class A, class O, class B>
template <class... Extents>
TILEWRIGHT_FN constexpr auto ComposedLayout<A, O, B>::with_shape(Extents const&... extents) const {
  return reshaped(detail::as_member{}, *this, detail::one_or_tuple(extents...));
}

/// Equal where the outer functions, the offsets and the inner layouts are: a constant 1 equals a run-time 1. A swizzled layout
/// differs from a plain one, and from a layout after a layout.
template <AnyLayout A, AnyLayout B>
requires(ComposedType<A> || ComposedType<B>) TILEWRIGHT_FN constexpr auto operator==(A const& a, B const& b) {
  if constexpr (ComposedType<A> && ComposedType<B>)
    return detail::all_equal(detail::equal_entry(a.layout_a(), b.layout_a()),
                             detail::equal_entry(a.offset(), b.offset()),
                             detail::equal_entry(a.layout_b(), b.layout_b()));
  else return C<false>{};
}
template <AnyLayout A, AnyLayout B>
requires(ComposedType<A> || ComposedType<B>) TILEWRIGHT_FN constexpr auto operator!=(A const& a, B const& b) {
  return !(a == b);
}

}  // namespace tilewright
