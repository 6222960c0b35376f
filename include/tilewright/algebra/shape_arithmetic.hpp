// Arithmetic on shapes and coordinates, entry by entry: ceil_div, round_up, elem_less.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algebra/rearrange.hpp"

namespace tilewright {

/// ceil(a / b) of integers; of tuples entry by entry, entries of `a` beyond b's kept; of a shape by an integer, the
/// integer used up from the left.
template <IntTuple A, IntTuple B>
TILEWRIGHT_FN constexpr auto ceil_div(A const& a, B const& b);

namespace op {

struct ceil_div {
  static constexpr auto kind = gives_tuple;
  static TILEWRIGHT_CONSTEXPR void into(arithmetic& c, int_tree& out, int_tree const& a, subtree u, int_tree const& b,
                                        subtree w) {
    if (!b.is_tuple(w)) {
      leaf divisor = algebra::size(c, b, w);
      for (int i = u.node, at = u.leaf; i < u.node_end; ++i) {
        if (a.profile[i] >= 0) {
          out.open(a.profile[i]);
          continue;
        }
        leaf const extent = a.shape[at++];
        out.add_leaf(c.ceil_div(extent, divisor));
        if (at < u.leaf_end) divisor = c.ceil_div(divisor, extent);
      }
      return;
    }
    int const rank = a.rank(u), given = b.rank(w);
    if (!a.is_tuple(u) || given > rank) {
      c.fail(errc::rank_mismatch, rank, given);
      return;
    }
    out.open(rank);
    for (int i = 0; i < rank; ++i) {
      if (i < given) into(c, out, a, a.mode(u, i), b, b.mode(w, i));
      else out.add(a, a.mode(u, i));
    }
  }
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    int_tree out{};
    into(c, out, a, a.root(), b, b.root());
    return checked(c, out);
  }
};

}  // namespace op

template <IntTuple A, IntTuple B>
TILEWRIGHT_FN constexpr auto ceil_div(A const& a, B const& b) {
  return lift::call<op::ceil_div, A, B>::on(a, b);
}
/// The next multiple of b at or above a.
template <IntegerLike A, IntegerLike B>
TILEWRIGHT_FN constexpr auto round_up(A const& a, B const& b) {
  return ceil_div(a, b) * b;
}

/// Is every entry of `a` below that of `b`? A constant where constants decide it.  pre: same profile
template <class A, class B>
TILEWRIGHT_FN constexpr auto elem_less(A const& a, B const& b);
namespace detail {
template <int CoordinateModes, int ShapeModes>
struct shape_has_the_coordinates_modes {
  static constexpr bool value = CoordinateModes <= ShapeModes;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "elem_less: the coordinate has more modes than the shape; compare with one extent for each mode "
                  "(docs/errors.md#compared_modes)");
    return invalid_layout{};
  }
};
/// What constants among answers that must all hold decide: false where one is false, true where all are true.
template <class... Answers>
struct all_of_answers {
  static constexpr bool one_is_false = (false || ... || std::is_same_v<Answers, C<false>>);
  static constexpr bool all_are_true = (true && ... && std::is_same_v<Answers, C<true>>);
};
template <class A, class B, int... N>
TILEWRIGHT_FN constexpr auto elem_less_entries(A const& a, B const& b, seq<N...>) {
  using answers = all_of_answers<std::remove_cvref_t<decltype(elem_less(get<N>(a), get<N>(b)))>...>;
  if constexpr (answers::one_is_false || answers::all_are_true) return C<answers::all_are_true>{};
  else return (true && ... && static_cast<bool>(elem_less(get<N>(a), get<N>(b))));
}
}  // namespace detail
template <class A, class B>
TILEWRIGHT_FN constexpr auto elem_less(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) {
    using check = detail::shape_has_the_coordinates_modes<tuple_size_v<A>, tuple_size_v<B>>;
    if constexpr (!check::value) return check::sentence();
    else return detail::elem_less_entries(a, b, make_seq<tuple_size_v<A>>{});
  } else if constexpr (is_tuple_v<B>) {
    return elem_less(a, size(b));
  } else {
    return a < b;
  }
}

}  // namespace tilewright
