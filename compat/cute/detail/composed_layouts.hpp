// What CuTe answers of composed layouts: measures are those of the innermost layout, a change of the element's width changes all parts, and
// swizzles of one shift are one swizzle: Sw<1,0,3> ∘ Sw<1,1,3> = Sw<2,0,3>.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/layout_algebra.hpp"
#include "cute/numeric/math.hpp"

namespace cute {

// --- measures --------------------------------------------------------------------------------------------------------
/// As without the swizzle. A swizzle may move elements beyond it where the layout does not fill whole periods; the bound on offsets is
/// tilewright::cosize.
template <class O, int B, int M, int S, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto cosize(tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& a) {
  return tilewright::cosize(a.layout_b());
}
template <detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto cosize(L const& a) {
  return cosize(a.layout_b());
}
template <int I, int... J, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto cosize(L const& a) {
  return cosize(tilewright::layout<I, J...>(a.layout_b()));
}

namespace detail {
/// The elements that a swizzle keeps together at most, of those that both layouts hold contiguously.
template <int M, class Common>
CUTE_HOST_DEVICE constexpr auto kept_together(Common const& common) {
  constexpr int shared = decltype(tilewright::size(common))::value, together = 1 << M;
  return cute::composition(common, C<(shared < together ? shared : together)>{});
}
}  // namespace detail
/// A swizzle of the base M keeps 2^M elements together.
template <int B, int M, int S, class O, detail::cute_layout L, detail::cute_layout K>
CUTE_HOST_DEVICE constexpr auto max_common_layout(
    tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& a, K const& b) {
  return detail::kept_together<M>(cute::max_common_layout(a.layout_b(), b));
}
template <int B, int M, int S, class O, detail::cute_layout L, detail::cute_layout K>
CUTE_HOST_DEVICE constexpr auto max_common_layout(
    K const& a, tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& b) {
  return cute::max_common_layout(b, a);
}

/// No more than a swizzle keeps together, unless both sides swizzle alike: contiguous elements of one are then contiguous in the other.
template <class O, int B, int M, int S, detail::cute_layout L, class P, detail::cute_layout K>
CUTE_HOST_DEVICE constexpr auto max_common_vector(
    tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& a,
    tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, P, K> const& b) {
  return cute::max_common_vector(a.layout_b(), b.layout_b());
}
template <class O, int B, int M, int S, detail::cute_layout L, class P, int C_, int N, int R, detail::cute_layout K>
CUTE_HOST_DEVICE constexpr auto max_common_vector(
    tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& a,
    tilewright::ComposedLayout<tilewright::Swizzle<C_, N, R>, P, K> const& b) {
  constexpr int together = 1 << (M < N ? M : N);
  return cute::min(cute::max_common_vector(a.layout_b(), b.layout_b()), C<together>{});
}
template <class O, int B, int M, int S, detail::cute_layout L, detail::cute_layout K>
CUTE_HOST_DEVICE constexpr auto max_common_vector(
    tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& a, K const& b) {
  return cute::min(cute::max_common_vector(a.layout_b(), b), C<(1 << M)>{});
}
template <class O, int B, int M, int S, detail::cute_layout L, detail::cute_layout K>
CUTE_HOST_DEVICE constexpr auto max_common_vector(
    K const& a, tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& b) {
  return cute::max_common_vector(b, a);
}

// --- modes -----------------------------------------------------------------------------------------------------------
// A composed layout is one entry, as a number is: what lists of modes are made of by themselves are tuples of layouts.
template <detail::cute_composed L, class M>
CUTE_HOST_DEVICE constexpr auto append(L const& a, M const& mode) {
  return tilewright::make_tuple(a, mode);
}
template <detail::cute_composed L, class M>
CUTE_HOST_DEVICE constexpr auto prepend(L const& a, M const& mode) {
  return tilewright::make_tuple(mode, a);
}
template <int N, detail::cute_composed L, class M>
CUTE_HOST_DEVICE constexpr auto prepend(L const& a, M const& mode) {
  if constexpr (N == 1) return a;
  else return tilewright::tuple_cat(tilewright::repeat<N - 1>(mode), tilewright::make_tuple(a));
}
template <int... I, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto select(L const& a) {
  return tilewright::make_tuple(tilewright::layout<I>(a)...);
}
template <int N, detail::cute_composed L, class M>
CUTE_HOST_DEVICE constexpr auto replace(L const&, M const& mode) {
  static_assert(N == 0, "replace: a composed layout is one entry, whose index is 0");
  return mode;
}
template <detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto zip(L const& a) {
  auto const& b = a.layout_b();
  return tilewright::make_composed_layout(a.layout_a(), a.offset(),
                                          tilewright::make_layout(cute::zip(b.shape()), cute::zip(b.stride())));
}

// --- swizzles --------------------------------------------------------------------------------------------------------
namespace detail {
template <auto v>
inline constexpr int low_bit = v == 0 ? 0 : tilewright::math::countr_zero(static_cast<unsigned long long>(v));
}  // namespace detail
/// The swizzle that flips the bits of the mask Z by those of the mask Y.
/// pre: masks of one run of as many bits each, which do not overlap
template <auto Y, auto Z>
CUTE_HOST_DEVICE constexpr auto make_swizzle() {
  constexpr auto from = static_cast<unsigned>(Y), to = static_cast<unsigned>(Z);
  constexpr int y = detail::low_bit<from>, z = detail::low_bit<to>, bits = decltype(popcount(C<from>{}))::value;
  static_assert(bits == decltype(popcount(C<to>{}))::value, "make_swizzle: the masks differ in their number of bits");
  static_assert((from >> y) == (1U << bits) - 1 && (to >> z) == (1U << bits) - 1,
                "make_swizzle: each mask is one run of bits");
  return tilewright::Swizzle<bits, (y < z ? y : z), y - z>{};
}

/// One swizzle after another of the same shift: bits that both flip stay.
/// pre: the bits that one of them flips are one run, and do not decide what the other flips
template <int B, int M, int S, int C_, int N, int R>
requires(S == R || B == 0 || C_ == 0) CUTE_HOST_DEVICE
    constexpr auto composition(tilewright::Swizzle<B, M, S> const& a, tilewright::Swizzle<C_, N, R> const& b) {
  if constexpr (B == 0 && C_ == 0) {
    return tilewright::Swizzle<0, 0, 0>{};
  } else if constexpr (B == 0) {
    return b;
  } else if constexpr (C_ == 0) {
    return a;
  } else {
    constexpr int to = detail::swizzled_bits_at<B, M, S>, from = detail::swizzling_bits_at<B, M, S>;
    constexpr int to_2 = detail::swizzled_bits_at<C_, N, R>, from_2 = detail::swizzling_bits_at<C_, N, R>;
    constexpr unsigned ones = (1U << B) - 1, ones_2 = (1U << C_) - 1;
    constexpr unsigned deciding = ones << from | ones_2 << from_2, flipped = ones << to | ones_2 << to_2;
    static_assert((deciding & flipped) == 0,
                  "composition: one swizzle flips bits that the other decides by; the two are no single swizzle");
    return make_swizzle<((ones << from) ^ (ones_2 << from_2)), ((ones << to) ^ (ones_2 << to_2))>();
  }
}

// --- elements of another width ---------------------------------------------------------------------------------------
/// Of N elements in place of one. Bits within the wide element are no longer swizzled: Sw<2,1,3> by 4 = Sw<1,0,3>.  pre: N is a power of two
template <int N, int B, int M, int S>
CUTE_HOST_DEVICE constexpr auto upcast(tilewright::Swizzle<B, M, S> const&) {
  constexpr int base = M - tilewright::math::countr_zero(static_cast<unsigned long long>(N));
  if constexpr (base >= 0) return tilewright::Swizzle<B, base, S>{};
  else return tilewright::Swizzle<(B + base > 0 ? B + base : 0), 0, S>{};
}
/// Of one element in place of N.
template <int N, int B, int M, int S>
CUTE_HOST_DEVICE constexpr auto downcast(tilewright::Swizzle<B, M, S> const&) {
  return tilewright::Swizzle<B, M + tilewright::math::countr_zero(static_cast<unsigned long long>(N)), S>{};
}

namespace detail {
/// tilewright::recast_bits takes those in which the swizzle keeps the wide elements whole, with their flags.
template <class L, int From, int To>
inline constexpr bool keeps_elements_whole = false;
template <int B, int M, int S, class O, cute_layout L, int From, int To>
inline constexpr bool keeps_elements_whole<tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L>, From, To> =
    tilewright::detail::recast_keeps_elements_whole<From, To, M>::value;
}  // namespace detail
/// All three parts by N, the offset rounded down.
template <int N, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto upcast(L const& a) {
  if constexpr (detail::keeps_elements_whole<L, 1, N>) return tilewright::upcast<N>(a);
  else
    return tilewright::make_composed_layout(cute::upcast<N>(a.layout_a()), a.offset() / C<N>{},
                                            cute::upcast<N>(a.layout_b()));
}
template <int N, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto downcast(L const& a);
namespace detail {
template <int N, class L>
CUTE_HOST_DEVICE constexpr auto downcast_part(L const& a) {
  if constexpr (cute_layout<L>) return tilewright::downcast<N>(a);
  else return cute::downcast<N>(a);
}
}  // namespace detail
template <int N, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto downcast(L const& a) {
  if constexpr (detail::keeps_elements_whole<L, N, 1>) return tilewright::downcast<N>(a);
  else
    return tilewright::make_composed_layout(detail::downcast_part<N>(a.layout_a()), a.offset() * C<N>{},
                                            detail::downcast_part<N>(a.layout_b()));
}

}  // namespace cute
