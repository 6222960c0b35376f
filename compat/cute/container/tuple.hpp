// Tuples under CuTe's names: what they are made of, how many entries they have, sequences over their entries.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/integer_sequence.hpp"
#include "cute/util/print.hpp"
#include "tilewright/ints/tuple.hpp"

namespace cute {

using tilewright::get;
using tilewright::make_tuple;
using tilewright::tuple;
using tilewright::tuple_cat;

template <class T, std::size_t N>
struct array;
namespace detail {
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<array<T, N>> = true;
/// An array, or a tuple that holds one at any depth.
template <class T>
inline constexpr bool holds_array = is_array<T>;
template <class... T>
inline constexpr bool holds_array<tuple<T...>> = (false || ... || holds_array<T>);
}  // namespace detail

/// Arrays count as tuples.
template <class T>
struct is_tuple
    : bool_constant<tilewright::is_tuple_v<std::remove_cvref_t<T>> || detail::is_array<std::remove_cvref_t<T>>> {};
template <class T>
inline constexpr bool is_tuple_v = is_tuple<T>::value;

namespace detail {
template <class T>
inline constexpr int entries_of = [] {
  if constexpr (tilewright::is_tuple_v<T>) return tilewright::tuple_size_v<T>;
  else if constexpr (requires { std::tuple_size<T>::value; }) return static_cast<int>(std::tuple_size<T>::value);
  else return 1;
}();
template <class I, I... N>
inline constexpr int entries_of<std::integer_sequence<I, N...>> = static_cast<int>(sizeof...(N));
template <class I, I... N>
inline constexpr int entries_of<cute::integer_sequence<I, N...>> = static_cast<int>(sizeof...(N));
}  // namespace detail

/// A sequence counts as a tuple of constants.
template <int J, class I, I First, I... N>
CUTE_HOST_DEVICE constexpr auto get(std::integer_sequence<I, First, N...> const&) {
  static_assert(J >= 0 && J <= static_cast<int>(sizeof...(N)), "get: the sequence has no such entry");
  constexpr I values[] = {First, N...};
  return C<values[J]>{};
}

template <class I, I... N>
CUTE_HOST_DEVICE void print(cute::integer_sequence<I, N...> const&) {
  print(tilewright::make_tuple(C<N>{}...));
}

template <class T>
struct tuple_size : C<detail::entries_of<std::remove_cvref_t<T>>> {};
template <class T>
inline constexpr int tuple_size_v = tuple_size<T>::value;
template <auto N, class T>
struct tuple_element {
  using type = std::remove_cvref_t<decltype(get<static_cast<int>(N)>(std::declval<T const&>()))>;
};
template <auto N, class T>
using tuple_element_t = typename tuple_element<N, T>::type;

template <class T>
using tuple_seq = make_seq<tuple_size_v<T>>;

template <class T>
using tuple_rseq = make_rseq<tuple_size_v<T>>;
/// The sequence of a tuple of constants.
namespace detail {
template <class T>
struct sequence_of;
template <auto... v>
struct sequence_of<tuple<C<v>...>> {
  using type = seq<v...>;
};
}  // namespace detail
template <class T>
using to_seq = detail::sequence_of<std::remove_cvref_t<T>>;
template <class T>
using to_seq_t = typename to_seq<T>::type;

/// CuTe's own name of what a tuple stores.
namespace eso {
template <class... T>
using ESO_t = tuple<T...>;
}

}  // namespace cute
