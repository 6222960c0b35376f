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

}  // namespace cute
