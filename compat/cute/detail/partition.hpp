// Tensors divided as CuTe divides their layouts: the divisions, local_tile and local_partition.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/divide.hpp"
#include "tilewright/tensor/partition.hpp"

namespace cute {

namespace detail {
template <class T>
concept cute_tensor = tilewright::TensorType<T> && !std::is_void_v<T>;
}  // namespace detail

using tilewright::blocked;  // local_partition(tensor, thr_layout, index, blocked)
using tilewright::inner_partition;
using tilewright::local_partition;
using tilewright::local_tile;
using tilewright::outer_partition;

#define TILEWRIGHT_X_BY_TILER(NAME, ...)                            \
  template <detail::cute_tensor T, detail::cute_tiler Tiler>        \
  CUTE_HOST_DEVICE constexpr auto NAME(T&& t, Tiler const& tiler) { \
    return make_tensor(t.data(), cute::NAME(t.layout(), tiler));    \
  }
#define TILEWRIGHT_X_PRODUCT(NAME, ...)
#include "tilewright/algebra/operations.def"

/// The tile at rest-coordinate `coord`; a coordinate shorter than the rest is filled up with `_`.
template <detail::cute_tensor T, detail::cute_tiler Tiler, class Coordinate>
CUTE_HOST_DEVICE constexpr auto inner_partition(T&& t, Tiler const& tiler, Coordinate const& coord) {
  return tilewright::detail::inner_partition_of(cute::zipped_divide(t, tiler), coord);
}
/// The elements at position `coord` of every tile.
template <detail::cute_tensor T, detail::cute_tiler Tiler, class Coordinate>
CUTE_HOST_DEVICE constexpr auto outer_partition(T&& t, Tiler const& tiler, Coordinate const& coord) {
  return tilewright::detail::outer_partition_of(cute::zipped_divide(t, tiler), coord);
}
template <detail::cute_tensor T, detail::cute_tiler Tiler, class Coordinate>
CUTE_HOST_DEVICE constexpr auto local_tile(T&& t, Tiler const& tiler, Coordinate const& coord) {
  return cute::inner_partition(t, tiler, coord);
}
/// With a step (Step<_1, X, _1>), whose X drop modes of the tiler and the coordinate.
template <detail::cute_tensor T, detail::cute_tiler Tiler, class Coordinate, class Projection>
CUTE_HOST_DEVICE constexpr auto local_tile(T&& t, Tiler const& tiler, Coordinate const& coord, Projection const& step) {
  using check = tilewright::detail::projection_check<Tiler, Coordinate, Projection>;
  if constexpr (!check::value) return check::sentence();
  else
    return cute::inner_partition(t, tilewright::detail::project(tiler, step), tilewright::detail::project(coord, step));
}

/// Thread i is at the coordinate that thr_layout maps to i and takes every element that is there in a tile of thr_layout's shape.
template <detail::cute_tensor T, class S, class D, class Index>
CUTE_HOST_DEVICE constexpr auto local_partition(T&& t, tilewright::Layout<S, D> const& threads, Index const& index) {
  using check = tilewright::detail::index_is_one_number<Index>;
  if constexpr (!check::value) {
    return check::sentence();
  } else if constexpr (tilewright::is_tuple_v<S>) {
    return cute::outer_partition(t, tilewright::product_each(threads.shape()),
                                 tilewright::flat_coordinates(threads, index));
  } else {  // threads of a layout of one number share out the first mode, and every thread has the others whole
    return cute::local_partition(
        t, tilewright::make_layout(tilewright::make_tuple(threads.shape()), tilewright::make_tuple(threads.stride())),
        index);
  }
}
template <detail::cute_tensor T, class S, class D, class Index, tilewright::StepType Projection>
CUTE_HOST_DEVICE constexpr auto local_partition(T&& t, tilewright::Layout<S, D> const& threads, Index const& index,
                                                Projection const& step) {
  using check =
      tilewright::all_hold<tilewright::detail::index_is_one_number<Index>,
                           tilewright::detail::step_has_an_entry_for_each_mode<tilewright::tuple_size_v<S>,
                                                                               tilewright::tuple_size_v<Projection>>>;
  if constexpr (!check::value) return check::sentence();
  else
    return cute::outer_partition(t, tilewright::detail::project(tilewright::product_each(threads.shape()), step),
                                 tilewright::detail::project(tilewright::flat_coordinates(threads, index), step));
}

}  // namespace cute
