// real, imag and conj of plain numbers, so that generic code need not ask.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/numeric_types.hpp"

namespace cute {

template <class T>
requires(std::is_arithmetic_v<T>) CUTE_HOST_DEVICE constexpr T real(T const& a) { return a; }
template <class T>
requires(std::is_arithmetic_v<T>) CUTE_HOST_DEVICE constexpr T imag(T const&) { return T(0); }
template <class T>
requires(std::is_arithmetic_v<T>) CUTE_HOST_DEVICE constexpr T conj(T const& a) { return a; }

// d = a op b, by reference, as the arithmetic instructions of matrix code are written.
template <class D, class A, class B>
CUTE_HOST_DEVICE constexpr void add(D& d, A const& a, B const& b) {
  d = a + b;
}
template <class D, class A, class B>
CUTE_HOST_DEVICE constexpr void mul(D& d, A const& a, B const& b) {
  d = a * b;
}
/// d = a * b + c
template <class D, class A, class B, class C_ = D>
CUTE_HOST_DEVICE constexpr void fma(D& d, A const& a, B const& b, C_ const& c) {
  d = a * b + c;
}
/// d = a * b + d
template <class A, class B, class D>
CUTE_HOST_DEVICE constexpr void fma(A const& a, B const& b, D& d) {
  d = a * b + d;
}

}  // namespace cute
