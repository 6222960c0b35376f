// Coordinates that add, and the basis elements E<i> that strides of identity tensors are made of.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/tuple_algorithms.hpp"
#include "cute/numeric/math.hpp"
#include "tilewright/ints/basis.hpp"
#include "tilewright/tensor/pointer.hpp"

namespace cute {

using tilewright::ArithmeticTuple;
using tilewright::ArithmeticTupleIterator;
using tilewright::E;
using tilewright::make_arithmetic_tuple;
using tilewright::ScaledBasis;

template <class... T>
using ArithTuple = ArithmeticTuple<T...>;

template <class T>
struct is_scaled_basis : bool_constant<tilewright::is_scaled_basis_v<std::remove_cvref_t<T>>> {};
template <class T>
struct is_arithmetic_tuple : bool_constant<tilewright::is_arithmetic_tuple_v<std::remove_cvref_t<T>>> {};

template <class... T>
CUTE_HOST_DEVICE constexpr auto as_arithmetic_tuple(ArithmeticTuple<T...> const& t) {
  return t;
}
template <class... T>
CUTE_HOST_DEVICE constexpr auto as_arithmetic_tuple(tuple<T...> const& t) {
  return ArithmeticTuple<T...>(t);
}

template <tilewright::IntegerLike T>
CUTE_HOST_DEVICE constexpr T as_arithmetic_tuple(T const& t) {
  return t;
}

using tilewright::as_arithmetic_tuple;

/// An iterator whose element is the coordinate of its position.
template <class... T>
CUTE_HOST_DEVICE constexpr auto make_inttuple_iter(T const&... t) {
  return ArithmeticTupleIterator<ArithmeticTuple<T...>>{ArithmeticTuple<T...>{t...}};
}
template <class... T>
CUTE_HOST_DEVICE constexpr auto make_inttuple_iter(tuple<T...> const& t) {
  return ArithmeticTupleIterator<ArithmeticTuple<T...>>{ArithmeticTuple<T...>(t)};
}

namespace detail {
/// v along the same mode.
template <class T, int... I, class V>
CUTE_HOST_DEVICE constexpr auto with_value(ScaledBasis<T, I...> const&, V const& v) {
  return ScaledBasis<V, I...>(v);
}
}  // namespace detail

/// The number a basis element scales; a number is its own.
template <class T, int... I>
CUTE_HOST_DEVICE constexpr auto basis_value(ScaledBasis<T, I...> const& b) {
  return b.value();
}
template <class T>
CUTE_HOST_DEVICE constexpr auto basis_value(T const& t) {
  return t;
}
/// Of a basis element: of the number, along the same mode.
template <class T, int... I, tilewright::IntegerLike D>
CUTE_HOST_DEVICE constexpr auto ceil_div(ScaledBasis<T, I...> const& b, D const& d) {
  return detail::with_value(b, tilewright::ceil_div(b.value(), d));
}
template <class T, int... I>
CUTE_HOST_DEVICE constexpr auto abs(ScaledBasis<T, I...> const& b) {
  return detail::with_value(b, tilewright::abs(b.value()));
}
/// The entry of t that a basis element points to.
template <class T, int... I, class Tuple>
CUTE_HOST_DEVICE constexpr auto basis_get(ScaledBasis<T, I...> const&, Tuple const& t) {
  if constexpr (sizeof...(I) == 0) return t;
  else return get<I...>(t);
}
namespace detail {
template <int... Path, class S, int... I>
CUTE_HOST_DEVICE constexpr auto basis_like(S const& shape, seq<I...>);
template <int... Path, class S>
CUTE_HOST_DEVICE constexpr auto basis_at(S const& shape) {
  if constexpr (is_tuple_v<S>) return basis_like<Path...>(shape, tuple_seq<S>{});
  else return E<Path...>{};
}
template <int... Path, class S, int... I>
CUTE_HOST_DEVICE constexpr auto basis_like(S const& shape, seq<I...>) {
  return make_tuple(basis_at<Path..., I>(get<I>(shape))...);
}
}  // namespace detail
/// (E<0>, E<1>, …) nested like a shape.
template <class S>
CUTE_HOST_DEVICE constexpr auto make_basis_like(S const& shape) {
  return detail::basis_at<>(shape);
}

}  // namespace cute
