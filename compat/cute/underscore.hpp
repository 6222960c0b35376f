// `_`, which keeps a mode in a coordinate, and X, which leaves one out of a projection; slicing and dicing of tuples.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/tuple_algorithms.hpp"

namespace cute {

using tilewright::_;
using tilewright::dice;
using tilewright::slice;
using tilewright::Underscore;
using tilewright::X;

/// Of the type itself, as in CuTe: decltype(_) is const, so the answer is false.
template <class T>
using is_underscore = bool_constant<std::is_same_v<T, Underscore>>;
template <class T>
struct has_underscore : bool_constant<tilewright::has_underscore_v<std::remove_cvref_t<T>> &&
                                      (is_tuple_v<T> || is_underscore<T>::value)> {};

/// The entries of b at which a is `_`, one after the other, also those inside of tuples: (_,(0,_)) takes (1,3) of (1,(2,3)).
template <class A, class B>
requires(!tilewright::AnyLayout<B> && !tilewright::TensorType<B>) CUTE_HOST_DEVICE
    constexpr auto slice(A const& a, B const& b) {
  if constexpr (is_tuple_v<A>) {
    return filter_tuple(a, b, [](auto const& x, auto const& y) {
      if constexpr (is_tuple_v<decltype(x)>) return cute::slice(x, y);
      else if constexpr (is_underscore<std::remove_cvref_t<decltype(x)>>::value) return make_tuple(y);
      else return tuple<>{};
    });
  } else if constexpr (is_underscore<A>::value) {
    return b;
  } else {
    return tuple<>{};
  }
}
/// The entries of b at which a is no `_`.
template <class A, class B>
requires(!tilewright::AnyLayout<B> && !tilewright::TensorType<B>) CUTE_HOST_DEVICE
    constexpr auto dice(A const& a, B const& b) {
  if constexpr (is_tuple_v<A>) {
    return filter_tuple(a, b, [](auto const& x, auto const& y) {
      if constexpr (is_tuple_v<decltype(x)>) return cute::dice(x, y);
      else if constexpr (is_underscore<std::remove_cvref_t<decltype(x)>>::value) return tuple<>{};
      else return make_tuple(y);
    });
  } else if constexpr (is_underscore<A>::value) {
    return tuple<>{};
  } else {
    return b;
  }
}

namespace detail {
template <class T, class E>
inline constexpr bool contains = std::is_same_v<T, E>;
template <class... T, class E>
inline constexpr bool contains<tuple<T...>, E> = (false || ... || contains<T, E>);
template <class T, class E>
inline constexpr bool consists_of = std::is_same_v<T, E>;
template <class... T, class E>
inline constexpr bool consists_of<tuple<T...>, E> = (true && ... && consists_of<T, E>);
}  // namespace detail
/// Is E a leaf of T; is every leaf of T an E?
template <class T, class E>
struct has_elem : bool_constant<detail::contains<std::remove_cvref_t<T>, E>> {};
template <class T, class E>
struct all_elem : bool_constant<detail::consists_of<std::remove_cvref_t<T>, E>> {};
template <class T>
using all_underscore = all_elem<T, Underscore>;
template <class T>
using has_int0 = has_elem<T, C<0>>;
template <class T>
using has_int1 = has_elem<T, C<1>>;

}  // namespace cute
