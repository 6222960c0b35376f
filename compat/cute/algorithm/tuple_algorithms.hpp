// Algorithms over the entries of tuples: apply, for_each, transform, fold, filter, search. What is no tuple counts as its
// own only entry. Conditions that are constants give constants, so that answers can steer `if constexpr`.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/tuple.hpp"
#include "tilewright/algebra/operations.hpp"
#include "tilewright/algorithm/elementwise.hpp"

namespace cute {

using tilewright::append;
using tilewright::flatten;
using tilewright::group;
using tilewright::prepend;
using tilewright::repeat;
using tilewright::replace;
using tilewright::select;
using tilewright::take;
using tilewright::transform;  // of tensors
using tilewright::unflatten;
using tilewright::unwrap;
using tilewright::wrap;

namespace detail {

template <class T>
inline constexpr bool is_sequence = false;
template <class I, I... N>
inline constexpr bool is_sequence<std::integer_sequence<I, N...>> = true;
template <class I, I... N>
inline constexpr bool is_sequence<cute::integer_sequence<I, N...>> = true;

/// Tuples, sequences, and whatever else has entries by get<I> (arrays).
template <class T>
concept has_entries = tilewright::is_tuple_v<std::remove_cvref_t<T>> || is_sequence<std::remove_cvref_t<T>> ||
    (!tilewright::TensorType<T> && requires { std::tuple_size<std::remove_cvref_t<T>>::value; });
template <class T>
concept no_tensor = !tilewright::TensorType<T>;

template <class T, class F, int... I>
CUTE_HOST_DEVICE constexpr auto apply(T&& t, F&& f, seq<I...>) {
  return f(get<I>(t)...);
}
template <class T, class F, class G, int... I>
CUTE_HOST_DEVICE constexpr auto transform_apply(T&& t, F&& f, G&& g, seq<I...>) {
  return g(f(get<I>(t))...);
}
template <class T, class U, class F, class G, int... I>
CUTE_HOST_DEVICE constexpr auto transform_apply(T&& t, U&& u, F&& f, G&& g, seq<I...>) {
  return g(f(get<I>(t), get<I>(u))...);
}
template <class T, class U, class V, class F, class G, int... I>
CUTE_HOST_DEVICE constexpr auto transform_apply(T&& t, U&& u, V&& v, F&& f, G&& g, seq<I...>) {
  return g(f(get<I>(t), get<I>(u), get<I>(v))...);
}
template <class T, class F, int... I>
CUTE_HOST_DEVICE constexpr void for_each(T&& t, F&& f, seq<I...>) {
  (f(get<I>(t)), ...);
}
struct to_tuple {
  template <class... T>
  CUTE_HOST_DEVICE constexpr tuple<T...> operator()(T const&... t) const {
    return {t...};
  }
};
struct concatenate {
  template <class... T>
  CUTE_HOST_DEVICE constexpr auto operator()(T const&... t) const {
    return tuple_cat(t...);
  }
};

/// f(f(f(v, t0), t1), …) from entry I on.
template <int I, class T, class V, class F>
CUTE_HOST_DEVICE constexpr auto fold_from(T const& t, V const& v, F&& f) {
  if constexpr (I == tuple_size_v<T>) return v;
  else return fold_from<I + 1>(t, f(v, get<I>(t)), f);
}
template <int I, class T, class F>
CUTE_HOST_DEVICE constexpr auto find_from(T const& t, F&& f) {
  if constexpr (I == tuple_size_v<T>) return C<I>{};
  else if constexpr (decltype(f(get<I>(t)))::value) return C<I>{};
  else return find_from<I + 1>(t, f);
}
struct logical_or_of {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a || b;
  }
};
struct logical_and_of {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a && b;
  }
};

}  // namespace detail

// --- calling -------------------------------------------------------------------------------------------------------
/// f(t0, t1, …)
template <class T, class F>
CUTE_HOST_DEVICE constexpr auto apply(T&& t, F&& f) {
  return detail::apply(t, f, tuple_seq<T>{});
}
/// g(f(t0), f(t1), …), and with two or three tuples g(f(t0, u0), …)
template <class T, class F, class G>
CUTE_HOST_DEVICE constexpr auto transform_apply(T&& t, F&& f, G&& g) {
  if constexpr (detail::has_entries<T>) return detail::transform_apply(t, f, g, tuple_seq<T>{});
  else return g(f(t));
}
template <class T, class U, class F, class G>
CUTE_HOST_DEVICE constexpr auto transform_apply(T&& t, U&& u, F&& f, G&& g) {
  if constexpr (detail::has_entries<T>) return detail::transform_apply(t, u, f, g, tuple_seq<T>{});
  else return g(f(t, u));
}
template <class T, class U, class V, class F, class G>
CUTE_HOST_DEVICE constexpr auto transform_apply(T&& t, U&& u, V&& v, F&& f, G&& g) {
  if constexpr (detail::has_entries<T>) return detail::transform_apply(t, u, v, f, g, tuple_seq<T>{});
  else return g(f(t, u, v));
}
/// f of every entry, in order.
template <detail::no_tensor T, class F>
CUTE_HOST_DEVICE constexpr void for_each(T&& t, F&& f) {
  if constexpr (detail::has_entries<T>) detail::for_each(t, f, tuple_seq<T>{});
  else f(t);
}
/// f of every leaf.
template <class T, class F>
CUTE_HOST_DEVICE constexpr void for_each_leaf(T&& t, F&& f) {
  if constexpr (is_tuple_v<T>) cute::for_each(t, [&](auto&& entry) { cute::for_each_leaf(entry, f); });
  else f(t);
}

// --- making tuples from tuples ---------------------------------------------------------------------------------------
/// (f(t0), f(t1), …)
template <detail::no_tensor T, class F>
requires(!tilewright::TensorType<F>) CUTE_HOST_DEVICE constexpr auto transform(T const& t, F&& f) {
  if constexpr (detail::has_entries<T>) return detail::transform_apply(t, f, detail::to_tuple{}, tuple_seq<T>{});
  else return f(t);
}
/// pre: tuples of one size
template <detail::no_tensor T, detail::no_tensor U, class F>
CUTE_HOST_DEVICE constexpr auto transform(T const& t, U const& u, F&& f) {
  if constexpr (detail::has_entries<T>) {
    static_assert(tuple_size_v<T> == tuple_size_v<U>, "transform: the tuples differ in size; give tuples of one size");
    return detail::transform_apply(t, u, f, detail::to_tuple{}, tuple_seq<T>{});
  } else {
    return f(t, u);
  }
}
template <detail::no_tensor T, detail::no_tensor U, detail::no_tensor V, class F>
CUTE_HOST_DEVICE constexpr auto transform(T const& t, U const& u, V const& v, F&& f) {
  if constexpr (detail::has_entries<T>) return detail::transform_apply(t, u, v, f, detail::to_tuple{}, tuple_seq<T>{});
  else return f(t, u, v);
}
/// f of every leaf, nested as before.
template <class T, class F>
CUTE_HOST_DEVICE constexpr auto transform_leaf(T const& t, F&& f) {
  if constexpr (is_tuple_v<T>) return cute::transform(t, [&](auto const& e) { return cute::transform_leaf(e, f); });
  else return f(t);
}
template <class T, class U, class F>
CUTE_HOST_DEVICE constexpr auto transform_leaf(T const& t, U const& u, F&& f) {
  if constexpr (is_tuple_v<T>) {
    return cute::transform(t, u, [&](auto const& a, auto const& b) { return cute::transform_leaf(a, b, f); });
  } else {
    return f(t, u);
  }
}
/// The tuples f(t0), f(t1), … one after the other.
template <class T, class F>
CUTE_HOST_DEVICE constexpr auto filter_tuple(T const& t, F&& f) {
  return transform_apply(t, f, detail::concatenate{});
}
template <class T, class U, class F>
CUTE_HOST_DEVICE constexpr auto filter_tuple(T const& t, U const& u, F&& f) {
  return transform_apply(t, u, f, detail::concatenate{});
}
template <class T, class U, class V, class F>
CUTE_HOST_DEVICE constexpr auto filter_tuple(T const& t, U const& u, V const& v, F&& f) {
  return transform_apply(t, u, v, f, detail::concatenate{});
}
/// The leaves as one flat tuple.
template <class T>
CUTE_HOST_DEVICE constexpr auto flatten_to_tuple(T const& t) {
  if constexpr (is_tuple_v<T>) return filter_tuple(t, [](auto const& entry) { return cute::flatten_to_tuple(entry); });
  else return tuple<T>{t};
}
namespace detail {
/// Integers, basis elements, coordinates and `_`, nested: what the algebra computes with.
template <class T>
inline constexpr bool is_int_tree =
    tilewright::IntegerLike<T> || tilewright::is_multiple_v<T> || std::is_same_v<T, bool>;
template <>
inline constexpr bool is_int_tree<tilewright::Underscore> = true;
template <class T, int... I>
inline constexpr bool is_int_tree<tilewright::ScaledBasis<T, I...>> = true;
template <class... T>
inline constexpr bool is_int_tree<tuple<T...>> = (is_int_tree<T> && ...);
template <class... T>
inline constexpr bool is_int_tree<tilewright::ArithmeticTuple<T...>> = (is_int_tree<T> && ...);
template <class T>
inline constexpr int depth_of = 0;
template <class... T>
inline constexpr int depth_of<tuple<T...>> = [] {
  int deepest = 0;
  ((deepest = depth_of<T> > deepest ? depth_of<T> : deepest), ...);
  return deepest + 1;
}();
template <class T>
concept other_tuple = tilewright::IntTuple<T> && !is_int_tree<T> && !holds_array<T>;
}  // namespace detail

// Of tuples with other entries than integers.
template <detail::other_tuple T>
CUTE_HOST_DEVICE constexpr auto flatten(T const& t) {
  return cute::flatten_to_tuple(t);
}
template <int... I, detail::other_tuple T>
requires(sizeof...(I) == 0) CUTE_HOST_DEVICE constexpr auto depth(T const&) { return C<detail::depth_of<T>>{}; }
template <int Begin, int End, detail::other_tuple T>
CUTE_HOST_DEVICE constexpr auto group(T const& t) {
  constexpr int rank = tuple_size_v<T>;
  return tuple_cat(take<0, Begin>(t), make_tuple(take<Begin, End>(t)), take<End, rank>(t));
}

/// N copies, always as a tuple.
template <int N, class T>
CUTE_HOST_DEVICE constexpr auto tuple_repeat(T const& t) {
  return wrap(repeat<N>(t));
}
/// x for every leaf of t.
template <class T, class X>
CUTE_HOST_DEVICE constexpr auto repeat_like(T const& t, X const& x) {
  return cute::transform_leaf(t, [&](auto const&) { return x; });
}
template <int N, class T, class X>
CUTE_HOST_DEVICE constexpr auto insert(T const& t, X const& x) {
  return tuple_cat(tilewright::take_entries<0, N>(t), tuple<X>{x}, tilewright::take_entries<N, tuple_size_v<T>>(t));
}
template <int N, class T>
CUTE_HOST_DEVICE constexpr auto remove(T const& t) {
  return tuple_cat(tilewright::take_entries<0, N>(t), tilewright::take_entries<N + 1, tuple_size_v<T>>(t));
}
/// In place of a number, which is its own only entry, the new one.
template <int N, tilewright::IntTuple T, tilewright::detail::not_a_layout X>
requires(!is_tuple_v<T>) CUTE_HOST_DEVICE constexpr X replace(T const&, X const& x) {
  static_assert(N == 0, "replace: a number is one entry; replace entry 0");
  return x;
}
/// Entries [Begin, End) become one; if there are none, nothing changes.
template <int Begin, int End, tilewright::IntTuple T>
requires(Begin == End) CUTE_HOST_DEVICE constexpr T group(T const& t) { return t; }
template <int Begin, int End, tilewright::LayoutType L>
requires(Begin == End) CUTE_HOST_DEVICE constexpr L group(L const& a) { return a; }
template <class T, class X>
CUTE_HOST_DEVICE constexpr auto replace_front(T const& t, X const& x) {
  if constexpr (is_tuple_v<T>) return replace<0>(t, x);
  else return x;
}
template <class T, class X>
CUTE_HOST_DEVICE constexpr auto replace_back(T const& t, X const& x) {
  if constexpr (is_tuple_v<T>) return replace<tuple_size_v<T> - 1>(t, x);
  else return x;
}
namespace detail {
template <class T, int... I>
CUTE_HOST_DEVICE constexpr auto reversed(T const& t, seq<I...>) {
  return make_tuple(get<static_cast<int>(sizeof...(I)) - 1 - I>(t)...);
}
template <class T, int... I>
CUTE_HOST_DEVICE constexpr T reversed_array(T const& t, seq<I...>) {
  return {t[sizeof...(I) - 1 - I]...};
}
template <int J, class T, int... I>
CUTE_HOST_DEVICE constexpr auto column(T const& t, seq<I...>) {
  return make_tuple(get<J>(get<I>(t))...);
}
template <class T, int... J>
CUTE_HOST_DEVICE constexpr auto transposed(T const& t, seq<J...>) {
  return make_tuple(column<J>(t, tuple_seq<T>{})...);
}
}  // namespace detail
template <class T>
CUTE_HOST_DEVICE constexpr auto reverse(T const& t) {
  if constexpr (detail::has_entries<T> && requires { t.begin(); }) return detail::reversed_array(t, tuple_seq<T>{});
  else if constexpr (is_tuple_v<T>) return detail::reversed(t, tuple_seq<T>{});
  else return t;
}
/// ((a,b),(c,d)) -> ((a,c),(b,d))
template <class T>
CUTE_HOST_DEVICE constexpr auto zip(T const& t) {
  if constexpr (is_tuple_v<T> && is_tuple_v<tuple_element_t<0, T>>) {
    return detail::transposed(t, tuple_seq<tuple_element_t<0, T>>{});
  } else {
    return tuple<T>{t};
  }
}
/// (a,b), (c,d) -> ((a,c),(b,d))
template <class T, class U, class... More>
CUTE_HOST_DEVICE constexpr auto zip(T const& t, U const& u, More const&... more) {
  return zip(make_tuple(t, u, more...));
}
/// Splits by the entries of the guide: ((a,b),(c,d)) by (X,Y) is ((a,c),(b,d)); what the guide lacks joins the second.
template <class T, class Guide>
CUTE_HOST_DEVICE constexpr auto zip2_by(T const& t, Guide const& guide) {
  if constexpr (is_tuple_v<Guide>) {
    constexpr int given = tuple_size_v<Guide>;
    auto const split = zip(cute::transform(tilewright::take_entries<0, given>(t), guide,
                                           [](auto const& a, auto const& b) { return cute::zip2_by(a, b); }));
    return make_tuple(get<0>(split), tuple_cat(get<1>(split), tilewright::take_entries<given, tuple_size_v<T>>(t)));
  } else {
    return t;
  }
}

// --- reducing and searching ------------------------------------------------------------------------------------------
/// f(…f(f(v, t0), t1)…)
template <class T, class V, class F>
CUTE_HOST_DEVICE constexpr auto fold(T const& t, V const& v, F&& f) {
  if constexpr (detail::has_entries<T>) return detail::fold_from<0>(t, v, f);
  else return f(v, t);
}
/// f(…f(t0, t1)…)
template <class T, class F>
CUTE_HOST_DEVICE constexpr auto fold_first(T const& t, F&& f) {
  if constexpr (detail::has_entries<T>) return detail::fold_from<1>(t, get<0>(t), f);
  else return t;
}
/// The index of the first entry for which f answers the constant true; the number of entries if f does for no entry.
template <class T, class F>
CUTE_HOST_DEVICE constexpr auto find_if(T const& t, F&& f) {
  if constexpr (detail::has_entries<T>) return detail::find_from<0>(t, f);
  else return C<(decltype(f(t))::value ? 0 : 1)>{};
}
/// The index of the first entry of the same type.
template <class T, class X>
CUTE_HOST_DEVICE constexpr auto find(T const& t, X const&) {
  return cute::find_if(
      t, [](auto const& e) { return bool_constant<std::is_same_v<std::remove_cvref_t<decltype(e)>, X>>{}; });
}
template <class X, class T>
CUTE_HOST_DEVICE constexpr auto find(T const& t) {
  return cute::find_if(
      t, [](auto const& e) { return bool_constant<std::is_same_v<std::remove_cvref_t<decltype(e)>, X>>{}; });
}
template <class T, class F>
CUTE_HOST_DEVICE constexpr auto any_of(T const& t, F&& f) {
  return cute::fold(cute::transform(wrap(t), f), false_type{}, detail::logical_or_of{});
}
template <class T, class F>
CUTE_HOST_DEVICE constexpr auto all_of(T const& t, F&& f) {
  return cute::fold(cute::transform(wrap(t), f), true_type{}, detail::logical_and_of{});
}
template <class T, class F>
CUTE_HOST_DEVICE constexpr auto none_of(T const& t, F&& f) {
  return !any_of(t, f);
}
/// The first and the last leaf.
template <class T>
CUTE_HOST_DEVICE constexpr auto front(T const& t) {
  if constexpr (is_tuple_v<T>) return cute::front(get<0>(t));
  else return t;
}
template <class T>
CUTE_HOST_DEVICE constexpr auto back(T const& t) {
  if constexpr (is_tuple_v<T>) return cute::back(get<tuple_size_v<T> - 1>(t));
  else return t;
}

namespace detail {
template <int I, class T, class V, class F>
CUTE_HOST_DEVICE constexpr auto scan_from(T const& t, V const& v, F&& f) {
  if constexpr (I == tuple_size_v<T>) {
    return tuple<>{};
  } else {
    auto const next = f(v, get<I>(t));
    return tuple_cat(make_tuple(next), scan_from<I + 1>(t, next, f));
  }
}
}  // namespace detail
/// (f(v, t0), f(f(v, t0), t1), …)
template <class T, class V, class F>
CUTE_HOST_DEVICE constexpr auto iscan(T const& t, V const& v, F&& f) {
  return detail::scan_from<0>(t, v, f);
}
/// (v, f(v, t0), …), the total left out
template <class T, class V, class F>
CUTE_HOST_DEVICE constexpr auto escan(T const& t, V const& v, F&& f) {
  auto const all = tuple_cat(make_tuple(v), iscan(t, v, f));
  return tilewright::take_entries<0, tuple_size_v<T>>(all);
}

/// Is the tuple without tuples inside of it?
template <class T>
struct is_flat : true_type {};
template <class... T>
struct is_flat<tuple<T...>> : bool_constant<(true && ... && !is_tuple_v<T>)> {};

}  // namespace cute
