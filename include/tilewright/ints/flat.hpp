// The run-time leaves of a typed tuple, stored flat: slot N holds the N-th leaf in preorder. Layouts keep theirs this
// way, and the programs that algebra/lift.hpp derives run over such slots; tuples are gathered from them on demand.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/ints/basis.hpp"
#include "tilewright/ints/leaf.hpp"

namespace tilewright::detail {

/// A program's own number: an enumeration, or a class that converts to int, such as the lengths of sequences that tell the longest.
template <class T, bool HasMembers = __is_class(T) && !__is_empty(T)>
inline constexpr bool is_own_number = __is_enum(T);
template <class T>
inline constexpr bool is_own_number<T, true> = std::is_convertible_v<T, int>;
template <class T, bool IsEnumeration = __is_enum(T)>
struct own_number {
  using type = int;
};
template <class T>
struct own_number<T, true> {
  using type = std::underlying_type_t<T>;
};

/// The number of run-time leaves below a type.
template <class T>
inline constexpr int dynamic_leaves = std::is_integral_v<T> || is_own_number<T> ? 1 : 0;
template <int D, class T>
inline constexpr int dynamic_leaves<multiple<D, T>> = 1;
template <class T, int... I>
inline constexpr int dynamic_leaves<ScaledBasis<T, I...>> = dynamic_leaves<T>;
template <class... T>
inline constexpr int dynamic_leaves<tuple<T...>> = (0 + ... + dynamic_leaves<T>);
template <class... T>
inline constexpr int dynamic_leaves<ArithmeticTuple<T...>> = (0 + ... + dynamic_leaves<T>);

template <class T>
inline constexpr number_type number_type_of = sizeof(T) < 4 || (sizeof(T) == 4 && std::is_signed_v<T>)
                                                  ? number_type::int32
                                              : sizeof(T) == 4      ? number_type::uint32
                                              : std::is_signed_v<T> ? number_type::int64
                                                                    : number_type::uint64;

template <class T>
requires(is_own_number<T>) inline constexpr number_type number_type_of<T> =
    number_type_of<typename own_number<T>::type>;

template <number_type t>
struct number_of;
template <>
struct number_of<number_type::int32> {
  using type = int;
};
template <>
struct number_of<number_type::uint32> {
  using type = unsigned;
};
template <>
struct number_of<number_type::int64> {
  using type = long long;
};
template <>
struct number_of<number_type::uint64> {
  using type = unsigned long long;
};
template <number_type t>
using number_of_t = typename number_of<t>::type;

/// What a run-time leaf holds in its slot.
template <class T>
struct slot_number {
  using type = number_of_t<number_type_of<T>>;
};
template <int D, class T>
struct slot_number<multiple<D, T>> : slot_number<T> {};
template <class T, int... I>
struct slot_number<ScaledBasis<T, I...>> : slot_number<T> {};

/// The slot types of a type's run-time leaves, in preorder.
template <class... T>
struct type_list {};
template <class... L>
struct join;
template <>
struct join<> {
  using type = type_list<>;
};
template <class... A>
struct join<type_list<A...>> {
  using type = type_list<A...>;
};
template <class... A, class... B, class... More>
struct join<type_list<A...>, type_list<B...>, More...> : join<type_list<A..., B...>, More...> {};

template <class T, bool IsDynamic = (dynamic_leaves<T> > 0)>
struct slot_types {
  using type = type_list<>;
};
template <class T>
struct slot_types<T, true> {
  using type = type_list<typename slot_number<T>::type>;
};
template <class... T>
struct slot_types<tuple<T...>, true> : join<typename slot_types<T>::type...> {};
template <class... T>
struct slot_types<ArithmeticTuple<T...>, true> : join<typename slot_types<T>::type...> {};

template <int N, class T>
struct slot {
  T value;
};
template <int N, class T>
TILEWRIGHT_FN constexpr T& slot_at(slot<N, T>& s) {
  return s.value;
}
template <int N, class T>
TILEWRIGHT_FN constexpr T slot_at(slot<N, T> const& s) {
  return s.value;
}

/// Slots 0, 1, … of the given types; constants are read from anything through `slots_base`.
struct slots_base {};
template <class S, class L>
struct slots_of;
template <int... N, class... T>
struct slots_of<seq<N...>, type_list<T...>> : slots_base, slot<N, T>... {};

template <class L>
struct flat_slots;
template <class... T>
struct flat_slots<type_list<T...>> {
  using type = slots_of<make_seq<static_cast<int>(sizeof...(T))>, type_list<T...>>;
};

template <class... T>
using slots_for = typename flat_slots<typename join<typename slot_types<T>::type...>::type>::type;

/// How many run-time leaves come before entry k of a tuple.
template <class... T>
TILEWRIGHT_HOST_DEVICE constexpr int leaves_before(int k) {
  int const count[] = {dynamic_leaves<T>..., 0};
  int sum = 0;
  for (int i = 0; i < k; ++i) sum += count[i];
  return sum;
}

// --- tuple -> slots --------------------------------------------------------------------------------------------------
template <int Base, class Slots, class T>
TILEWRIGHT_FN constexpr void store(Slots& to, T const& value);

template <class T>
struct storer {
  template <int Base, class Slots>
  TILEWRIGHT_FN static constexpr void run(Slots& to, T const& value) {
    if constexpr (is_own_number<T>) slot_at<Base>(to) = static_cast<typename own_number<T>::type>(value);
    else slot_at<Base>(to) = value;
  }
};
template <class T, int... I>
struct storer<ScaledBasis<T, I...>> {
  template <int Base, class Slots>
  TILEWRIGHT_FN static constexpr void run(Slots& to, ScaledBasis<T, I...> const& b) {
    slot_at<Base>(to) = b.value();
  }
};
template <class... T>
struct storer<tuple<T...>> {
  template <int Base, class Slots, int... N>
  TILEWRIGHT_FN static constexpr void each(Slots& to, tuple<T...> const& t, seq<N...>) {
    (store<Base + leaves_before<T...>(N)>(to, get<N>(t)), ...);
  }
  template <int Base, class Slots>
  TILEWRIGHT_FN static constexpr void run(Slots& to, tuple<T...> const& t) {
    each<Base>(to, t, make_seq<static_cast<int>(sizeof...(T))>{});
  }
};
template <class... T>
struct storer<ArithmeticTuple<T...>> : storer<tuple<T...>> {};

template <int Base, class Slots, class T>
TILEWRIGHT_FN constexpr void store(Slots& to, T const& value) {
  if constexpr (dynamic_leaves < T >> 0) storer<T>::template run<Base>(to, value);
}

// --- slots -> tuple --------------------------------------------------------------------------------------------------
template <class T, int Base, class Slots>
TILEWRIGHT_FN constexpr T gather(Slots const& from);

template <class T>
struct gatherer {
  template <int Base, class Slots>
  TILEWRIGHT_FN static constexpr T run(Slots const& from) {
    return static_cast<T>(slot_at<Base>(from));
  }
};
template <int D, class T>
struct gatherer<multiple<D, T>> {
  template <int Base, class Slots>
  TILEWRIGHT_FN static constexpr multiple<D, T> run(Slots const& from) {
    return {static_cast<T>(slot_at<Base>(from))};
  }
};
template <class T, int... I>
struct gatherer<ScaledBasis<T, I...>> {
  template <int Base, class Slots>
  TILEWRIGHT_FN static constexpr ScaledBasis<T, I...> run(Slots const& from) {
    return ScaledBasis<T, I...>(gather<T, Base>(from));
  }
};
template <class Tuple, class... T>
struct tuple_gatherer {
  template <int Base, class Slots, int... N>
  TILEWRIGHT_FN static constexpr Tuple each(Slots const& from, seq<N...>) {
    return {gather<T, Base + leaves_before<T...>(N)>(from)...};
  }
  template <int Base, class Slots>
  TILEWRIGHT_FN static constexpr Tuple run(Slots const& from) {
    return each<Base>(from, make_seq<static_cast<int>(sizeof...(T))>{});
  }
};
template <class... T>
struct gatherer<tuple<T...>> : tuple_gatherer<tuple<T...>, T...> {};
template <class... T>
struct gatherer<ArithmeticTuple<T...>> : tuple_gatherer<ArithmeticTuple<T...>, T...> {};

template <class T, int Base, class Slots>
TILEWRIGHT_FN constexpr T gather(Slots const& from) {
  if constexpr (dynamic_leaves<T> == 0) return {};
  else return gatherer<T>::template run<Base>(from);
}

}  // namespace tilewright::detail
