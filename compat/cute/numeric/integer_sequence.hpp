// Index sequences under CuTe's names; those over a tuple's entries are in container/tuple.hpp.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/integral_constant.hpp"

namespace cute {

using std::index_sequence;
using std::integer_sequence;
using std::make_index_sequence;
using std::make_integer_sequence;

template <int... N>
using int_sequence = std::integer_sequence<int, N...>;
template <int N>
using make_int_sequence = std::make_integer_sequence<int, N>;
template <int... N>
using seq = int_sequence<N...>;
template <int N>
using make_seq = make_int_sequence<N>;

namespace detail {

template <class T, class S, T Begin>
struct shifted;
template <class T, T... N, T Begin>
struct shifted<T, std::integer_sequence<T, N...>, Begin> {
  using type = std::integer_sequence<T, (Begin + N)...>;
};

}  // namespace detail

/// Begin, Begin + 1, …, End - 1.
template <class T, T Begin, T End>
using make_integer_range = typename detail::shifted<T, std::make_integer_sequence<T, End - Begin>, Begin>::type;
template <int Begin, int End>
using make_int_range = make_integer_range<int, Begin, End>;
template <int Begin, int End>
using make_range = make_int_range<Begin, End>;

}  // namespace cute
