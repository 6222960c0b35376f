// Integer tuples: shapes, strides, coordinates. Measures, comparisons and arithmetic over their leaves.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/functional.hpp"
#include "cute/algorithm/tuple_algorithms.hpp"
#include "cute/container/array.hpp"
#include "cute/numeric/arithmetic_tuple.hpp"
#include "cute/numeric/math.hpp"

namespace cute {

using tilewright::compatible;
using tilewright::congruent;
using tilewright::depth;
using tilewright::elem_less;
using tilewright::product;
using tilewright::product_each;
using tilewright::rank;
using tilewright::shape;
using tilewright::size;
using tilewright::weakly_compatible;

template <class T>
using IsIntTuple = bool_constant<tilewright::IntTuple<std::remove_cvref_t<T>>>;

template <class T>
inline constexpr int rank_v = tilewright::rank_v<std::remove_cvref_t<T>>;
template <class T>
inline constexpr int depth_v = decltype(depth(std::declval<T const&>()))::value;
template <class T>
inline constexpr auto size_v = decltype(size(std::declval<T const&>()))::value;
template <class T>
using rank_t = decltype(rank(std::declval<T const&>()));
template <class T>
using depth_t = decltype(depth(std::declval<T const&>()));

// --- over all leaves -------------------------------------------------------------------------------------------------
namespace detail {
template <class T, class V, class F>
CUTE_HOST_DEVICE constexpr auto fold_leaves(T const& t, V const& v, F&& f) {
  return cute::fold(flatten_to_tuple(t), v, f);
}
}  // namespace detail

template <class T>
requires(is_tuple_v<T>) CUTE_HOST_DEVICE constexpr auto max(T const& t) {
  return fold_first(flatten_to_tuple(t), max_fn{});
}
template <class T>
requires(is_tuple_v<T>) CUTE_HOST_DEVICE constexpr auto min(T const& t) {
  return fold_first(flatten_to_tuple(t), min_fn{});
}
/// As CuTe's, a tuple: that of one number has one entry.
template <tilewright::IntTuple T>
requires(!is_tuple_v<T>) CUTE_HOST_DEVICE constexpr auto product_each(T const& t) { return make_tuple(t); }
/// A tuple's leaf is its own largest and smallest entry.
template <class T>
requires(!is_tuple_v<T>) CUTE_HOST_DEVICE constexpr auto max(T const& t) { return t; }
template <class T>
requires(!is_tuple_v<T>) CUTE_HOST_DEVICE constexpr auto min(T const& t) { return t; }
template <class A, class B, class C_, class... More>
CUTE_HOST_DEVICE constexpr auto max(A const& a, B const& b, C_ const& c, More const&... more) {
  return max(make_tuple(a, b, c, more...));
}
template <class A, class B, class C_, class... More>
CUTE_HOST_DEVICE constexpr auto min(A const& a, B const& b, C_ const& c, More const&... more) {
  return min(make_tuple(a, b, c, more...));
}
template <class T>
requires(is_tuple_v<T>) CUTE_HOST_DEVICE constexpr auto gcd(T const& t) {
  return fold_first(flatten_to_tuple(t), [](auto const& a, auto const& b) { return gcd(a, b); });
}
template <class T>
requires(!is_tuple_v<T>) CUTE_HOST_DEVICE constexpr T gcd(T const& t) { return t; }
/// An integer divided by the entries of a tuple one after another: ceil_div(64, (2,3)) = 11.
template <tilewright::IntTuple A, tilewright::IntTuple B>
requires(!is_tuple_v<A> && is_tuple_v<B>) CUTE_HOST_DEVICE constexpr auto ceil_div(A const& a, B const& b) {
  return cute::fold(flatten_to_tuple(b), a, [](auto const& n, auto const& d) { return tilewright::ceil_div(n, d); });
}
template <class T>
CUTE_HOST_DEVICE constexpr auto sum(T const& t) {
  return detail::fold_leaves(t, C<0>{}, plus{});
}
/// a0*b0 + a1*b1 + … over the leaves.
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto inner_product(A const& a, B const& b) {
  if constexpr (is_tuple_v<A>) {
    return transform_apply(
        a, b, [](auto const& x, auto const& y) { return cute::inner_product(x, y); },
        [](auto const&... v) { return (C<0>{} + ... + v); });
  } else {
    return a * b;
  }
}
/// The product of each mode of t that the guide counts as one leaf.
template <class T, class Guide>
CUTE_HOST_DEVICE constexpr auto product_like(T const& t, Guide const& guide) {
  if constexpr (is_tuple_v<Guide>) {
    return cute::transform(t, guide, [](auto const& a, auto const& g) { return cute::product_like(a, g); });
  } else {
    return product(t);
  }
}

// --- dividing --------------------------------------------------------------------------------------------------------
/// a / b, rounded up where run-time numbers do not divide one another. A tuple by an integer uses the integer up from the left:
/// (4,(3,5)) by 6 is (1,(2,5)), since 6 by 4 leaves 2, and 2 by 3 leaves 1.
/// pre: constants divide one another
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto shape_div(A const& a, B const& b) {
  if constexpr (is_tuple_v<A> && is_tuple_v<B>) {
    static_assert(tuple_size_v<A> >= tuple_size_v<B>, "shape_div: the divisor has more modes than the shape");
    return cute::transform(a, append<tuple_size_v<A>>(b, C<1>{}),
                           [](auto const& x, auto const& y) { return cute::shape_div(x, y); });
  } else if constexpr (is_tuple_v<A>) {
    auto const step = [](auto const& state, auto const& extent) {
      return make_tuple(append(get<0>(state), cute::shape_div(extent, get<1>(state))),
                        cute::shape_div(get<1>(state), product(extent)));
    };
    return get<0>(cute::fold(a, make_tuple(tuple<>{}, b), step));
  } else if constexpr (is_tuple_v<B>) {
    return cute::shape_div(a, product(b));
  } else if constexpr (tilewright::is_scaled_basis_v<A>) {
    return detail::with_value(a, cute::shape_div(a.value(), b));
  } else {
    if constexpr (tilewright::is_constant_v<A> && tilewright::is_constant_v<B>) {
      static_assert(A::value % B::value == 0 || B::value % A::value == 0,
                    "shape_div: neither number divides the other; choose extents that divide");
    }
    return detail::folded(detail::shape_quotient{}, a, b);
  }
}
/// Each mode to the next multiple; modes that b lacks stay.
template <class A, class B>
requires(is_tuple_v<A>&& is_tuple_v<B>) CUTE_HOST_DEVICE constexpr auto round_up(A const& a, B const& b) {
  static_assert(tuple_size_v<A> >= tuple_size_v<B>, "round_up: the multiple has more modes than the shape");
  return cute::transform(a, append<tuple_size_v<A>>(b, C<1>{}),
                         [](auto const& x, auto const& y) { return round_up(x, y); });
}
/// pre: b divides a
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto safe_div(A const& a, B const& b) {
  if constexpr (is_tuple_v<A>) {
    return cute::shape_div(a, b);
  } else if constexpr (tilewright::is_scaled_basis_v<A>) {
    return detail::with_value(a, cute::safe_div(a.value(), b));
  } else {
    if constexpr (tilewright::is_constant_v<A> && tilewright::is_constant_v<B>)
      static_assert(A::value % B::value == 0, "safe_div: the divisor does not divide; choose a divisor");
    return a / b;
  }
}
/// Each mode of a times the size of b's mode, nested like a.
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto elem_scale(A const& a, B const& b) {
  if constexpr (is_tuple_v<A>) {
    return cute::transform(a, b, [](auto const& x, auto const& y) { return cute::elem_scale(x, y); });
  } else {
    return a * product(b);
  }
}
/// Does B divide A without rest? Of tuples mode by mode; a number against a tuple is its size.
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto evenly_divides(A const& a, B const& b) {
  if constexpr (tilewright::is_layout_v<B>) {  // a tile and what it leaves out are as many as there are
    return size(a) == tilewright::size(b) * tilewright::size(tilewright::complement(b, size(a)));
  } else if constexpr (is_tuple_v<B>) {
    if constexpr (!is_tuple_v<A>) {
      if constexpr (tuple_size_v<B> == 1) return cute::evenly_divides(a, get<0>(b));
      else return false_type{};
    } else if constexpr (tuple_size_v<B> > tuple_size_v<A>) {
      return false_type{};
    } else {
      return all_of(zip(tilewright::take_entries<0, tuple_size_v<B>>(a), b),
                    [](auto const& x) { return cute::evenly_divides(get<0>(x), get<1>(x)); });
    }
  } else {
    return size(a) % size(b) == C<0>{};
  }
}

// --- comparing -------------------------------------------------------------------------------------------------------
namespace detail {
/// Whether no tuple of A has more entries than that of B.
template <class A, class B>
inline constexpr bool has_no_more_entries = true;
template <class A, class B, class N>
inline constexpr bool entries_have_no_more = true;
template <class A, class B, int... N>
inline constexpr bool entries_have_no_more<A, B, tilewright::seq<N...>> =
    (true && ... && has_no_more_entries<tilewright::tuple_element_t<N, A>, tilewright::tuple_element_t<N, B>>);
template <class... A, class... B>
inline constexpr bool has_no_more_entries<tilewright::tuple<A...>, tilewright::tuple<B...>> =
    sizeof...(A) <= sizeof...(B) &&
    entries_have_no_more<tilewright::tuple<A...>, tilewright::tuple<B...>,
                         tilewright::make_seq<static_cast<int>(sizeof...(A) <= sizeof...(B) ? sizeof...(A) : 0)>>;
}  // namespace detail
/// A tuple with more entries than the other is not less.
template <class A, class B>
requires(!detail::has_no_more_entries<A, B>) CUTE_HOST_DEVICE constexpr auto elem_less(A const&, B const&) {
  return false_type{};
}

/// The other three as CuTe has them, by elem_less: (2,2) <= (1,2), as not both entries of (1,2) are below those of (2,2). A tuple with
/// fewer entries is less.
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto elem_gtr(A const& a, B const& b) {
  return elem_less(b, a);
}
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto elem_leq(A const& a, B const& b) {
  return !cute::elem_gtr(a, b);
}
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto elem_geq(A const& a, B const& b) {
  return !elem_less(a, b);
}

namespace detail {
/// From one end on the first entries that differ decide; a tuple that ends first is less. Constants where constants decide.
template <bool FromTheRight, int I, class A, class B>
CUTE_HOST_DEVICE constexpr auto less_from(A const& a, B const& b) {
  if constexpr (!is_tuple_v<A>) {
    return a < b;
  } else if constexpr (I == tuple_size_v<B>) {
    return false_type{};
  } else if constexpr (I == tuple_size_v<A>) {
    return true_type{};
  } else {
    constexpr int at_a = FromTheRight ? tuple_size_v<A> - 1 - I : I, at_b = FromTheRight ? tuple_size_v<B> - 1 - I : I;
    auto const less = less_from<FromTheRight, 0>(get<at_a>(a), get<at_b>(b));
    auto const greater = less_from<FromTheRight, 0>(get<at_b>(b), get<at_a>(a));
    using less_type = std::remove_const_t<decltype(less)>;
    using greater_type = std::remove_const_t<decltype(greater)>;
    if constexpr (std::is_same_v<less_type, true_type>) return true_type{};
    else if constexpr (std::is_same_v<greater_type, true_type>) return false_type{};
    else if constexpr (std::is_same_v<less_type, false_type> && std::is_same_v<greater_type, false_type>)
      return less_from<FromTheRight, I + 1>(a, b);
    else
      return static_cast<bool>(less) ||
             (!static_cast<bool>(greater) && static_cast<bool>(less_from<FromTheRight, I + 1>(a, b)));
  }
}
}  // namespace detail
/// Lexicographic, the first mode decides first.
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto lex_less(A const& a, B const& b) {
  return detail::less_from<false, 0>(a, b);
}
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto lex_leq(A const& a, B const& b) {
  return !lex_less(b, a);
}
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto lex_gtr(A const& a, B const& b) {
  return lex_less(b, a);
}
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto lex_geq(A const& a, B const& b) {
  return !lex_less(a, b);
}
/// Colexicographic, the last mode decides first: the order of indices.
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto colex_less(A const& a, B const& b) {
  return detail::less_from<true, 0>(a, b);
}
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto colex_leq(A const& a, B const& b) {
  return !colex_less(b, a);
}
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto colex_gtr(A const& a, B const& b) {
  return colex_less(b, a);
}
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto colex_geq(A const& a, B const& b) {
  return !colex_less(a, b);
}

/// Is every mode of A in B's profile? Leaves of A may be tuples in B.
namespace detail {
template <class A, class B>
inline constexpr bool profile_coarser = [] {
  if constexpr (!is_tuple_v<A>) return true;
  else if constexpr (!is_tuple_v<B>) return false;
  else return false;
}();
template <class... A, class... B>
requires(sizeof...(A) ==
         sizeof...(B)) inline constexpr bool profile_coarser<tuple<A...>, tuple<B...>> = (true && ... &&
                                                                                          profile_coarser<A, B>);
/// The shape of a layout or a tensor, anything else as it is.
template <class T>
CUTE_HOST_DEVICE constexpr auto shape_or_self(T const& t) {
  if constexpr (requires { t.shape(); }) return t.shape();
  else return t;
}
template <class T>
using shape_or_self_t = decltype(shape_or_self(std::declval<T const&>()));
}  // namespace detail
/// Of layouts and tensors: of their shapes.
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto weakly_congruent(A const&, B const&) {
  return bool_constant<detail::profile_coarser<detail::shape_or_self_t<A>, detail::shape_or_self_t<B>>>{};
}

/// An array of run-time integers as a tuple of N, filled up with `init`.
namespace detail {
template <class T, class Init, int... I>
CUTE_HOST_DEVICE constexpr auto ints_from(T const* p, int n, Init const& init, seq<I...>) {
  return make_tuple((I < n ? static_cast<T>(p[I]) : static_cast<T>(init))...);
}
}  // namespace detail
template <int N, class T, class Init>
CUTE_HOST_DEVICE constexpr auto make_int_tuple(T const* values, int n, Init const& init) {
  return detail::ints_from(values, n, init, make_seq<N>{});
}

/// The guide's entries, with 1 where t is the constant 0: (0,2) and (5,6) give (1,6).
template <class T, class Guide>
requires(tilewright::IntTuple<T>) CUTE_HOST_DEVICE constexpr auto filter_zeros(T const& t, Guide const& guide) {
  if constexpr (is_tuple_v<T>)
    return cute::transform(t, guide, [](auto const& x, auto const& g) { return cute::filter_zeros(x, g); });
  else if constexpr (std::is_same_v<T, C<0>>) return repeat_like(guide, C<1>{});
  else return guide;
}
template <tilewright::NoLayout T>
requires(tilewright::IntTuple<T>) CUTE_HOST_DEVICE constexpr auto filter_zeros(T const& t) {
  return cute::filter_zeros(t, t);
}
template <class T>
requires(tilewright::is_multiple_v<T>) CUTE_HOST_DEVICE constexpr auto filter_zeros(T const& t) {
  return cute::filter_zeros(t, t);
}

struct Product {
  template <class T>
  CUTE_HOST_DEVICE constexpr auto operator()(T const& t) const {
    return product(t);
  }
};
template <class A, class B>
using is_congruent = decltype(congruent(std::declval<A>(), std::declval<B>()));
template <class A, class B>
using is_weakly_congruent = decltype(weakly_congruent(std::declval<A>(), std::declval<B>()));
template <class A, class B>
struct is_compatible : decltype(compatible(std::declval<A>(), std::declval<B>())) {};

/// Entries 0, 1, … of anything that can be indexed, as a tuple of N.
template <int N, class Indexable>
CUTE_HOST_DEVICE constexpr auto make_int_tuple_from(Indexable const& values) {
  return [&]<int... I>(std::integer_sequence<int, I...>) { return make_tuple(values[I]...); }
  (std::make_integer_sequence<int, N>{});
}
/// The leaves of a tuple, assigned from anything that can be indexed.
namespace detail {
template <class T, class Indexable>
CUTE_HOST_DEVICE constexpr void fill_leaves(T& t, Indexable const& values, int& at) {
  if constexpr (is_tuple_v<T>) cute::for_each(t, [&](auto&& e) { fill_leaves(e, values, at); });
  else if constexpr (std::is_empty_v<T>) ++at;
  else t = static_cast<T>(values[at++]);
}
}  // namespace detail
template <class T, class Indexable>
CUTE_HOST_DEVICE constexpr void fill_int_tuple_from(T& t, Indexable const& values) {
  int at = 0;
  detail::fill_leaves(t, values, at);
}
/// The leaves as an array of numbers.
template <class T = std::int64_t, class Tuple>
CUTE_HOST_DEVICE constexpr auto to_array(Tuple const& t) {
  return apply(flatten_to_tuple(t), [](auto const&... v) { return array<T, sizeof...(v)>{static_cast<T>(v)...}; });
}

}  // namespace cute
