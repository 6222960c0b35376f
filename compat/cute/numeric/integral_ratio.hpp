// Quotients of constants: R<N,D> is N/D; what arithmetic gives is in lowest terms, and a C<N> where D divides N.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/math.hpp"
#include "cute/util/print.hpp"

namespace cute {

template <auto N, auto D>
struct R {
  static_assert(D != 0, "R<N,D>: the denominator is 0; give a number that divides");
  static constexpr long long divisor = tilewright::math::gcd(N, D) * (D < 0 ? -1 : 1);
  static constexpr long long num = N / divisor;
  static constexpr long long den = D / divisor;
  using type = R<static_cast<int>(num), static_cast<int>(den)>;
};

template <class T>
struct is_ratio : false_type {};
template <auto N, auto D>
struct is_ratio<R<N, D>> : true_type {};
template <class T>
struct is_ratio<T const> : is_ratio<T> {};

namespace detail {
/// A number of either kind as a quotient.
template <class T>
struct as_ratio;
template <auto v>
struct as_ratio<C<v>> {
  static constexpr long long num = v, den = 1, written_num = v, written_den = 1;
};
template <auto N, auto D>
struct as_ratio<R<N, D>> : R<N, D> {
  static constexpr long long written_num = N, written_den = D;
};

template <class T>
concept ratio_operand = is_ratio<T>::value || tilewright::is_constant_v<T>;
template <class A, class B>
concept ratio_operands = ratio_operand<A> && ratio_operand<B> &&(is_ratio<A>::value || is_ratio<B>::value);

template <long long N, long long D>
CUTE_HOST_DEVICE constexpr auto lowest() {
  using reduced = R<N, D>;
  if constexpr (reduced::den == 1) return C<static_cast<int>(reduced::num)>{};
  else return R<static_cast<int>(reduced::num), static_cast<int>(reduced::den)>{};
}
}  // namespace detail

/// a/b in lowest terms, a C<n> where it is one: ratio(12, 8) = 3/2, ratio(12, 4) = 3.
template <auto N, auto D>
CUTE_HOST_DEVICE constexpr typename R<N, D>::type ratio(R<N, D> const&) {
  return {};
}
template <class A, class B>
requires(detail::ratio_operand<A>&& detail::ratio_operand<B>) CUTE_HOST_DEVICE
    constexpr auto ratio(A const&, B const&) {
  using a = detail::as_ratio<A>;
  using b = detail::as_ratio<B>;
  return detail::lowest<a::num * b::den, a::den * b::num>();
}
/// a/b not reduced, an R always: nratio(12, 8) = 12/8.
template <class A, class B>
requires(detail::ratio_operand<A>&& detail::ratio_operand<B>) CUTE_HOST_DEVICE
    constexpr auto nratio(A const&, B const&) {
  using a = detail::as_ratio<A>;
  using b = detail::as_ratio<B>;
  return R<static_cast<int>(a::written_num * b::written_den), static_cast<int>(a::written_den * b::written_num)>{};
}

template <class A, class B>
requires(detail::ratio_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator+(A const&, B const&) {
  using a = detail::as_ratio<A>;
  using b = detail::as_ratio<B>;
  return detail::lowest<a::num * b::den + b::num * a::den, a::den * b::den>();
}
template <class A, class B>
requires(detail::ratio_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator-(A const&, B const&) {
  using a = detail::as_ratio<A>;
  using b = detail::as_ratio<B>;
  return detail::lowest<a::num * b::den - b::num * a::den, a::den * b::den>();
}
template <class A, class B>
requires(detail::ratio_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator*(A const&, B const&) {
  using a = detail::as_ratio<A>;
  using b = detail::as_ratio<B>;
  return detail::lowest<a::num * b::num, a::den * b::den>();
}
template <class A, class B>
requires(detail::ratio_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator/(A const& a, B const& b) {
  return ratio(a, b);
}
/// A run-time integer times a ratio.  pre: the denominator divides the product
template <auto N, auto D, tilewright::DynamicInteger T>
CUTE_HOST_DEVICE constexpr T operator*(R<N, D> const&, T n) {
  return static_cast<T>(n * R<N, D>::num / R<N, D>::den);
}
template <auto N, auto D, tilewright::DynamicInteger T>
CUTE_HOST_DEVICE constexpr T operator*(T n, R<N, D> const& r) {
  return r * n;
}

template <class A, class B>
requires(detail::ratio_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator==(A const&, B const&) {
  using a = detail::as_ratio<A>;
  using b = detail::as_ratio<B>;
  return bool_constant<(a::num * b::den == b::num * a::den)>{};
}
template <class A, class B>
requires(detail::ratio_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator<(A const&, B const&) {
  using a = detail::as_ratio<A>;
  using b = detail::as_ratio<B>;
  return bool_constant<(a::num * b::den < b::num * a::den)>{};
}
template <class A, class B>
requires(detail::ratio_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator>(A const& a, B const& b) {
  return b < a;
}
template <class A, class B>
requires(detail::ratio_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator<=(A const& a, B const& b) {
  return !(b < a);
}
template <class A, class B>
requires(detail::ratio_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator>=(A const& a, B const& b) {
  return !(a < b);
}

/// pre: the numerator divides n times the denominator
template <auto N, auto D, tilewright::DynamicInteger T>
CUTE_HOST_DEVICE constexpr T operator/(T n, R<N, D> const&) {
  return static_cast<T>(n * R<N, D>::den / R<N, D>::num);
}

template <auto N, auto D>
CUTE_HOST_DEVICE constexpr auto abs(R<N, D> const&) {
  return detail::lowest<(R<N, D>::num < 0 ? -R<N, D>::num : R<N, D>::num), R<N, D>::den>();
}
/// floor(log2(N/D)).  pre: a power of two
template <auto N, auto D>
CUTE_HOST_DEVICE constexpr auto log_2(R<N, D> const&) {
  return log_2(C<static_cast<int>(R<N, D>::num)>{}) - log_2(C<static_cast<int>(R<N, D>::den)>{});
}

template <auto N, auto D>
CUTE_HOST_DEVICE void print(R<N, D> const&) {
  print(C<N>{});
  print("/");
  print(C<D>{});
}

/// The quotient of two traits' values, not reduced: trait_ratio(sizeof_bits<A>{}, sizeof_bits<B>{}) = 16/32.
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto trait_ratio(A const&, B const&) {
  return R<static_cast<int>(A::value), static_cast<int>(B::value)>{};
}

}  // namespace cute
