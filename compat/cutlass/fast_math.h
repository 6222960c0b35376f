// Integer arithmetic by CUTLASS's names.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/math.hpp"
#include "cutlass/cutlass.h"

namespace cutlass {

template <class T>
CUTLASS_HOST_DEVICE constexpr T ceil_div(T dividend, T divisor) {
  return (dividend + divisor - 1) / divisor;
}
template <class A, class B>
CUTLASS_HOST_DEVICE constexpr auto round_up(A a, B b) {
  return (a + b - 1) / b * b;
}
template <class A, class B>
CUTLASS_HOST_DEVICE constexpr auto round_nearest(A a, B b) {
  return round_up(a, b);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T gcd(T a, T b) {
  return static_cast<T>(tilewright::gcd(a, b));
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T lcm(T a, T b) {
  return static_cast<T>(tilewright::lcm(a, b));
}
template <class T>
CUTLASS_HOST_DEVICE constexpr bool is_pow2(T n) {
  return n > 0 && (n & (n - 1)) == 0;
}
CUTLASS_HOST_DEVICE constexpr int const_max(int a, int b) { return a < b ? b : a; }
CUTLASS_HOST_DEVICE constexpr int const_min(int a, int b) { return a < b ? a : b; }

/// Quotient and remainder by one divisor, many times.
struct FastDivmod {
  int divisor = 1;

  constexpr FastDivmod() = default;
  CUTLASS_HOST_DEVICE constexpr FastDivmod(int d) : divisor(d) {}
  /// pre: dividend >= 0
  CUTLASS_HOST_DEVICE constexpr void operator()(int& quotient, int& remainder, int dividend) const {
    quotient = dividend / divisor;
    remainder = dividend % divisor;
  }
  CUTLASS_HOST_DEVICE constexpr int div(int dividend) const { return dividend / divisor; }
  CUTLASS_HOST_DEVICE constexpr int divmod(int& remainder, int dividend) const {
    remainder = dividend % divisor;
    return dividend / divisor;
  }
  CUTLASS_HOST_DEVICE constexpr operator int() const { return divisor; }
};

}  // namespace cutlass
