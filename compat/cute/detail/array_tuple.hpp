// cute::array as a tuple of integers: a shape, a stride, a coordinate. What the library's functions compute is computed of a tuple with
// the array's values: make_layout(array<int, 2>{{4, 8}}) = (4,8):(_1,4).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/array.hpp"
#include "cute/stride.hpp"
#include "tilewright/algebra/operations.hpp"
#include "tilewright/tensor/tensor.hpp"

namespace cute {

namespace detail {

template <class... T>
concept some_array = (false || ... || holds_array<T>);

/// Arrays as tuples, at any depth; anything else as it is.
template <class T>
CUTE_HOST_DEVICE constexpr auto as_tuples(T const& t) {
  if constexpr (holds_array<T>) return cute::transform(t, [](auto const& entry) { return as_tuples(entry); });
  else return t;
}

}  // namespace detail

// --- entries ---------------------------------------------------------------------------------------------------------
template <class... T>
requires(detail::some_array<T...>) CUTE_HOST_DEVICE constexpr auto make_shape(T const&... t) {
  return tilewright::make_shape(detail::as_tuples(t)...);
}
template <class... T>
requires(detail::some_array<T...>) CUTE_HOST_DEVICE constexpr auto make_stride(T const&... t) {
  return tilewright::make_stride(detail::as_tuples(t)...);
}
template <class... T>
requires(detail::some_array<T...>) CUTE_HOST_DEVICE constexpr auto make_coord(T const&... t) {
  return tilewright::make_coord(detail::as_tuples(t)...);
}
template <class... T>
requires(detail::some_array<T...>) CUTE_HOST_DEVICE constexpr auto tuple_cat(T const&... t) {
  return tilewright::tuple_cat(detail::as_tuples(t)...);
}
template <detail::some_array T>
CUTE_HOST_DEVICE constexpr auto wrap(T const& t) {
  return detail::as_tuples(t);
}
template <detail::some_array T>
CUTE_HOST_DEVICE constexpr auto unwrap(T const& t) {
  return unwrap(detail::as_tuples(t));
}
template <class T>
requires(detail::is_array<T>) CUTE_HOST_DEVICE constexpr auto flatten(T const& t) { return detail::as_tuples(t); }
template <tilewright::IntTuple T>
requires(detail::some_array<T>) CUTE_HOST_DEVICE constexpr auto flatten(T const& t) {
  return flatten(detail::as_tuples(t));
}
template <class T, class X>
requires(detail::some_array<T, X>) CUTE_HOST_DEVICE constexpr auto append(T const& t, X const& x) {
  return append(detail::as_tuples(t), detail::as_tuples(x));
}
template <int N, class T, class X>
requires(detail::some_array<T, X>) CUTE_HOST_DEVICE constexpr auto append(T const& t, X const& x) {
  return append<N>(detail::as_tuples(t), detail::as_tuples(x));
}
template <class T, class X>
requires(detail::some_array<T, X>) CUTE_HOST_DEVICE constexpr auto prepend(T const& t, X const& x) {
  return prepend(detail::as_tuples(t), detail::as_tuples(x));
}
template <int N, class T, class X>
requires(detail::some_array<T, X>) CUTE_HOST_DEVICE constexpr auto prepend(T const& t, X const& x) {
  return prepend<N>(detail::as_tuples(t), detail::as_tuples(x));
}
template <int Begin, int End, detail::some_array T>
CUTE_HOST_DEVICE constexpr auto take(T const& t) {
  return take<Begin, End>(detail::as_tuples(t));
}
template <int Begin, int End, detail::some_array T>
CUTE_HOST_DEVICE constexpr auto group(T const& t) {
  return group<Begin, End>(detail::as_tuples(t));
}
template <int... I, detail::some_array T>
CUTE_HOST_DEVICE constexpr auto select(T const& t) {
  return select<I...>(detail::as_tuples(t));
}
template <int N, class T, class X>
requires(detail::some_array<T, X>) CUTE_HOST_DEVICE constexpr auto replace(T const& t, X const& x) {
  return replace<N>(detail::as_tuples(t), detail::as_tuples(x));
}
template <int N, class T, class X>
requires(detail::some_array<T>) CUTE_HOST_DEVICE constexpr auto insert(T const& t, X const& x) {
  return cute::insert<N>(detail::as_tuples(t), x);
}
template <int N, class T>
requires(detail::some_array<T>) CUTE_HOST_DEVICE constexpr auto remove(T const& t) {
  return cute::remove<N>(detail::as_tuples(t));
}

// --- measures --------------------------------------------------------------------------------------------------------
template <int... I, detail::some_array T>
CUTE_HOST_DEVICE constexpr auto size(T const& t) {
  return size<I...>(detail::as_tuples(t));
}
template <int... I, detail::some_array T>
CUTE_HOST_DEVICE constexpr auto rank(T const& t) {
  return rank<I...>(detail::as_tuples(t));
}
template <int... I, detail::some_array T>
CUTE_HOST_DEVICE constexpr auto depth(T const& t) {
  return depth<I...>(detail::as_tuples(t));
}
template <detail::some_array T>
CUTE_HOST_DEVICE constexpr auto product(T const& t) {
  return product(detail::as_tuples(t));
}
template <detail::some_array T>
CUTE_HOST_DEVICE constexpr auto product_each(T const& t) {
  return product_each(detail::as_tuples(t));
}
template <class A, class B>
requires(detail::some_array<A, B>) CUTE_HOST_DEVICE constexpr auto ceil_div(A const& a, B const& b) {
  return ceil_div(detail::as_tuples(a), detail::as_tuples(b));
}
template <class A, class B>
requires(detail::some_array<A, B>) CUTE_HOST_DEVICE constexpr auto elem_less(A const& a, B const& b) {
  return elem_less(detail::as_tuples(a), detail::as_tuples(b));
}
template <class A, class B>
requires(detail::some_array<A, B>) CUTE_HOST_DEVICE constexpr auto congruent(A const& a, B const& b) {
  return congruent(detail::as_tuples(a), detail::as_tuples(b));
}
template <class A, class B>
requires(detail::some_array<A, B>) CUTE_HOST_DEVICE constexpr auto compatible(A const& a, B const& b) {
  return compatible(detail::as_tuples(a), detail::as_tuples(b));
}

// --- strides, coordinates, layouts -----------------------------------------------------------------------------------
template <class S>
requires(detail::some_array<S>) CUTE_HOST_DEVICE constexpr auto compact_col_major(S const& shape) {
  return compact_col_major(detail::as_tuples(shape));
}
template <class S>
requires(detail::some_array<S>) CUTE_HOST_DEVICE constexpr auto compact_row_major(S const& shape) {
  return compact_row_major(detail::as_tuples(shape));
}
template <class C_, class S>
requires(detail::some_array<C_, S>) CUTE_HOST_DEVICE constexpr auto crd2idx(C_ const& coord, S const& shape) {
  return crd2idx(detail::as_tuples(coord), detail::as_tuples(shape));
}
template <class C_, class S, class D>
requires(detail::some_array<C_, S, D>) CUTE_HOST_DEVICE
    constexpr auto crd2idx(C_ const& coord, S const& shape, D const& stride) {
  return crd2idx(detail::as_tuples(coord), detail::as_tuples(shape), detail::as_tuples(stride));
}
template <class I, class S>
requires(detail::some_array<I, S>) CUTE_HOST_DEVICE constexpr auto idx2crd(I const& index, S const& shape) {
  return idx2crd(detail::as_tuples(index), detail::as_tuples(shape));
}
template <class S>
requires(detail::some_array<S>) CUTE_HOST_DEVICE constexpr auto make_layout(S const& shape) {
  return make_layout(detail::as_tuples(shape));
}
template <class S, class D>
requires(detail::some_array<S, D>) CUTE_HOST_DEVICE constexpr auto make_layout(S const& shape, D const& stride) {
  return make_layout(detail::as_tuples(shape), detail::as_tuples(stride));
}
template <class S>
requires(detail::some_array<S>) CUTE_HOST_DEVICE constexpr auto make_identity_layout(S const& shape) {
  return make_identity_layout(detail::as_tuples(shape));
}
template <class S>
requires(detail::some_array<S>) CUTE_HOST_DEVICE constexpr auto make_identity_tensor(S const& shape) {
  return make_identity_tensor(detail::as_tuples(shape));
}
template <class It, class S>
requires(detail::some_array<S>) CUTE_HOST_DEVICE constexpr auto make_tensor(It const& data, S const& shape) {
  return make_tensor(data, detail::as_tuples(shape));
}
template <class It, class S, class D>
requires(detail::some_array<S, D>) CUTE_HOST_DEVICE
    constexpr auto make_tensor(It const& data, S const& shape, D const& stride) {
  return make_tensor(data, detail::as_tuples(shape), detail::as_tuples(stride));
}

}  // namespace cute
