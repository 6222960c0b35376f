// Rearranging the modes of typed layouts and the entries of tuples: select, take, group, append, prepend, replace,
// flatten, unflatten. Laws and errors are those of the value operations of the same names (algebra/modes.hpp).
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algebra/query.hpp"

namespace tilewright {

namespace op {

inline constexpr auto gives_layout = lift::result_kind::layout;
inline constexpr auto gives_tuple = lift::result_kind::tuple;
struct layout_operation {
  static constexpr auto kind = gives_layout;
};

template <int... I>
struct select : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a) {
    int const modes[] = {I..., 0};
    return algebra::select(c, a, modes, static_cast<int>(sizeof...(I)));
  }
};
template <int Begin, int End>
struct take : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a) {
    return algebra::take(c, a, Begin, End < 0 ? a.rank() : End);
  }
};
template <int Begin, int End>
struct group : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a) {
    return algebra::group(c, a, Begin, End);
  }
};
template <int Rank>  // 0: one mode more; otherwise up to that rank
struct append : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    int_tree out = a;
    if (Rank == 0) return algebra::append(c, a, b);
    if (Rank == 1 || out.rank() >= Rank) return out;
    while (out.rank() < Rank && !c.failed()) out = algebra::append(c, out, b);
    return out;
  }
};
template <int Rank>
struct prepend : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    int_tree out = a;
    if (Rank == 0) return algebra::prepend(c, a, b);
    if (Rank == 1 || out.rank() >= Rank) return out;
    while (out.rank() < Rank && !c.failed()) out = algebra::prepend(c, out, b);
    return out;
  }
};
template <int Mode>
struct replace : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    return algebra::replace(c, a, Mode, b);
  }
};
struct flatten : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic&, int_tree const& a) { return algebra::flatten(a); }
};
struct unflatten : layout_operation {
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, auto const&... t) { return algebra::unflatten(c, t...); }
};
/// Any operation above on a plain tuple.
template <class Op>
struct on_tuple {
  static constexpr auto kind = gives_tuple;
  template <class... T>
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, T const&... t) {
    return Op::apply(c, t...);
  }
};

}  // namespace op

template <int... I, LayoutType L>
TILEWRIGHT_FN constexpr auto select(L const& a) {
  return lift::call<op::select<I...>, L>::on(a);
}
template <int... I, IntTuple T>
TILEWRIGHT_FN constexpr auto select(T const& t) {
  return make_tuple(get<I>(t)...);
}
template <int Begin, int End, LayoutType L>
TILEWRIGHT_FN constexpr auto take(L const& a) {
  return lift::call<op::take<Begin, End>, L>::on(a);
}
template <int Begin, int End, IntTuple T>
TILEWRIGHT_FN constexpr auto take(T const& t) {
  return take_entries<Begin, (End < 0 ? tuple_size_v<T> : End)>(wrap(t));
}
/// Modes [Begin, End) become one.
template <int Begin, int End, LayoutType L>
TILEWRIGHT_FN constexpr auto group(L const& a) {
  return lift::call<op::group<Begin, End>, L>::on(a);
}
template <int Begin, int End, IntTuple T>
TILEWRIGHT_FN constexpr auto group(T const& t) {
  return lift::call<op::on_tuple<op::group<Begin, End>>, T>::on(t);
}
/// One mode more, or as many as make up a rank of N; the default mode is 1:0.
template <LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto append(L const& a, M const& mode) {
  return lift::call<op::append<0>, L, M>::on(a, mode);
}
template <int N, LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto append(L const& a, M const& mode) {
  return lift::call<op::append<N>, L, M>::on(a, mode);
}
template <int N, LayoutType L>
TILEWRIGHT_FN constexpr auto append(L const& a) {
  return append<N>(a, Layout<_1, _0>{});
}
template <LayoutType L>
TILEWRIGHT_FN constexpr auto append(L const& a) {
  return append(a, Layout<_1, _0>{});
}
template <LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto prepend(L const& a, M const& mode) {
  return lift::call<op::prepend<0>, L, M>::on(a, mode);
}
template <int N, LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto prepend(L const& a, M const& mode) {
  return lift::call<op::prepend<N>, L, M>::on(a, mode);
}
template <int N, LayoutType L>
TILEWRIGHT_FN constexpr auto prepend(L const& a) {
  return prepend<N>(a, Layout<_1, _0>{});
}
template <LayoutType L>
TILEWRIGHT_FN constexpr auto prepend(L const& a) {
  return prepend(a, Layout<_1, _0>{});
}
template <int Mode, LayoutType L, LayoutType M>
TILEWRIGHT_FN constexpr auto replace(L const& a, M const& mode) {
  return lift::call<op::replace<Mode>, L, M>::on(a, mode);
}
template <LayoutType L>
TILEWRIGHT_FN constexpr auto flatten(L const& a) {
  return lift::call<op::flatten, L>::on(a);
}
template <IntTuple T>
TILEWRIGHT_FN constexpr auto flatten(T const& t) {
  return lift::call<op::on_tuple<op::flatten>, T>::on(t);
}
template <LayoutType L, IntTuple P>
TILEWRIGHT_FN constexpr auto unflatten(L const& a, P const& profile) {
  return lift::call<op::unflatten, L, P>::on(a, profile);
}
template <IntTuple T, IntTuple P>
TILEWRIGHT_FN constexpr auto unflatten(T const& t, P const& profile) {
  return lift::call<op::on_tuple<op::unflatten>, T, P>::on(t, profile);
}

// Tuples of anything: entries added, repeated or replaced.
template <IntTuple T, class U>
requires(!LayoutType<U>) TILEWRIGHT_FN constexpr auto append(T const& t, U const& entry) {
  return tuple_cat(wrap(t), tuple<U>{entry});
}
template <int N, IntTuple T, class U>
requires(!LayoutType<U>) TILEWRIGHT_FN constexpr auto append(T const& t, U const& entry) {
  if constexpr (N <= tuple_size_v<T>) return t;
  else return append<N>(append(t, entry), entry);
}
template <IntTuple T, class U>
requires(!LayoutType<U>) TILEWRIGHT_FN constexpr auto prepend(T const& t, U const& entry) {
  return tuple_cat(tuple<U>{entry}, wrap(t));
}
template <int N, IntTuple T, class U>
requires(!LayoutType<U>) TILEWRIGHT_FN constexpr auto prepend(T const& t, U const& entry) {
  if constexpr (N <= tuple_size_v<T>) return t;
  else return prepend<N>(prepend(t, entry), entry);
}
namespace detail {
template <class T>
concept not_a_layout = !LayoutType<T>;
}  // namespace detail
template <int Mode, IntTuple T, detail::not_a_layout U>
TILEWRIGHT_FN constexpr auto replace(T const& t, U const& entry) {
  return tuple_cat(take_entries<0, Mode>(wrap(t)), tuple<U>{entry}, take_entries<Mode + 1, tuple_size_v<T>>(wrap(t)));
}

}  // namespace tilewright
