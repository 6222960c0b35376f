// Index sequences under CuTe's names; those over a tuple's entries are in container/tuple.hpp.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/integral_constant.hpp"

namespace cute {

/// A sequence of numbers; get<I> of one is a constant. It derives from the standard one, so that functions which take
/// std::integer_sequence take it too.
template <class T, T... N>
struct integer_sequence : std::integer_sequence<T, N...> {};
template <int... N>
using int_sequence = integer_sequence<int, N...>;
template <std::size_t... N>
using index_sequence = integer_sequence<std::size_t, N...>;
template <int... N>
using seq = int_sequence<N...>;

namespace detail {
/// `map::template of<i>` for i = 0, 1, …
template <class T, class S, T Begin, T Step>
struct mapped;
template <class T, T... N, T Begin, T Step>
struct mapped<T, std::integer_sequence<T, N...>, Begin, Step> {
  using type = cute::integer_sequence<T, static_cast<T>(Begin + Step * N)...>;
};
template <class T, std::size_t N>
using numbers = std::make_integer_sequence<T, static_cast<T>(N)>;
}  // namespace detail

template <class T, T N>
using make_integer_sequence = typename detail::mapped<T, std::make_integer_sequence<T, N>, T(0), T(1)>::type;
/// N - 1, …, 1, 0.
template <class T, T N>
using make_integer_sequence_reverse =
    typename detail::mapped<T, std::make_integer_sequence<T, N>, static_cast<T>(N - 1), static_cast<T>(-1)>::type;
/// Begin, Begin + 1, …, End - 1.
template <class T, T Begin, T End>
using make_integer_range = typename detail::mapped<T, std::make_integer_sequence<T, End - Begin>, Begin, T(1)>::type;

template <int N>
using make_int_sequence = make_integer_sequence<int, N>;
template <int N>
using make_int_rsequence = make_integer_sequence_reverse<int, N>;
template <int Begin, int End>
using make_int_range = make_integer_range<int, Begin, End>;
template <int N>
using make_seq = make_int_sequence<N>;
template <int N>
using make_rseq = make_int_rsequence<N>;
template <int Begin, int End>
using make_range = make_int_range<Begin, End>;
template <std::size_t N>
using make_index_sequence = make_integer_sequence<std::size_t, N>;
template <std::size_t N>
using make_index_rsequence = make_integer_sequence_reverse<std::size_t, N>;
template <std::size_t Begin, std::size_t End>
using make_index_range = make_integer_range<std::size_t, Begin, End>;

}  // namespace cute
