// A typed layout as plain numbers: its extents and strides in leaf order, evaluated with loops and none of
// the library's arithmetic. Tests hold the answers of typed layouts against it, in constant evaluation as
// well as at run time.
#pragma once

#include <vector>

#include "tilewright/algebra/query.hpp"

namespace tilewright::tests {

/// An integer, a constant or a run-time integer with a stated divisor as a number.
template <class N>
constexpr long long number(N const& n) {
  return static_cast<long long>(n);
}

struct plain_layout {
  static constexpr int capacity = 16;
  int leaves = 0;
  long long extent[capacity]{};
  long long stride[capacity]{};

  constexpr long long size() const {
    long long n = 1;
    for (int i = 0; i < leaves; ++i) n *= extent[i];
    return n;
  }
  /// The offset at an index, taken apart left to right; the last leaf takes what is left.
  constexpr long long operator()(long long index) const {
    long long offset = 0;
    for (int i = 0; i < leaves; ++i) {
      offset += (i + 1 == leaves ? index : index % extent[i]) * stride[i];
      index /= extent[i];
    }
    return offset;
  }
  constexpr bool reaches(long long offset) const {
    for (long long i = 0; i < size(); ++i)
      if ((*this)(i) == offset) return true;
    return false;
  }
  constexpr bool injective() const {
    for (long long i = 0; i < size(); ++i)
      for (long long k = 0; k < i; ++k)
        if ((*this)(i) == (*this)(k)) return false;
    return true;
  }
  /// A bijection onto [0, size)?
  constexpr bool compact() const {
    for (long long x = 0; x < size(); ++x)
      if (!reaches(x)) return false;
    return true;
  }
  friend constexpr bool operator==(plain_layout const&, plain_layout const&) = default;
};

constexpr bool same_function(plain_layout const& a, plain_layout const& b) {
  if (a.size() != b.size()) return false;
  for (long long i = 0; i < a.size(); ++i)
    if (a(i) != b(i)) return false;
  return true;
}

namespace detail {
template <class S, class D>
constexpr void read(plain_layout& out, S const& s, D const& d);
template <class S, class D, int... N>
constexpr void read_each(plain_layout& out, S const& s, D const& d, seq<N...>) {
  (read(out, get<N>(s), get<N>(d)), ...);
}
template <class S, class D>
constexpr void read(plain_layout& out, S const& s, D const& d) {
  if constexpr (is_tuple_v<S>) {
    read_each(out, s, d, make_seq<tuple_size_v<S>>{});
  } else {
    out.extent[out.leaves] = number(s);
    out.stride[out.leaves++] = number(d);
  }
}
}  // namespace detail

template <class S, class D>
constexpr plain_layout plain(Layout<S, D> const& layout) {
  plain_layout out{};
  detail::read(out, layout.shape(), layout.stride());
  return out;
}
/// Compact, first leaf fastest.
constexpr plain_layout plain_shape(std::initializer_list<long long> extents) {
  plain_layout out{};
  long long stride = 1;
  for (long long const n : extents) {
    out.extent[out.leaves] = n;
    out.stride[out.leaves++] = stride;
    stride *= n;
  }
  return out;
}

/// What a typed layout (or anything that is called with an index and has a size) answers at every index.
template <class L>
std::vector<long long> offsets(L const& layout) {
  std::vector<long long> out;
  for (int i = 0; i < static_cast<int>(size(layout)); ++i) out.push_back(number(layout(i)));
  return out;
}

/// Does the typed layout answer at every index what its extents and strides say?
template <class S, class D>
constexpr bool answers(Layout<S, D> const& layout) {
  plain_layout const p = plain(layout);
  if (number(size(layout)) != p.size()) return false;
  for (int i = 0; i < static_cast<int>(p.size()); ++i)
    if (number(layout(i)) != p(i)) return false;
  return true;
}

}  // namespace tilewright::tests
