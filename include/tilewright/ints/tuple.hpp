// The typed tuple: shapes, strides, coordinates, tilers and steps are tuples of integers, constants, layouts, `_` and
// further tuples. Constants take no space; everything is an aggregate that can be passed to a kernel.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/invalid.hpp"
#include "tilewright/ints/constant.hpp"

namespace tilewright {

/// `_`: keeps a mode in a coordinate.
struct Underscore {};
TILEWRIGHT_CONSTANT_OBJECT Underscore _{};

/// `X`: leaves a mode out of a projection, as in Step<_1, X, _1>. The same type as `_`, so a step is a coordinate for dice too.
using X = Underscore;

template <class... T>
struct tuple;

namespace detail {

template <int N, class T, bool IsEmpty = __is_empty(T)>
struct tuple_slot {
  T value{};
  constexpr tuple_slot() = default;
  TILEWRIGHT_HOST_DEVICE constexpr tuple_slot(T const& v) : value(v) {}
};
template <int N, class T>
struct tuple_slot<N, T, true> {
  constexpr tuple_slot() = default;
  TILEWRIGHT_HOST_DEVICE constexpr tuple_slot(T const&) {}
};

template <int N, class T>
TILEWRIGHT_FN constexpr T get_slot(tuple_slot<N, T, true> const&) {
  return {};
}
template <int N, class T>
TILEWRIGHT_FN constexpr T const& get_slot(tuple_slot<N, T, false> const& s) {
  return s.value;
}
template <int N, class T>
TILEWRIGHT_FN constexpr T& get_slot(tuple_slot<N, T, false>& s) {
  return s.value;
}

/// The entries that take space, in order, as members of one class: a tuple has standard layout, as a plain structure.
template <class... T>
struct packed {};
template <class A>
struct packed<A> {
  A v0{};
  constexpr packed() = default;
  TILEWRIGHT_HOST_DEVICE constexpr explicit packed(A const& a) : v0(a) {}
};
template <class A, class B>
struct packed<A, B> {
  A v0{};
  B v1{};
  constexpr packed() = default;
  TILEWRIGHT_HOST_DEVICE constexpr packed(A const& a, B const& b) : v0(a), v1(b) {}
};
template <class A, class B, class D>
struct packed<A, B, D> {
  A v0{};
  B v1{};
  D v2{};
  constexpr packed() = default;
  TILEWRIGHT_HOST_DEVICE constexpr packed(A const& a, B const& b, D const& d) : v0(a), v1(b), v2(d) {}
};
template <class A, class B, class D, class... More>
struct packed<A, B, D, More...> {
  A v0{};
  B v1{};
  D v2{};
  packed<More...> more{};
  constexpr packed() = default;
  TILEWRIGHT_HOST_DEVICE constexpr packed(A const& a, B const& b, D const& d, More const&... m)
      : v0(a),
        v1(b),
        v2(d),
        more(m...) {}
};
template <int N, class P>
TILEWRIGHT_FN constexpr auto& packed_entry(P& p) {
  if constexpr (N == 0) return p.v0;
  else if constexpr (N == 1) return p.v1;
  else if constexpr (N == 2) return p.v2;
  else return packed_entry<N - 3>(p.more);
}

/// Which entries take space: entry i is `index[i]` of those, the k-th of those is entry `from[k]`.
template <int Size>
struct kept_entries {
  int count = 0;
  array_of<int, (Size > 0 ? Size : 1)> index{};
  array_of<int, (Size > 0 ? Size : 1)> from{};
};
template <class... T>
TILEWRIGHT_CONSTEXPR auto find_kept_entries() {
  kept_entries<static_cast<int>(sizeof...(T))> out{};
  bool const empty[] = {std::is_empty_v<T>..., true};
  for (int i = 0; i < static_cast<int>(sizeof...(T)); ++i) {
    out.index[i] = out.count;
    if (!empty[i]) out.from[out.count++] = i;
  }
  return out;
}

/// The type of each entry, by overload resolution over its bases.
template <int N, class T>
struct tuple_entry {};
template <class S, class... T>
struct tuple_entries;
template <int... N, class... T>
struct tuple_entries<seq<N...>, T...> : tuple_entry<N, T>... {};
template <int N, class T>
TILEWRIGHT_HOST_DEVICE type_tag<T> entry_type(tuple_entry<N, T> const*);
template <class T>
TILEWRIGHT_HOST_DEVICE T untag(type_tag<T>);

/// References to a constructor's arguments, found by number.
template <int N, class T>
struct argument {
  T const& value;
};
template <class S, class... T>
struct arguments;
template <int... N, class... T>
struct arguments<seq<N...>, T...> : argument<N, T>... {
  TILEWRIGHT_HOST_DEVICE constexpr explicit arguments(T const&... t) : argument<N, T>{t}... {}
};
template <int N, class T>
TILEWRIGHT_FN constexpr T const& argument_at(argument<N, T> const& a) {
  return a.value;
}

enum class tuple_kind { all_empty, all_kept, mixed };
template <tuple_kind Kind, class... T>
struct tuple_base : packed<T...> {
  constexpr tuple_base() = default;
  TILEWRIGHT_HOST_DEVICE constexpr explicit tuple_base(T const&... t) : packed<T...>(t...) {}
  template <int N>
  static constexpr int place = N;
};
template <class... T>
struct tuple_base<tuple_kind::all_empty, T...> {
  constexpr tuple_base() = default;
  TILEWRIGHT_HOST_DEVICE constexpr explicit tuple_base(T const&...) {}
};
template <class S, class... T>
struct packed_of;
template <int... K, class... T>
struct packed_of<seq<K...>, T...> {
  using entries = tuple_entries<make_seq<static_cast<int>(sizeof...(T))>, T...>;
  static constexpr auto kept = find_kept_entries<T...>();
  using type = packed<decltype(untag(entry_type<kept.from[K]>(static_cast<entries const*>(nullptr))))...>;
  template <class Arguments>
  TILEWRIGHT_FN static constexpr type make(Arguments const& a) {
    return type(argument_at<kept.from[K]>(a)...);
  }
};
template <class... T>
using packed_of_t = packed_of<make_seq<find_kept_entries<T...>().count>, T...>;
template <class... T>
struct tuple_base<tuple_kind::mixed, T...> : packed_of_t<T...>::type {
  using storage = typename packed_of_t<T...>::type;
  constexpr tuple_base() = default;
  TILEWRIGHT_HOST_DEVICE constexpr explicit tuple_base(T const&... t)
      : storage(packed_of_t<T...>::make(arguments<make_seq<static_cast<int>(sizeof...(T))>, T...>(t...))) {}
  template <int N>
  static constexpr int place = find_kept_entries<T...>().index[N];
};

/// Not asked of a constant without a name, whose tuple says so.
template <class T>
inline constexpr bool takes_no_space = __is_empty(T);
template <int N>
inline constexpr bool takes_no_space<unnamed<N>> = true;
template <class T>
inline constexpr bool is_unnamed = false;
template <int N>
inline constexpr bool is_unnamed<unnamed<N>> = true;

template <class... T>
inline constexpr tuple_kind tuple_kind_of = (takes_no_space<T> && ...)   ? tuple_kind::all_empty
                                            : (takes_no_space<T> || ...) ? tuple_kind::mixed
                                                                         : tuple_kind::all_kept;

}  // namespace detail

namespace detail {
template <class To, class From>
TILEWRIGHT_HOST_DEVICE constexpr To converted_tuple(From const& from);
}  // namespace detail

template <class... T>
struct tuple : detail::tuple_base<detail::tuple_kind_of<T...>, T...> {
  static constexpr bool constants_have_names = (true && ... && !detail::is_unnamed<T>);
  static_assert(constants_have_names,
                "_N: no constant of this name is defined; write Int<N>{}, or Int<N> for the type "
                "(docs/errors.md#unnamed_constant)");
  using tuple_type = tuple;
  constexpr tuple() = default;
  TILEWRIGHT_HOST_DEVICE constexpr tuple(T const&... t) requires(sizeof...(T) > 0)
      : detail::tuple_base<detail::tuple_kind_of<T...>, T...>(t...) {}

  /// Entry by entry, where each converts: (int, C<1>) = (long long, C<1>).
  template <class... U>
  requires(sizeof...(U) == sizeof...(T) && sizeof...(T) > 0 &&
           (std::is_assignable_v<T&, U const&> && ...)) TILEWRIGHT_HOST_DEVICE constexpr tuple&
  operator=(tuple<U...> const& other) {
    return *this = detail::converted_tuple<tuple>(other);
  }
};
template <>
struct tuple<> {
  using tuple_type = tuple;
};

template <class... T>
using Shape = tuple<T...>;
template <class... T>
using Stride = tuple<T...>;
template <class... T>
using Step = tuple<T...>;
template <class... T>
using Coord = tuple<T...>;
template <class... T>
using Tile = tuple<T...>;

namespace detail {
template <class... T>
inline constexpr bool is_no_entry<tuple<T...>> = false;
}  // namespace detail

template <class T>
inline constexpr bool is_tuple_v = false;
template <class... T>
inline constexpr bool is_tuple_v<tuple<T...>> = true;
template <class T>
inline constexpr bool is_tuple_v<T const> = is_tuple_v<T>;
template <class T>
concept TupleType = is_tuple_v<std::remove_cvref_t<T>>;

template <class T>
inline constexpr int tuple_size_v = 1;
template <class... T>
inline constexpr int tuple_size_v<tuple<T...>> = static_cast<int>(sizeof...(T));
template <class T>
inline constexpr int tuple_size_v<T const> = tuple_size_v<T>;

namespace detail {

/// \cond  Doxygen takes a specialization that derives from another for a class that derives from itself.
template <class T>
struct entries_of_tuple : entries_of_tuple<typename T::tuple_type> {};
template <class... T>
struct entries_of_tuple<tuple<T...>> {
  using type = tuple_entries<make_seq<static_cast<int>(sizeof...(T))>, T...>;
};
template <class T>
struct entries_of_tuple<T const> : entries_of_tuple<T> {};
/// \endcond

}  // namespace detail

template <int N, class T>
using tuple_element_t = decltype(detail::untag(
    detail::entry_type<N>(static_cast<typename detail::entries_of_tuple<T>::type const*>(nullptr))));

namespace detail {
/// An entry that takes space, by reference.
template <int N, class Tuple>
requires(!std::is_empty_v<tuple_element_t<N, Tuple>>) TILEWRIGHT_FN constexpr auto& entry(Tuple& t) {
  return packed_entry<std::remove_const_t<Tuple>::template place<N>>(t);
}
template <int N, class Tuple>
requires(std::is_empty_v<tuple_element_t<N, Tuple>>) TILEWRIGHT_FN
    constexpr tuple_element_t<N, Tuple> entry(Tuple const&) {
  return {};
}
}  // namespace detail

/// pre: N < the tuple's size; get<I, J>(t) is get<J>(get<I>(t)).
template <int N, class... T>
TILEWRIGHT_FN constexpr decltype(auto) get(tuple<T...> const& t) {
  using check = detail::entry_lies_in_tuple<N, static_cast<int>(sizeof...(T))>;
  if constexpr (check::value) return detail::entry<N>(t);
  else return check::sentence();
}
template <int N, class... T>
TILEWRIGHT_FN constexpr decltype(auto) get(tuple<T...>& t) {
  using check = detail::entry_lies_in_tuple<N, static_cast<int>(sizeof...(T))>;
  if constexpr (check::value) return detail::entry<N>(t);
  else return check::sentence();
}
/// Of a temporary: a reference into it, as std::get gives; name it by value.
template <int N, class... T>
TILEWRIGHT_FN constexpr decltype(auto) get(tuple<T...>&& t) {
  using check = detail::entry_lies_in_tuple<N, static_cast<int>(sizeof...(T))>;
  if constexpr (!check::value) return check::sentence();
  else if constexpr (std::is_empty_v<tuple_element_t<N, tuple<T...>>>) return detail::entry<N>(t);
  else return static_cast<tuple_element_t<N, tuple<T...>>&&>(detail::entry<N>(t));
}
/// An integer or a constant is its own only entry.
template <int N, IntegerLike T>
TILEWRIGHT_FN constexpr auto get(T const& t) {
  using check = detail::entry_lies_in_tuple<N, 1>;
  if constexpr (check::value) return t;
  else return check::sentence();
}
template <int N>
TILEWRIGHT_FN constexpr invalid_layout get(invalid_layout const&) {
  return {};
}
template <int N, int M, int... More, class T>
TILEWRIGHT_FN constexpr auto get(T const& t) {
  return get<M, More...>(get<N>(t));
}
template <int N, int M, int... More, class T>
TILEWRIGHT_FN constexpr decltype(auto) get(T& t) requires(!std::is_const_v<T>) {
  return get<M, More...>(get<N>(t));
}

namespace detail {
template <class To, int N, class Entry>
TILEWRIGHT_HOST_DEVICE constexpr tuple_element_t<N, To> converted_entry(Entry const& entry) {
  using T = tuple_element_t<N, To>;
  if constexpr (is_tuple_v<T>) return converted_tuple<T>(entry);
  else return static_cast<T>(entry);
}
template <class To, class From, int... I>
TILEWRIGHT_HOST_DEVICE constexpr To converted_entries(From const& from, seq<I...>) {
  return To(converted_entry<To, I>(get<I>(from))...);
}
template <class To, class From>
TILEWRIGHT_HOST_DEVICE constexpr To converted_tuple(From const& from) {
  return converted_entries<To>(from, make_seq<tuple_size_v<To>>{});
}
}  // namespace detail

template <class... T>
TILEWRIGHT_FN constexpr tuple<T...> make_tuple(T const&... t) {
  return {t...};
}
template <class... T>
TILEWRIGHT_FN constexpr auto make_shape(T const&... t) {
  using check = detail::entries_are_integers<T...>;
  if constexpr (!check::value) return check::sentence();
  else return tuple<T...>{t...};
}
template <class... T>
TILEWRIGHT_FN constexpr auto make_stride(T const&... t) {
  using check = detail::entries_are_integers<T...>;
  if constexpr (!check::value) return check::sentence();
  else return tuple<T...>{t...};
}
template <class... T>
TILEWRIGHT_FN constexpr auto make_step(T const&... t) {
  using check = detail::entries_are_integers<T...>;
  if constexpr (!check::value) return check::sentence();
  else return tuple<T...>{t...};
}
template <class... T>
TILEWRIGHT_FN constexpr auto make_coord(T const&... t) {
  using check = detail::entries_are_integers<T...>;
  if constexpr (!check::value) return check::sentence();
  else return tuple<T...>{t...};
}
template <class... T>
TILEWRIGHT_FN constexpr auto make_tile(T const&... t) {
  using check = detail::entries_are_integers<T...>;
  if constexpr (!check::value) return check::sentence();
  else return tuple<T...>{t...};
}

// --- what a type consists of -----------------------------------------------------------------------------------------
/// Is every leaf a constant (or `_`, or X)?  Empty tuples are.
template <class T>
inline constexpr bool is_static_v = std::is_empty_v<T>;

template <class T>
inline constexpr bool has_underscore_v = std::is_same_v<T, Underscore>;
template <class... T>
inline constexpr bool has_underscore_v<tuple<T...>> = (has_underscore_v<T> || ...);

namespace detail {

template <class T>
inline constexpr bool is_constant_false = false;
template <>
inline constexpr bool is_constant_false<C<false>> = true;
/// A constant where every comparison is one, or one of them is the constant false.
template <class... T>
TILEWRIGHT_FN constexpr auto all_equal(T const&... t) {
  if constexpr ((is_constant_false<T> || ...)) return C<false>{};
  else if constexpr ((is_constant_v<T> && ...)) return C<(true && ... && static_cast<bool>(T::value))>{};
  else return (true && ... && static_cast<bool>(t));
}
/// Are two entries equal? Those that cannot be compared, such as a tuple and an integer, differ.
template <class A, class B>
TILEWRIGHT_FN constexpr auto equal_entry(A const& a, B const& b) {
  if constexpr (requires { a == b; }) return a == b;
  else return C<false>{};
}
template <int... N, class A, class B>
TILEWRIGHT_FN constexpr auto equal(A const& a, B const& b, seq<N...>) {
  return all_equal(equal_entry(get<N>(a), get<N>(b))...);
}
template <class... A, int... N, class... B, int... M>
TILEWRIGHT_FN constexpr tuple<A..., B...> concatenate(tuple<A...> const& a, seq<N...>, tuple<B...> const& b,
                                                      seq<M...>) {
  return {get<N>(a)..., get<M>(b)...};
}

}  // namespace detail

/// post: a C<bool> where the entries are constants, so that static shapes can be compared in `if constexpr`
template <class... A, class... B>
TILEWRIGHT_FN constexpr auto operator==(tuple<A...> const& a, tuple<B...> const& b) {
  if constexpr (sizeof...(A) != sizeof...(B)) return C<false>{};
  else return detail::equal(a, b, make_seq<static_cast<int>(sizeof...(A))>{});
}
template <class... A, class... B>
TILEWRIGHT_FN constexpr auto operator!=(tuple<A...> const& a, tuple<B...> const& b) {
  return !(a == b);
}

// --- structure, for tuples of anything -------------------------------------------------------------------------------
TILEWRIGHT_FN constexpr tuple<> tuple_cat() { return {}; }
template <class... A>
TILEWRIGHT_FN constexpr tuple<A...> tuple_cat(tuple<A...> const& a) {
  return a;
}
template <class... A, class... B, class... More>
TILEWRIGHT_FN constexpr auto tuple_cat(tuple<A...> const& a, tuple<B...> const& b, More const&... more) {
  return tuple_cat(
      detail::concatenate(a, make_seq<static_cast<int>(sizeof...(A))>{}, b, make_seq<static_cast<int>(sizeof...(B))>{}),
      more...);
}

namespace detail {

template <class T, int>
using repeated = T;
template <class T, int... N>
TILEWRIGHT_FN constexpr auto repeat(T const& t, seq<N...>) {
  return tuple<repeated<T, N>...>{((void)N, t)...};
}
template <class T, class F, int... N>
TILEWRIGHT_FN constexpr auto transform(T const& t, F&& f, seq<N...>) {
  return make_tuple(f(get<N>(t))...);
}
template <class T, class U, class F, int... N>
TILEWRIGHT_FN constexpr auto transform(T const& t, U const& u, F&& f, seq<N...>) {
  return make_tuple(f(get<N>(t), get<N>(u))...);
}
template <int Begin, class T, int... N>
TILEWRIGHT_FN constexpr auto range(T const& t, seq<N...>) {
  return make_tuple(get<Begin + N>(t)...);
}

}  // namespace detail

/// N copies as a tuple; one copy is the thing itself, as in CuTe.
template <int N, class T>
TILEWRIGHT_FN constexpr auto repeat(T const& t) {
  if constexpr (N == 1) return t;
  else return detail::repeat(t, make_seq<N>{});
}
/// A scalar counts as a tuple of one.
template <class T>
TILEWRIGHT_FN constexpr auto wrap(T const& t) {
  if constexpr (is_tuple_v<T>) return t;
  else return tuple<T>{t};
}
/// A tuple of one is its entry.
template <class T>
TILEWRIGHT_FN constexpr auto unwrap(T const& t) {
  if constexpr (tuple_size_v<T> == 1 && is_tuple_v<T>) return unwrap(get<0>(t));
  else return t;
}
/// f of each entry, as a tuple.
template <TupleType T, class F>
TILEWRIGHT_FN constexpr auto transform_tuple(T const& t, F&& f) {
  return detail::transform(t, f, make_seq<tuple_size_v<T>>{});
}
template <TupleType T, TupleType U, class F>
TILEWRIGHT_FN constexpr auto transform_tuple(T const& t, U const& u, F&& f) {
  using check = detail::tuples_have_one_size<tuple_size_v<T>, tuple_size_v<U>>;
  if constexpr (check::value) return detail::transform(t, u, f, make_seq<tuple_size_v<T>>{});
  else return check::sentence();
}
/// Entries [Begin, End) as a tuple.
template <int Begin, int End, TupleType T>
TILEWRIGHT_FN constexpr auto take_entries(T const& t) {
  using check = detail::range_lies_in_tuple<Begin, End, tuple_size_v<T>>;
  if constexpr (check::value) return detail::range<Begin>(t, make_seq<End - Begin>{});
  else return check::sentence();
}

}  // namespace tilewright

template <class... T>
struct std::tuple_size<tilewright::tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t N, class... T>
struct std::tuple_element<N, tilewright::tuple<T...>> {
  using type = tilewright::tuple_element_t<static_cast<int>(N), tilewright::tuple<T...>>;
};
