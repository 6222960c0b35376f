// Swizzle<B,M,S>: xor of B bits of an offset, S apart, above the lowest M.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/mixed_bits.hpp"
#include "cute/layout.hpp"

namespace cute {

using tilewright::Swizzle;

template <class T>
struct is_swizzle : bool_constant<tilewright::is_swizzle_v<std::remove_cvref_t<T>>> {};

/// A swizzle undoes itself.
template <int B, int M, int S>
CUTE_HOST_DEVICE constexpr Swizzle<B, M, S> right_inverse(Swizzle<B, M, S> const&) {
  return {};
}
template <int B, int M, int S>
CUTE_HOST_DEVICE constexpr Swizzle<B, M, S> left_inverse(Swizzle<B, M, S> const&) {
  return {};
}
template <int B, int M, int S>
CUTE_HOST_DEVICE constexpr Swizzle<0, M, S> composition(Swizzle<B, M, S> const&, Swizzle<B, M, S> const&) {
  return {};
}
/// Of N elements in place of one, of one in place of N.  pre: N is a power of two that the base covers
template <int N, int B, int M, int S>
CUTE_HOST_DEVICE constexpr auto upcast(Swizzle<B, M, S> const&) {
  return Swizzle<B, M - tilewright::math::countr_zero(static_cast<unsigned long long>(N)), S>{};
}
template <int N, int B, int M, int S>
CUTE_HOST_DEVICE constexpr auto downcast(Swizzle<B, M, S> const&) {
  return Swizzle<B, M + tilewright::math::countr_zero(static_cast<unsigned long long>(N)), S>{};
}

template <int B, int M, int S>
CUTE_HOST_DEVICE constexpr C<(1 << M)> max_alignment(Swizzle<B, M, S> const&) {
  return {};
}
/// Of a swizzled layout: no more than the swizzle keeps together.
template <int B, int M, int S, class O, class L>
CUTE_HOST_DEVICE constexpr auto max_alignment(tilewright::ComposedLayout<Swizzle<B, M, S>, O, L> const& a) {
  if constexpr (tilewright::is_constant_v<O>) return gcd(gcd(C<(1 << M)>{}, max_alignment(a.layout_b())), O{});
  else return gcd(C<(1 << M)>{}, max_alignment(a.layout_b()));
}
namespace detail {
template <auto v>
inline constexpr int low_bit = tilewright::math::countr_zero(static_cast<unsigned long long>(v));
}
/// The swizzle that flips the bits of the mask Z by those of the mask Y.
/// pre: masks of one run of as many bits each, which do not overlap
template <auto Y, auto Z>
CUTE_HOST_DEVICE constexpr auto make_swizzle() {
  constexpr int y = detail::low_bit<Y>, z = detail::low_bit<Z>, bits = decltype(popcount(C<Y>{}))::value;
  static_assert(bits == decltype(popcount(C<Z>{}))::value, "make_swizzle: the masks differ in their number of bits");
  static_assert(
      (static_cast<long long>(Y) >> y) == (1LL << bits) - 1 && (static_cast<long long>(Z) >> z) == (1LL << bits) - 1,
      "make_swizzle: each mask is one run of bits");
  return Swizzle<bits, (y < z ? y : z), y - z>{};
}

}  // namespace cute
