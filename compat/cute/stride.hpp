// Coordinates to offsets and back, and compact strides.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/int_tuple.hpp"
#include "cute/numeric/arithmetic_tuple.hpp"

namespace cute {

using tilewright::compact_col_major;
using tilewright::compact_major;
using tilewright::compact_order;  // and that of CuTe, in which equals share a stride
using tilewright::compact_row_major;
using tilewright::crd2idx;
using tilewright::GenColMajor;
using tilewright::GenRowMajor;
using tilewright::idx2crd;
using tilewright::LayoutLeft;
using tilewright::LayoutRight;

/// The same with the order as a template argument.
template <class Major, class S>
requires(std::is_same_v<Major, GenColMajor> || std::is_same_v<Major, GenRowMajor>) CUTE_HOST_DEVICE
    constexpr auto compact_major(S const& shape) {
  return compact_major(shape, Major{});
}

/// The coordinate after this one, first mode fastest; the last mode goes on beyond its extent instead of to 0.
template <class Coordinate, class S>
CUTE_HOST_DEVICE constexpr void increment(Coordinate& coord, S const& shape);
namespace detail {
template <class Coordinate>
CUTE_HOST_DEVICE constexpr void to_zero(Coordinate& coord) {
  if constexpr (is_tuple_v<Coordinate>) cute::for_each(coord, [](auto& entry) { to_zero(entry); });
  else coord = 0;
}
template <int I, class Coordinate, class S>
CUTE_HOST_DEVICE constexpr void increment_from(Coordinate& coord, S const& shape) {
  cute::increment(get<I>(coord), get<I>(shape));
  if constexpr (I + 1 < tuple_size_v<S>) {
    if (!(back(get<I>(coord)) == back(get<I>(shape)))) return;
    to_zero(get<I>(coord));
    increment_from<I + 1>(coord, shape);
  }
}
}  // namespace detail
template <class Coordinate, class S>
CUTE_HOST_DEVICE constexpr void increment(Coordinate& coord, S const& shape) {
  if constexpr (is_tuple_v<S>) detail::increment_from<0>(coord, shape);
  else ++coord;
}

struct ForwardCoordIteratorSentinel {};
/// Every coordinate of a shape in the order of the index: for (auto it = make_coord_iterator(shape); it != end; ++it).
template <class Coordinate, class S>
struct ForwardCoordIterator {
  Coordinate coord;
  S shape;
  CUTE_HOST_DEVICE constexpr Coordinate const& operator*() const { return coord; }
  CUTE_HOST_DEVICE constexpr ForwardCoordIterator& operator++() {
    increment(coord, shape);
    return *this;
  }
  CUTE_HOST_DEVICE constexpr bool operator!=(ForwardCoordIteratorSentinel const&) const {
    return !(back(coord) == back(shape));
  }
};
template <class S>
CUTE_HOST_DEVICE constexpr auto make_coord_iterator(S const& shape) {
  auto const zero = transform_leaf(shape, [](auto const&) { return 0; });
  return ForwardCoordIterator<std::remove_const_t<decltype(zero)>, S>{zero, shape};
}
template <class Coordinate, class S>
CUTE_HOST_DEVICE constexpr auto make_coord_iterator(Coordinate const& coord, S const& shape) {
  return ForwardCoordIterator<Coordinate, S>{coord, shape};
}

/// A coordinate given by an index for some modes, as a coordinate nested like the shape.
template <class I, class S>
requires(is_tuple_v<I>) CUTE_HOST_DEVICE constexpr auto idx2crd(I const& index, S const& shape) {
  static_assert(tuple_size_v<I> == tuple_size_v<S>, "idx2crd: give one index for each mode of the shape");
  return cute::transform(index, shape, [](auto const& i, auto const& s) { return idx2crd(i, s); });
}
/// (index / stride) % shape, mode by mode.
template <class I, class S, class D>
CUTE_HOST_DEVICE constexpr auto idx2crd(I const& index, S const& shape, D const& stride) {
  if constexpr (is_tuple_v<S> && is_tuple_v<I>) {
    return cute::transform(index, shape, stride,
                           [](auto const& i, auto const& s, auto const& d) { return cute::idx2crd(i, s, d); });
  } else if constexpr (is_tuple_v<S>) {
    return cute::transform(shape, stride, [&](auto const& s, auto const& d) { return cute::idx2crd(index, s, d); });
  } else {
    return (index / stride) % shape;
  }
}
/// A coordinate within one shape as the coordinate of the same index within another.
template <class C_, class S, class T>
CUTE_HOST_DEVICE constexpr auto crd2crd(C_ const& coord, S const& from, T const& to) {
  if constexpr (is_tuple_v<C_> && is_tuple_v<S> && is_tuple_v<T>) {
    static_assert(tuple_size_v<S> == tuple_size_v<T>, "crd2crd: the shapes differ in rank; give shapes of one rank");
    return cute::transform(coord, from, to,
                           [](auto const& c, auto const& s, auto const& t) { return cute::crd2crd(c, s, t); });
  } else {
    return idx2crd(crd2idx(coord, from), to);
  }
}

namespace detail {
template <class S, class D>
CUTE_HOST_DEVICE constexpr auto scaled_strides(S const& strides, D const& by) {
  return transform_leaf(strides, [&](auto const& d) { return d * by; });
}
template <class T>
concept stride_start = tilewright::IntegerLike<T>;
/// A leaf of extent 1 has stride 0 where it is a constant, and the starting stride otherwise.
template <class S, class D>
CUTE_HOST_DEVICE constexpr auto leaf_stride(S const&, D const& start) {
  if constexpr (std::is_same_v<S, C<1>>) return C<0>{};
  else return start;
}
template <bool RowMajor, class S, class D>
CUTE_HOST_DEVICE constexpr auto compact_from(S const& shape, D const& start) {
  if constexpr (is_tuple_v<D>) {
    static_assert(tuple_size_v<S> == tuple_size_v<D>, "compact strides: give one starting stride for each mode");
    return cute::transform(shape, start, [](auto const& s, auto const& d) { return compact_from<RowMajor>(s, d); });
  } else if constexpr (is_tuple_v<S>) {
    if constexpr (RowMajor) return scaled_strides(tilewright::compact_row_major(shape), start);
    else return scaled_strides(tilewright::compact_col_major(shape), start);
  } else {
    return leaf_stride(shape, start);
  }
}
}  // namespace detail
/// Compact strides that start at a stride, or in each mode at its own: ((2,3), 4) -> (4,8).
template <class S, class D>
CUTE_HOST_DEVICE constexpr auto compact_col_major(S const& shape, D const& start) {
  return detail::compact_from<false>(shape, start);
}
template <class S, class D>
CUTE_HOST_DEVICE constexpr auto compact_row_major(S const& shape, D const& start) {
  return detail::compact_from<true>(shape, start);
}
template <class Major, class S, class D>
requires(std::is_same_v<Major, GenColMajor> || std::is_same_v<Major, GenRowMajor>) CUTE_HOST_DEVICE
    constexpr auto compact_major(S const& shape, D const& start) {
  return detail::compact_from<std::is_same_v<Major, GenRowMajor>>(shape, start);
}

}  // namespace cute
