// Basis elements as strides: ScaledBasis<C<2>, 1> is 2·E<1>, a step of two along mode 1. A layout with such strides maps
// coordinates to coordinates; its offsets are ArithmeticTuples. Identity layouts, predication and TMA coordinates are
// made of them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/ints/multiple.hpp"
#include "tilewright/ints/tuple.hpp"

namespace tilewright {

/// `T` times E<I0, I1, …>: moves mode I1 of mode I0.
template <class T, int... I>
struct ScaledBasis : detail::tuple_slot<0, T> {
  using value_type = T;
  static constexpr int depth = static_cast<int>(sizeof...(I));
  constexpr ScaledBasis() = default;
  TILEWRIGHT_HOST_DEVICE constexpr explicit ScaledBasis(T const& v) : detail::tuple_slot<0, T>(v) {}
  TILEWRIGHT_FN constexpr T value() const { return detail::get_slot<0>(*this); }
  /// The outermost mode that the element names: 1 of E<1,2>.
  TILEWRIGHT_FN static constexpr auto mode() requires(sizeof...(I) > 0) { return C<outermost>{}; }

 private:
  static constexpr int indices[sizeof...(I) + 1] = {I..., 0};
  static constexpr int outermost = indices[0];
};

template <int... I>
using E = ScaledBasis<C<1>, I...>;

template <class T>
inline constexpr bool is_scaled_basis_v = false;
template <class T, int... I>
inline constexpr bool is_scaled_basis_v<ScaledBasis<T, I...>> = true;

template <IntegerLike S, class T, int... I>
TILEWRIGHT_FN constexpr auto operator*(S const& s, ScaledBasis<T, I...> const& b) {
  return ScaledBasis<decltype(s * b.value()), I...>(s * b.value());
}
template <class T, int... I, IntegerLike S>
TILEWRIGHT_FN constexpr auto operator*(ScaledBasis<T, I...> const& b, S const& s) {
  return s * b;
}
template <class T, class U, int... I, int... J>
TILEWRIGHT_FN constexpr auto operator==(ScaledBasis<T, I...> const& a, ScaledBasis<U, J...> const& b) {
  if constexpr (std::is_same_v<seq<I...>, seq<J...>>) return a.value() == b.value();
  else return C<false>{};
}
/// A step along an axis is no number.
template <auto v, class T, int... I>
TILEWRIGHT_FN constexpr C<false> operator==(C<v>, ScaledBasis<T, I...> const&) {
  return {};
}
template <class T, class U, int... I, int... J>
TILEWRIGHT_FN constexpr auto operator!=(ScaledBasis<T, I...> const& a, ScaledBasis<U, J...> const& b) {
  return !(a == b);
}

/// A coordinate that adds like an offset: (2,3) + (1,0) is (3,3); missing modes are 0.
template <class... T>
struct ArithmeticTuple : tuple<T...> {
  using tuple<T...>::tuple;
  constexpr ArithmeticTuple() = default;
  TILEWRIGHT_HOST_DEVICE constexpr ArithmeticTuple(tuple<T...> const& t) : tuple<T...>(t) {}
};
template <class... T>
ArithmeticTuple(tuple<T...> const&) -> ArithmeticTuple<T...>;
template <class... T>
requires(sizeof...(T) > 1) ArithmeticTuple(T const&...)
->ArithmeticTuple<T...>;
template <class... T>
inline constexpr bool is_tuple_v<ArithmeticTuple<T...>> = true;
template <class... T>
inline constexpr int tuple_size_v<ArithmeticTuple<T...>> = static_cast<int>(sizeof...(T));

template <class... T>
TILEWRIGHT_FN constexpr ArithmeticTuple<T...> make_arithmetic_tuple(T const&... t) {
  return {t...};
}

template <class T>
inline constexpr bool is_arithmetic_tuple_v = false;
template <class... T>
inline constexpr bool is_arithmetic_tuple_v<ArithmeticTuple<T...>> = true;

namespace detail {

template <class A, class B>
TILEWRIGHT_FN constexpr auto add_coordinates(A const& a, B const& b);

template <int N, class A, class B>
TILEWRIGHT_FN constexpr auto add_entry(A const& a, B const& b) {
  if constexpr (N >= tuple_size_v<A>) return get<N>(b);
  else if constexpr (N >= tuple_size_v<B>) return get<N>(a);
  else return add_coordinates(get<N>(a), get<N>(b));
}
template <class A, class B, int... N>
TILEWRIGHT_FN constexpr auto add_entries(A const& a, B const& b, seq<N...>) {
  return make_arithmetic_tuple(add_entry<N>(a, b)...);
}
template <class A, class B>
TILEWRIGHT_FN constexpr auto add_coordinates(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) {
    return add_entries(a, b, make_seq<(tuple_size_v<A> > tuple_size_v<B> ? tuple_size_v<A> : tuple_size_v<B>)>{});
  } else if constexpr (is_tuple_v<A>) {
    using check = number_is_no_step<std::is_same_v<B, C<0>> || is_invalid_v<B>>;
    if constexpr (!check::value) return check::sentence();
    else return a;
  } else if constexpr (is_tuple_v<B>) {
    using check = number_is_no_step<std::is_same_v<A, C<0>> || is_invalid_v<A>>;
    if constexpr (!check::value) return check::sentence();
    else return b;
  } else if constexpr (std::is_same_v<A, C<0>>) {
    return b;
  } else if constexpr (std::is_same_v<B, C<0>>) {
    return a;
  } else {
    return a + b;
  }
}

}  // namespace detail

template <class... T, class U>
TILEWRIGHT_FN constexpr auto operator+(ArithmeticTuple<T...> const& a,
                                       U const& b) requires(is_tuple_v<U> || is_constant_v<U>) {
  return detail::add_coordinates(a, b);
}

namespace detail {
template <class A>
TILEWRIGHT_FN constexpr auto negated_coordinate(A const& a);
template <class A, int... N>
TILEWRIGHT_FN constexpr auto negated_entries(A const& a, seq<N...>) {
  return make_arithmetic_tuple(negated_coordinate(get<N>(a))...);
}
template <class A>
TILEWRIGHT_FN constexpr auto negated_coordinate(A const& a) {
  if constexpr (is_tuple_v<A>) return negated_entries(a, make_seq<tuple_size_v<A>>{});
  else return -a;
}
}  // namespace detail
template <class... T>
TILEWRIGHT_FN constexpr auto operator-(ArithmeticTuple<T...> const& a) {
  return detail::negated_coordinate(a);
}
/// (2,3) - (1,0) is (1,3).
template <class... T, class U>
requires(is_tuple_v<U>) TILEWRIGHT_FN constexpr auto operator-(ArithmeticTuple<T...> const& a, U const& b) {
  return detail::add_coordinates(a, detail::negated_coordinate(b));
}

namespace detail {
template <class A, class B>
inline constexpr bool steps_along_a_basis = (is_scaled_basis_v<A> &&
                                             (is_scaled_basis_v<B> || is_arithmetic_tuple_v<B>)) ||
                                            (is_arithmetic_tuple_v<A> && is_scaled_basis_v<B>);
template <int, class T>
TILEWRIGHT_FN constexpr auto coordinate_of(ScaledBasis<T> const& b) {
  return b.value();
}
template <int, class T, int First, int... I>
TILEWRIGHT_FN constexpr auto coordinate_of(ScaledBasis<T, First, I...> const& b);
template <int N, int First, class X>
TILEWRIGHT_FN constexpr auto entry_of_coordinate(X const& x) {
  if constexpr (N == First) return x;
  else return C<0>{};
}
template <int First, class X, int... N>
TILEWRIGHT_FN constexpr auto coordinate_with(X const& x, seq<N...>) {
  return make_arithmetic_tuple(entry_of_coordinate<N, First>(x)...);
}
template <int, class T, int First, int... I>
TILEWRIGHT_FN constexpr auto coordinate_of(ScaledBasis<T, First, I...> const& b) {
  return coordinate_with<First>(coordinate_of<0>(ScaledBasis<T, I...>(b.value())), make_seq<First + 1>{});
}
}  // namespace detail

/// The coordinate that a step leads to: E<1>{} * 2 -> (0,2), E<1,0>{} * 3 -> (0,(3)).
template <class T, int... I>
TILEWRIGHT_FN constexpr auto as_arithmetic_tuple(ScaledBasis<T, I...> const& b) {
  return detail::coordinate_of<0>(b);
}
namespace detail {
template <class T>
TILEWRIGHT_FN constexpr auto step_as_coordinate(T const& t) {
  if constexpr (is_scaled_basis_v<T>) return as_arithmetic_tuple(t);
  else return t;
}
}  // namespace detail

/// No step changes nothing.
template <class T, int... I>
TILEWRIGHT_FN constexpr auto operator+(ScaledBasis<T, I...> const& a, C<0> const&) {
  return a;
}
template <class T, int... I>
TILEWRIGHT_FN constexpr auto operator+(C<0> const&, ScaledBasis<T, I...> const& b) {
  return b;
}
/// E<0>{} * 3 + E<1>{} * 2 is (3,2).
template <class A, class B>
requires(detail::steps_along_a_basis<A, B>) TILEWRIGHT_FN constexpr auto operator+(A const& a, B const& b) {
  return detail::add_coordinates(detail::step_as_coordinate(a), detail::step_as_coordinate(b));
}

}  // namespace tilewright
