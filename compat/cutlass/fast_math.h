// Integer arithmetic by CUTLASS's names.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/math.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/detail/fast_functions.h"

namespace cutlass {

template <class T>
CUTLASS_HOST_DEVICE constexpr void swap(T& a, T& b) {
  T const first = a;
  a = b;
  b = first;
}
CUTLASS_HOST_DEVICE constexpr int ceil_div(int dividend, int divisor) { return (dividend + divisor - 1) / divisor; }
using cute::ceil_div;  // of all other types; a program's own ceil_div of two numbers of one type goes first
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
CUTLASS_HOST_DEVICE constexpr T gcd_cxx11(T a, T b) {
  return cutlass::gcd(a, b);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T lcm_cxx11(T a, T b) {
  return cutlass::lcm(a, b);
}
template <int N>
struct is_pow2 {
  static constexpr bool value = (N & (N - 1)) == 0;
};
/// The logarithm of base 2, rounded down and rounded up.
template <int N>
struct log2_down {
  static constexpr int value = 31 - clz(N);
};
template <int N>
struct log2_up {
  static constexpr int value = find_log2(N);
};
/// About the square root: a power of two.
template <int N>
struct sqrt_est {
  static constexpr int value = 1 << (log2_up<N>::value / 2);
};
/// A quotient without a rest.
template <int Dividend, int Divisor>
struct divide_assert {
  static_assert(Dividend % Divisor == 0,
                "divide_assert: the dividend is no multiple of the divisor; give two numbers without a rest");
  static constexpr int value = Dividend / Divisor;
};
template <int A, int B>
struct Min {
  static constexpr int kValue = A < B ? A : B;
};
template <int A, int B>
struct Max {
  static constexpr int kValue = A > B ? A : B;
};
CUTLASS_HOST_DEVICE constexpr int const_max(int a, int b) { return a < b ? b : a; }
CUTLASS_HOST_DEVICE constexpr int const_min(int a, int b) { return a < b ? a : b; }

/// Quotient and remainder by one divisor, many times: a multiplication and a shift for each, of a number found once.
/// pre: 0 <= dividend < 2^31; a 64-bit dividend is divided by the machine
struct FastDivmod {
  using Divisor = int;
  int divisor = 1;
  unsigned multiplier = 0;
  unsigned shift_right = 0;

  constexpr FastDivmod() = default;
  /// pre: d > 0
  CUTLASS_HOST_DEVICE constexpr FastDivmod(int d) : divisor(d) {
    if (d > 1) {  // 2^(31+s) / d rounded up, with s = ceil(log2(d)): exact below 2^31
      unsigned bits = 0;
      while ((1ull << bits) < static_cast<unsigned long long>(d)) ++bits;
      multiplier = static_cast<unsigned>(((1ull << (31 + bits)) + static_cast<unsigned long long>(d) - 1) /
                                         static_cast<unsigned long long>(d));
      shift_right = 31 + bits;
    }
  }
  CUTLASS_HOST_DEVICE constexpr int div(int dividend) const {
    return divisor == 1 ? dividend
                        : static_cast<int>((static_cast<unsigned long long>(dividend) * multiplier) >> shift_right);
  }
  CUTLASS_HOST_DEVICE constexpr int divide(int dividend) const { return div(dividend); }
  CUTLASS_HOST_DEVICE constexpr int rem(int dividend) const { return dividend - div(dividend) * divisor; }
  CUTLASS_HOST_DEVICE constexpr int remainder(int dividend) const { return rem(dividend); }
  CUTLASS_HOST_DEVICE constexpr int divmod(int& remainder, int dividend) const {
    int const quotient = div(dividend);
    remainder = dividend - quotient * divisor;
    return quotient;
  }
  CUTLASS_HOST_DEVICE constexpr int divmod(std::int64_t& remainder, std::int64_t dividend) const {
    remainder = dividend % divisor;
    return static_cast<int>(dividend / divisor);
  }
  CUTLASS_HOST_DEVICE constexpr void fast_divmod(int& quotient, int& remainder, int dividend) const {
    quotient = divmod(remainder, dividend);
  }
  CUTLASS_HOST_DEVICE constexpr void fast_divmod(int& quotient, std::int64_t& remainder, std::int64_t dividend) const {
    quotient = divmod(remainder, dividend);
  }
  CUTLASS_HOST_DEVICE constexpr void operator()(int& quotient, int& remainder, int dividend) const {
    fast_divmod(quotient, remainder, dividend);
  }
  CUTLASS_HOST_DEVICE constexpr void operator()(int& quotient, std::int64_t& remainder, std::int64_t dividend) const {
    fast_divmod(quotient, remainder, dividend);
  }
  CUTLASS_HOST_DEVICE constexpr operator int() const { return divisor; }
};

/// The same for 64-bit numbers; divided by the machine.
struct FastDivmodU64 {
  std::uint64_t divisor = 1;

  constexpr FastDivmodU64() = default;
  CUTLASS_HOST_DEVICE constexpr FastDivmodU64(std::uint64_t d) : divisor(d) {}
  CUTLASS_HOST_DEVICE constexpr std::uint64_t divide(std::uint64_t dividend) const { return dividend / divisor; }
  CUTLASS_HOST_DEVICE constexpr std::uint64_t modulus(std::uint64_t quotient, std::uint64_t dividend) const {
    return dividend - quotient * divisor;
  }
  CUTLASS_HOST_DEVICE constexpr std::uint64_t divmod(std::uint64_t& remainder, std::uint64_t dividend) const {
    remainder = dividend % divisor;
    return dividend / divisor;
  }
  CUTLASS_HOST_DEVICE constexpr void operator()(std::uint64_t& quotient, std::uint64_t& remainder,
                                                std::uint64_t dividend) const {
    quotient = divmod(remainder, dividend);
  }
};

/// The same by a power of two.
struct FastDivmodU64Pow2 {
  std::uint64_t divisor = 0;
  unsigned shift_right = 0;

  constexpr FastDivmodU64Pow2() = default;
  /// pre: d is a power of two
  CUTLASS_HOST_DEVICE constexpr FastDivmodU64Pow2(std::uint64_t d)
      : divisor(d),
        shift_right(static_cast<unsigned>(cute::countr_zero(d))) {}
  CUTLASS_HOST_DEVICE constexpr std::uint64_t divide(std::uint64_t dividend) const { return dividend >> shift_right; }
  CUTLASS_HOST_DEVICE constexpr std::uint64_t modulus(std::uint64_t dividend) const { return dividend & (divisor - 1); }
  CUTLASS_HOST_DEVICE constexpr std::uint64_t divmod(std::uint64_t& remainder, std::uint64_t dividend) const {
    remainder = modulus(dividend);
    return divide(dividend);
  }
  CUTLASS_HOST_DEVICE constexpr void operator()(std::uint64_t& quotient, std::uint64_t& remainder,
                                                std::uint64_t dividend) const {
    quotient = divmod(remainder, dividend);
  }
};

}  // namespace cutlass
