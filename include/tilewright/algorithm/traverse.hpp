// Walking tensors together: every element, or mode 0 at every coordinate of the other modes. The loops follow the modes,
// last outermost, so that offsets advance by strides instead of being divided out of an index.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/tensor/partition.hpp"

namespace tilewright::detail {

template <class A, class... More>
inline constexpr bool all_congruent =
    (true && ... &&
     op::congruent<decltype(std::declval<A const&>().shape()), decltype(std::declval<More const&>().shape())>);

/// A size as a number to count with.
template <class N>
TILEWRIGHT_FN constexpr auto plain_number(N const& n) {
  if constexpr (is_constant_v<N>) return N::value;
  else if constexpr (is_multiple_v<N>) return n.number;
  else return n;
}

/// Are there more elements than a thread has registers for? A loop over them is not unrolled as a whole: 16384 copies of its
/// body take minutes to compile, and gain nothing.
template <class N>
inline constexpr bool is_long_loop = false;
template <auto n>
inline constexpr bool is_long_loop<C<n>> = (n > 1024);

/// f(i) for i = 0 … n - 1, as every algorithm does it. Elements is the number of elements that this loop and those within it go
/// over, by its type: where it is a long loop, the body is repeated `Copies` times and not n times. Index: the type of i; void: n's own.
template <int Copies, class Elements, class Index = void, class N, class F>
TILEWRIGHT_FN constexpr void for_each_number(N const& n, F const& f) {
  using number = std::conditional_t<std::is_void_v<Index>, std::remove_cvref_t<decltype(plain_number(n))>, Index>;
  auto const count = static_cast<number>(plain_number(n));
  if constexpr (is_long_loop<Elements>) {
    TILEWRIGHT_UNROLL_BY(Copies)
    for (number i = 0; i < count; ++i) f(i);
  } else {
    TILEWRIGHT_UNROLL
    for (number i = 0; i < count; ++i) f(i);
  }
}
/// The elements of a tensor, by their number's type.
template <class T>
using element_count = std::remove_cvref_t<decltype(size(std::declval<T const&>()))>;
/// The times that mode 0 of a tensor is gone over, which one instruction may copy.
template <class T>
TILEWRIGHT_FN constexpr auto atoms_of(T const& t) {
  using values = std::remove_cvref_t<decltype(size<0>(t))>;
  if constexpr (std::is_same_v<values, C<0>>) return C<0>{};
  else return ceil_div(size(t), size<0>(t));
}
template <class T>
using atom_count = std::remove_cvref_t<decltype(atoms_of(std::declval<T const&>()))>;
/// The type that `for_each_number` counts a mode's extent in.
template <class N>
using loop_index = std::remove_cvref_t<decltype(plain_number(std::declval<N const&>()))>;

/// All modes but the last, at index i of the last.
template <class T, class I>
TILEWRIGHT_FN constexpr auto at_last(T&& t, I const& i) {
  constexpr int kept = rank_v<std::remove_cvref_t<T>> - 1;
  auto const coord = tuple_cat(wrap(repeat<kept>(_)), tuple<I>{i});
  auto const part = slice_and_offset(coord, t.layout());
  return make_tensor(t.data() + part.offset, part.layout);
}

/// A tensor of one nested mode as the tensor of that mode's modes.
template <class T>
TILEWRIGHT_FN constexpr auto opened(T&& t) {
  return make_tensor(t.data(), layout<0>(t.layout()));
}

/// f(a(i), b(i), …) for every index i of a.
template <class F, class A, class... More>
TILEWRIGHT_FN constexpr void for_each_index(F const& f, A&& a, More&&... more) {
  auto const n = size(a);
  for_each_number<4, element_count<A>>(n, [&](loop_index<decltype(n)> i) { f(a(i), more(i)...); });
}

/// f(a(c), b(c), …) for every coordinate c; tensors that are not congruent go by index.
template <class F, class A, class... More>
TILEWRIGHT_FN constexpr void for_each_element(F const& f, A&& a, More&&... more) {
  using First = std::remove_cvref_t<A>;
  if constexpr (!all_congruent<First, std::remove_cvref_t<More>...>) {
    for_each_index(f, a, more...);
  } else if constexpr (rank_v<First> > 1) {
    auto const n = size<rank_v<First> - 1>(a);
    for_each_number<1, element_count<A>>(
        n, [&](loop_index<decltype(n)> i) { for_each_element(f, at_last(a, i), at_last(more, i)...); });
  } else if constexpr (is_tuple_v<std::remove_cvref_t<decltype(a.shape())>>) {
    for_each_element(f, opened(a), opened(more)...);
  } else {
    for_each_index(f, a, more...);
  }
}

/// f(mode 0 of a, of b, …) at every coordinate of the other modes.
/// pre: equal ranks, and equal sizes of the modes after the first
template <class F, class A, class... More>
TILEWRIGHT_FN constexpr void for_each_rest(F const& f, A&& a, More&&... more) {
  constexpr int rank = rank_v<std::remove_cvref_t<A>>;
  if constexpr (rank == 1) {
    f(a, more...);
  } else {
    auto const n = size<rank - 1>(a);
    for_each_number<1, atom_count<A>>(
        n, [&](loop_index<decltype(n)> i) { for_each_rest(f, at_last(a, i), at_last(more, i)...); });
  }
}

}  // namespace tilewright::detail
