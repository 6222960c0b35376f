// Compile-time integers: C<N>, written Int<4> or _4, values as types. Arithmetic between constants gives constants;
// with a run-time integer it folds where the answer does not depend on it (0 * n, n % 1, …).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/int_checks.hpp"
#include "tilewright/base/math.hpp"
#include "tilewright/base/traits.hpp"

namespace tilewright {

template <auto v>
struct C {
  using type = C;
  using value_type = decltype(v);
  static constexpr auto value = v;
  TILEWRIGHT_HOST_DEVICE constexpr operator value_type() const { return v; }
  TILEWRIGHT_HOST_DEVICE constexpr value_type operator()() const { return v; }
};

template <int N>
using Int = C<N>;
using true_type = C<true>;
using false_type = C<false>;

/// The constant in its usual form: int where it fits, long long otherwise.
template <long long v>
using normal_constant = std::conditional_t<(v >= int32_min && v <= int32_max), C<static_cast<int>(v)>, C<v>>;

/// A number for which there is no name such as _8 (unnamed_constants.hpp).
template <int N>
struct unnamed;

namespace detail {
template <auto v>
inline constexpr bool is_no_entry<C<v>> = false;  // at once, without the questions of the general case
}  // namespace detail

template <class T>
inline constexpr bool is_constant_v = false;
template <auto v>
inline constexpr bool is_constant_v<C<v>> = true;
template <auto v>
inline constexpr bool is_constant_v<C<v> const> = true;

/// A run-time integer type.
template <class T>
concept DynamicInteger = std::is_integral_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>;

using _m1 = Int<-1>;
using _0 = Int<0>;
using _1 = Int<1>;
using _2 = Int<2>;
using _3 = Int<3>;
using _4 = Int<4>;
using _5 = Int<5>;
using _6 = Int<6>;
using _7 = Int<7>;
using _8 = Int<8>;
using _9 = Int<9>;
using _10 = Int<10>;
using _11 = Int<11>;
using _12 = Int<12>;
using _13 = Int<13>;
using _14 = Int<14>;
using _15 = Int<15>;
using _16 = Int<16>;
using _20 = Int<20>;
using _24 = Int<24>;
using _28 = Int<28>;
using _32 = Int<32>;
using _36 = Int<36>;
using _40 = Int<40>;
using _48 = Int<48>;
using _56 = Int<56>;
using _64 = Int<64>;
using _72 = Int<72>;
using _80 = Int<80>;
using _88 = Int<88>;
using _96 = Int<96>;
using _104 = Int<104>;
using _112 = Int<112>;
using _120 = Int<120>;
using _128 = Int<128>;
using _136 = Int<136>;
using _144 = Int<144>;
using _152 = Int<152>;
using _160 = Int<160>;
using _168 = Int<168>;
using _176 = Int<176>;
using _184 = Int<184>;
using _192 = Int<192>;
using _200 = Int<200>;
using _208 = Int<208>;
using _216 = Int<216>;
using _224 = Int<224>;
using _232 = Int<232>;
using _240 = Int<240>;
using _248 = Int<248>;
using _256 = Int<256>;
using _320 = Int<320>;
using _384 = Int<384>;
using _448 = Int<448>;
using _512 = Int<512>;
using _576 = Int<576>;
using _640 = Int<640>;
using _704 = Int<704>;
using _768 = Int<768>;
using _832 = Int<832>;
using _896 = Int<896>;
using _960 = Int<960>;
using _1024 = Int<1024>;
using _2048 = Int<2048>;
using _4096 = Int<4096>;
using _8192 = Int<8192>;
using _16384 = Int<16384>;
using _32768 = Int<32768>;
using _65536 = Int<65536>;

namespace literals {

/// 16_c is Int<16>{}.
template <char... digits>
TILEWRIGHT_CONSTEXPR auto operator""_c() {
  constexpr long long value = [] {
    long long r = 0;
    char const text[] = {digits...};
    for (char const d : text)
      if (d != '\'') r = r * 10 + (d - '0');
    return r;
  }();
  return normal_constant<value>{};
}

}  // namespace literals

// clang-format off
// --- constant with constant ------------------------------------------------------------------------------------------
template <auto a> TILEWRIGHT_FN constexpr C<+a> operator+(C<a>) { return {}; }
template <auto a> TILEWRIGHT_FN constexpr C<-a> operator-(C<a>) { return {}; }
template <auto a> TILEWRIGHT_FN constexpr C<~a> operator~(C<a>) { return {}; }
template <auto a> TILEWRIGHT_FN constexpr C<!a> operator!(C<a>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a + b)> operator+(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a - b)> operator-(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a * b)> operator*(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a / b)> operator/(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a % b)> operator%(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a & b)> operator&(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a | b)> operator|(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a ^ b)> operator^(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a << b)> operator<<(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a >> b)> operator>>(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a && b)> operator&&(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a || b)> operator||(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a == b)> operator==(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a != b)> operator!=(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a < b)> operator<(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a <= b)> operator<=(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a > b)> operator>(C<a>, C<b>) { return {}; }
template <auto a, auto b> TILEWRIGHT_FN constexpr C<(a >= b)> operator>=(C<a>, C<b>) { return {}; }

// clang-format on

// --- constant with run-time integer, where the answer is known -------------------------------------------------------
template <auto a, DynamicInteger T>
TILEWRIGHT_FN constexpr auto operator*(C<a>, T b) {
  if constexpr (a == 0) return C<0>{};
  else return a * b;
}
template <DynamicInteger T, auto b>
TILEWRIGHT_FN constexpr auto operator*(T a, C<b>) {
  if constexpr (b == 0) return C<0>{};
  else return a * b;
}
/// pre: b != 0
template <auto a, DynamicInteger T>
TILEWRIGHT_FN constexpr auto operator/(C<a>, T b) {
  if constexpr (a == 0) return C<0>{};
  else return a / b;
}
/// pre: b != 0
template <auto a, DynamicInteger T>
TILEWRIGHT_FN constexpr auto operator%(C<a>, T b) {
  if constexpr (a == 0) return C<0>{};
  else return a % b;
}
template <DynamicInteger T, auto b>
TILEWRIGHT_FN constexpr auto operator%(T a, C<b>) {
  if constexpr (!detail::divisor_is_not_zero<b>::value) return detail::divisor_is_not_zero<b>::sentence();
  else if constexpr (b == 1 || b == -1) return C<0>{};
  else return a % b;
}

/// As for the built-in operators, without the order of evaluation: 1 || n is the constant true.
template <auto a, class T>
requires std::is_integral_v<T> TILEWRIGHT_FN constexpr auto operator||(C<a>, T b) {
  if constexpr (static_cast<bool>(a)) return C<true>{};
  else return static_cast<bool>(b);
}
template <class T, auto b>
requires std::is_integral_v<T> TILEWRIGHT_FN constexpr auto operator||(T a, C<b> const& c) { return c || a; }
template <auto a, class T>
requires std::is_integral_v<T> TILEWRIGHT_FN constexpr auto operator&&(C<a>, T b) {
  if constexpr (static_cast<bool>(a)) return static_cast<bool>(b);
  else return C<false>{};
}
template <class T, auto b>
requires std::is_integral_v<T> TILEWRIGHT_FN constexpr auto operator&&(T a, C<b> const& c) { return c && a; }

// --- functions of constants and run-time integers --------------------------------------------------------------------
template <class T>
concept IntegerLike = is_constant_v<T> || DynamicInteger<T>;

template <IntegerLike A, IntegerLike B>
TILEWRIGHT_FN constexpr auto min(A const& a, B const& b) {
  if constexpr (is_constant_v<A> && is_constant_v<B>) return C<(A::value < B::value ? A::value : B::value)>{};
  else return a < b ? a : static_cast<std::common_type_t<decltype(+a), decltype(+b)>>(b);
}
template <IntegerLike A, IntegerLike B>
TILEWRIGHT_FN constexpr auto max(A const& a, B const& b) {
  if constexpr (is_constant_v<A> && is_constant_v<B>) return C<(A::value < B::value ? B::value : A::value)>{};
  else return a < b ? static_cast<std::common_type_t<decltype(+a), decltype(+b)>>(b) : a;
}
template <IntegerLike A, IntegerLike B>
TILEWRIGHT_FN constexpr auto gcd(A const& a, B const& b) {
  if constexpr (is_constant_v<A> && is_constant_v<B>) return normal_constant<math::gcd(A::value, B::value)>{};
  else return math::gcd(a, b);
}
template <IntegerLike A, IntegerLike B>
TILEWRIGHT_FN constexpr auto lcm(A const& a, B const& b) {
  if constexpr (is_constant_v<A> && is_constant_v<B>) return normal_constant<math::lcm(A::value, B::value)>{};
  else return math::lcm(a, b);
}
template <IntegerLike A>
TILEWRIGHT_FN constexpr auto abs(A const& a) {
  if constexpr (is_constant_v<A>) return C<(A::value < 0 ? -A::value : A::value)>{};
  else return a < 0 ? -a : a;
}

}  // namespace tilewright
