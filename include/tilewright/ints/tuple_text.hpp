// Shapes and coordinates as text for error sentences: (8,(2,4)), constants without a mark. Host only.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/short_text.hpp"
#include "tilewright/ints/basis.hpp"

#if TILEWRIGHT_HOSTED

namespace tilewright {

namespace detail {

template <class T>
void add_tuple(short_text& out, T const& t);
template <class T, int... N>
void add_entries(short_text& out, T const& t, seq<N...>) {
  ((out.add(N == 0 ? "" : ","), add_tuple(out, get<N>(t))), ...);
}
template <class T>
void add_tuple(short_text& out, T const& t) {
  if constexpr (is_tuple_v<T>) {
    out.add("(");
    add_entries(out, t, make_seq<tuple_size_v<T>>{});
    out.add(")");
  } else if constexpr (std::is_same_v<T, Underscore>) {
    out.add("_");
  } else {
    out.add(static_cast<long long>(t));
  }
}

}  // namespace detail

/// "shape (4,8)"
template <class T>
short_text labelled(char const* label, T const& t) {
  short_text out(label, " ");
  detail::add_tuple(out, t);
  return out;
}

}  // namespace tilewright

#endif
