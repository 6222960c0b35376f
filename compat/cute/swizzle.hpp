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
CUTE_HOST_DEVICE constexpr C<(1 << M)> max_alignment(Swizzle<B, M, S> const&) {
  return {};
}
/// Of a layout after another: nothing is known.
template <class A, class O, class L>
CUTE_HOST_DEVICE constexpr C<1> max_alignment(tilewright::ComposedLayout<A, O, L> const&) {
  return {};
}
/// Of a swizzled layout: no more than the swizzle keeps together.
template <int B, int M, int S, class O, class L>
CUTE_HOST_DEVICE constexpr auto max_alignment(tilewright::ComposedLayout<Swizzle<B, M, S>, O, L> const& a) {
  if constexpr (tilewright::is_constant_v<O>) return gcd(gcd(C<(1 << M)>{}, max_alignment(a.layout_b())), O{});
  else return gcd(C<(1 << M)>{}, max_alignment(a.layout_b()));
}

}  // namespace cute
