// 32 bits of which some are known at compile time and the others at run time. Bit operations keep what is known, so that
// the known part of a swizzled offset folds.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/stride.hpp"
#include "cute/util/print.hpp"

namespace cute {

/// Bits at 1 in DynamicBits are those of the run-time number, the others those of StaticBits.
/// pre: StaticBits & DynamicBits == 0
template <std::uint32_t StaticBits, std::uint32_t DynamicBits>
struct MixedBits {
  static_assert((StaticBits & DynamicBits) == 0,
                "MixedBits: a bit is known or it is not; clear it in one of the masks");
  std::uint32_t dynamic_int_ = 0;
  CUTE_HOST_DEVICE constexpr operator std::uint32_t() const { return StaticBits | (dynamic_int_ & DynamicBits); }
};

/// Static bits, and those of the run-time number: M_0|(32&48)=32.
template <std::uint32_t S, std::uint32_t D>
CUTE_HOST_DEVICE void print(MixedBits<S, D> const& m) {
  printf("M_%u|(%u&%u)=%u", S, m.dynamic_int_, D, static_cast<std::uint32_t>(m));
}

template <class T>
struct is_mixed_bits : false_type {};
template <std::uint32_t S, std::uint32_t D>
struct is_mixed_bits<MixedBits<S, D>> : true_type {};

namespace detail {

/// What is known of a number: a constant in full, MixedBits in part.
template <class T>
struct known_bits;
template <auto v>
struct known_bits<C<v>> {
  static constexpr std::uint32_t ones = static_cast<std::uint32_t>(v), unknown = 0;
};
template <std::uint32_t S, std::uint32_t D>
struct known_bits<MixedBits<S, D>> {
  static constexpr std::uint32_t ones = S, unknown = D;
};
template <class A, class B>
concept mixed_operands = (is_mixed_bits<A>::value && (is_mixed_bits<B>::value || tilewright::is_constant_v<B>)) ||
                         (is_mixed_bits<B>::value && tilewright::is_constant_v<A>);

template <class T>
CUTE_HOST_DEVICE constexpr std::uint32_t all_bits(T const& t) {
  return static_cast<std::uint32_t>(t);
}

/// A constant where nothing is left to run time.
template <std::uint32_t Ones, std::uint32_t Unknown>
CUTE_HOST_DEVICE constexpr auto mixed(std::uint32_t number) {
  if constexpr (Unknown == 0) return C<Ones>{};
  else return MixedBits<(Ones & ~Unknown), Unknown>{number & Unknown};
}

}  // namespace detail

/// StaticBits | (number & DynamicBits)
template <auto S, class Number, auto D>
CUTE_HOST_DEVICE constexpr auto make_mixed_bits(C<S> const&, Number const& number, C<D> const&) {
  constexpr auto ones = static_cast<std::uint32_t>(S), unknown = static_cast<std::uint32_t>(D);
  if constexpr (tilewright::is_constant_v<Number>)
    return C<(ones | (static_cast<std::uint32_t>(Number::value) & unknown))>{};
  else return detail::mixed<ones, unknown>(static_cast<std::uint32_t>(number));
}

// A bit of the result is known where both are, or where one of them decides it.
template <class A, class B>
requires(detail::mixed_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator&(A const& a, B const& b) {
  using x = detail::known_bits<A>;
  using y = detail::known_bits<B>;
  constexpr std::uint32_t unknown = (x::unknown & y::unknown) | (x::unknown & y::ones) | (x::ones & y::unknown);
  return detail::mixed<(x::ones & y::ones), unknown>(detail::all_bits(a) & detail::all_bits(b));
}
template <class A, class B>
requires(detail::mixed_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator|(A const& a, B const& b) {
  using x = detail::known_bits<A>;
  using y = detail::known_bits<B>;
  constexpr std::uint32_t ones = x::ones | y::ones;
  return detail::mixed<ones, ((x::unknown | y::unknown) & ~ones)>(detail::all_bits(a) | detail::all_bits(b));
}
template <class A, class B>
requires(detail::mixed_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator^(A const& a, B const& b) {
  using x = detail::known_bits<A>;
  using y = detail::known_bits<B>;
  constexpr std::uint32_t unknown = x::unknown | y::unknown;
  return detail::mixed<((x::ones ^ y::ones) & ~unknown), unknown>(detail::all_bits(a) ^ detail::all_bits(b));
}
// Nothing is known of a sum with a run-time number: it has the type of the sum of a uint32_t and that number.
template <std::uint32_t S, std::uint32_t D, std::integral T>
CUTE_HOST_DEVICE constexpr auto operator+(MixedBits<S, D> const& a, T const& b) {
  using sum = std::common_type_t<std::uint32_t, T>;
  return static_cast<sum>(detail::all_bits(a)) + static_cast<sum>(b);
}
template <std::uint32_t S, std::uint32_t D, std::integral T>
CUTE_HOST_DEVICE constexpr auto operator+(T const& a, MixedBits<S, D> const& b) {
  return b + a;
}
template <std::uint32_t S, std::uint32_t D, auto n>
CUTE_HOST_DEVICE constexpr auto operator<<(MixedBits<S, D> const& a, C<n> const&) {
  return detail::mixed<(S << n), (D << n)>(detail::all_bits(a) << n);
}
template <std::uint32_t S, std::uint32_t D, auto n>
CUTE_HOST_DEVICE constexpr auto operator>>(MixedBits<S, D> const& a, C<n> const&) {
  return detail::mixed<(S >> n), (D >> n)>(detail::all_bits(a) >> n);
}
/// Times and by a power of two: the bits move. Offsets of a recast layout are scaled so.
template <std::uint32_t S, std::uint32_t D, auto n>
requires(tilewright::math::has_single_bit(n)) CUTE_HOST_DEVICE constexpr auto operator*(MixedBits<S, D> const& a,
                                                                                        C<n> const&) {
  return a << C<tilewright::math::countr_zero(static_cast<std::uint32_t>(n))>{};
}
template <std::uint32_t S, std::uint32_t D, auto n>
requires(tilewright::math::has_single_bit(n)) CUTE_HOST_DEVICE constexpr auto operator/(MixedBits<S, D> const& a,
                                                                                        C<n> const&) {
  return a >> C<tilewright::math::countr_zero(static_cast<std::uint32_t>(n))>{};
}
template <class A, class B>
requires(detail::mixed_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator==(A const& a, B const& b) {
  using x = detail::known_bits<A>;
  using y = detail::known_bits<B>;
  if constexpr (((x::ones ^ y::ones) & ~(x::unknown | y::unknown)) != 0) return false_type{};
  else return detail::all_bits(a) == detail::all_bits(b);
}
template <class A, class B>
requires(detail::mixed_operands<A, B>) CUTE_HOST_DEVICE constexpr auto operator!=(A const& a, B const& b) {
  return !(a == b);
}

/// The offset of a coordinate, with the bits known that strides and extents keep at 0.
/// pre: static extents and strides of powers of two where a coordinate is a run-time number; the modes' bits are disjoint
template <class S, class D, class X>
CUTE_HOST_DEVICE constexpr auto to_mixed_bits(S const& shape, D const& stride, X const& coord) {
  if constexpr (is_tuple_v<S>) {
    return transform_apply(
        shape, stride, coord, [](auto const& s, auto const& d, auto const& x) { return to_mixed_bits(s, d, x); },
        [](auto const&... part) { return (C<0u>{} ^ ... ^ part); });
  } else if constexpr (tilewright::is_constant_v<X>) {
    return C<static_cast<std::uint32_t>(X::value * D::value)>{};
  } else {
    static_assert(
        tilewright::math::has_single_bit(S::value) && (D::value == 0 || tilewright::math::has_single_bit(D::value)),
        "to_mixed_bits: extents and strides are powers of two, so that each mode has bits of its own");
    constexpr auto unknown = static_cast<std::uint32_t>((S::value - 1) * D::value);
    return detail::mixed<0u, unknown>(static_cast<std::uint32_t>(coord) * static_cast<std::uint32_t>(D::value));
  }
}
template <class S, class D, class X>
CUTE_HOST_DEVICE constexpr auto to_mixed_bits(tilewright::Layout<S, D> const& layout, X const& coord) {
  return to_mixed_bits(layout.shape(), layout.stride(), idx2crd(coord, layout.shape()));
}

}  // namespace cute
