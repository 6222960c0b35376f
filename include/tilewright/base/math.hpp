// Integer arithmetic that the algebra shares: gcd, lcm, bit counting, and addition and multiplication that report
// overflow instead of wrapping.
#pragma once

#include "tilewright/base/config.hpp"

namespace tilewright {

inline constexpr long long int64_max = 0x7fffffffffffffffLL;
inline constexpr long long int64_min = -int64_max - 1;
inline constexpr long long int32_max = 0x7fffffffLL;
inline constexpr long long int32_min = -int32_max - 1;

namespace math {

/// pre: a != int64_min, which no leaf holds (`arithmetic` refuses it); there the answer is int64_max.
TILEWRIGHT_HOST_DEVICE constexpr long long abs(long long a) { return a >= 0 ? a : a < -int64_max ? int64_max : -a; }
TILEWRIGHT_HOST_DEVICE constexpr int sign(long long a) { return (a > 0) - (a < 0); }

/// post: greatest common divisor, never negative; gcd(0, b) is |b|.
TILEWRIGHT_HOST_DEVICE constexpr long long gcd(long long a, long long b) {
  a = abs(a);
  b = abs(b);
  while (b != 0) {
    long long const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// pre: the result fits 64 bits.
TILEWRIGHT_HOST_DEVICE constexpr long long lcm(long long a, long long b) {
  return a == 0 || b == 0 ? 0 : abs(a / gcd(a, b) * b);
}

/// pre: b > 0
TILEWRIGHT_HOST_DEVICE constexpr long long ceil_div(long long a, long long b) {
  return a > 0 ? (a - 1) / b + 1 : a / b;
}

/// Rounded down, and the rest, which is never negative.  pre: b > 0
TILEWRIGHT_HOST_DEVICE constexpr long long floor_div(long long a, long long b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}
TILEWRIGHT_HOST_DEVICE constexpr long long floor_mod(long long a, long long b) { return a - floor_div(a, b) * b; }

TILEWRIGHT_HOST_DEVICE constexpr bool has_single_bit(unsigned long long a) { return a != 0 && (a & (a - 1)) == 0; }

TILEWRIGHT_HOST_DEVICE constexpr int countr_zero(unsigned long long a) {
  int n = 0;
  for (; n < 64 && (a >> n & 1) == 0;) ++n;
  return n;
}

TILEWRIGHT_HOST_DEVICE constexpr int bit_width(unsigned long long a) {
  int n = 0;
  for (; a != 0; a >>= 1) ++n;
  return n;
}

/// post: false when a * b does not fit the symmetric range [-int64_max, int64_max]; `out` is then 0.
TILEWRIGHT_CONSTEXPR bool multiply(long long a, long long b, long long& out) {
  out = 0;
  if (a < -int64_max || b < -int64_max) return false;
  if (a != 0 && b != 0 && abs(a) > int64_max / abs(b)) return false;
  out = a * b;
  return true;
}

/// post: false when a + b does not fit the symmetric range; `out` is then 0.
TILEWRIGHT_CONSTEXPR bool add(long long a, long long b, long long& out) {
  out = 0;
  if (a < -int64_max || b < -int64_max) return false;
  if (b > 0 ? a > int64_max - b : a < -int64_max - b) return false;
  out = a + b;
  return true;
}

}  // namespace math
}  // namespace tilewright
