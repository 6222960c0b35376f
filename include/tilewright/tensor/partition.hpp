// Cutting tensors up: the divisions of the algebra, local_tile ("this block its tile") and local_partition ("this thread
// its elements"). Both divide by the tile; local_tile then slices the rest, local_partition the tile.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/tensor/tensor.hpp"

namespace tilewright {

#define TILEWRIGHT_X_DIVIDE(NAME, ...)                           \
  template <TensorType T, TilerType Tiler>                       \
  TILEWRIGHT_FN constexpr auto NAME(T&& t, Tiler const& tiler) { \
    return make_tensor(t.data(), NAME(t.layout(), tiler));       \
  }
#include "tilewright/algebra/operations.def"

namespace detail {

/// The entries of a tuple at which a step projects: those that are not X.
template <class Projection, class T, int... N>
TILEWRIGHT_FN constexpr auto projected(T const& t, seq<N...>) {
  auto const keep = []<int I>(auto const& entry, C<I>) {
    if constexpr (std::is_same_v<tuple_element_t<I, Projection>, X>) return tuple<>{};
    else return make_tuple(entry);
  };
  return tuple_cat(keep(get<N>(t), C<N>{})...);
}
template <int Modes, int Entries>
struct step_has_an_entry_for_each_mode {
  static constexpr bool value = Modes == Entries;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "projection: the step has one entry for each mode of the tiler and the coordinate; use X to drop a mode "
        "(docs/errors.md#projection)");
    return invalid_layout{};
  }
};
template <class Index>
struct index_is_one_number {
  static constexpr bool value = IntegerLike<Index> || is_invalid_v<Index>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "the index is one thread's number, which get_slice and local_partition place by themselves; pass the "
                  "number (docs/errors.md#thread_index)");
    return invalid_layout{};
  }
};
template <class T, class Projection>
TILEWRIGHT_FN constexpr auto project(T const& t, Projection const&) {
  return projected<Projection>(t, make_seq<tuple_size_v<Projection>>{});
}
template <class Tiler, class Coordinate, class Projection>
using projection_check = all_hold<step_has_an_entry_for_each_mode<tuple_size_v<Tiler>, tuple_size_v<Projection>>,
                                  step_has_an_entry_for_each_mode<tuple_size_v<Coordinate>, tuple_size_v<Projection>>>;
/// The check that a tiler divides a tensor's layout, or the layout under its swizzle.
template <class T, class Tiler>
using tiler_divides =
    lift::succeeds<op::zipped_divide, std::remove_cvref_t<decltype(inner_layout(std::declval<T&>().layout()))>,
                   lift::as_tiler<Tiler>>;

template <class Divided, class Coordinate>
TILEWRIGHT_FN constexpr auto inner_partition_of(Divided const& divided, Coordinate const& coord) {
  constexpr int tiles = decltype(rank<0>(divided))::value;
  constexpr int rests = decltype(rank<1>(divided))::value;
  if constexpr (AnyInvalid<Divided, Coordinate>) {
    return invalid_layout{};
  } else if constexpr (is_tuple_v<Coordinate>) {
    return divided(repeat<tiles>(_), append<rests>(coord, _));
  } else {
    return divided(repeat<tiles>(_), coord);
  }
}

template <class Divided, class Coordinate>
TILEWRIGHT_FN constexpr auto outer_partition_of(Divided const& divided, Coordinate const& coord) {
  constexpr int tiles = decltype(rank<0>(divided))::value;
  constexpr int rests = decltype(rank<1>(divided))::value;
  if constexpr (AnyInvalid<Divided, Coordinate>) {
    return invalid_layout{};
  } else if constexpr (is_tuple_v<Coordinate>) {
    return divided(append<tiles>(coord, _), repeat<rests>(_));
  } else {
    return divided(coord, repeat<rests>(_));
  }
}

}  // namespace detail

/// The tile at rest-coordinate `coord`; a coordinate shorter than the rest is filled up with `_`.
/// post: (tile modes…, rest modes kept…)
template <TensorType T, TilerType Tiler, class Coordinate>
TILEWRIGHT_FN constexpr auto inner_partition(T&& t, Tiler const& tiler, Coordinate const& coord) {
  using check = detail::tiler_divides<T, Tiler>;
  if constexpr (!check::value) return check::sentence();
  else return detail::inner_partition_of(zipped_divide(t, tiler), coord);
}
/// The elements at position `coord` of every tile.
/// post: the rest modes
template <TensorType T, TilerType Tiler, class Coordinate>
TILEWRIGHT_FN constexpr auto outer_partition(T&& t, Tiler const& tiler, Coordinate const& coord) {
  using check = detail::tiler_divides<T, Tiler>;
  if constexpr (!check::value) return check::sentence();
  else return detail::outer_partition_of(zipped_divide(t, tiler), coord);
}

/// "Give this block its tile."  With a projection (Step<_1, X, _1>) the tiler and coordinate of a larger problem apply
/// to the modes that are not X.
template <TensorType T, TilerType Tiler, class Coordinate>
TILEWRIGHT_FN constexpr auto local_tile(T&& t, Tiler const& tiler, Coordinate const& coord) {
  using check = detail::tiler_divides<T, Tiler>;
  if constexpr (!check::value) return check::sentence();
  else return detail::inner_partition_of(zipped_divide(t, tiler), coord);
}
template <TensorType T, TilerType Tiler, class Coordinate, class Projection>
TILEWRIGHT_FN constexpr auto local_tile(T&& t, Tiler const& tiler, Coordinate const& coord, Projection const& step) {
  using check = detail::projection_check<Tiler, Coordinate, Projection>;
  if constexpr (!check::value) return check::sentence();
  else return local_tile(t, detail::project(tiler, step), detail::project(coord, step));
}

/// Which modes of a larger problem an operand has: Step<_1, X, _1>.
template <class T>
concept StepType = is_tuple_v<T>;

/// Where each thread takes one contiguous block instead of every n-th element.
struct blocked_t {};
TILEWRIGHT_CONSTANT_OBJECT blocked_t blocked{};

/// "Give this thread its elements": thread i is at the coordinate thr_layout maps to i and takes every element that
/// is there in a tile of thr_layout's shape (interleaved).
/// pre: 0 <= index < size(thr_layout)
template <TensorType T, class S, class D, class Index>
TILEWRIGHT_FN constexpr auto local_partition(T&& t, Layout<S, D> const& thr_layout, Index const& index) {
  using check = all_hold<detail::index_is_one_number<Index>,
                         detail::tiler_divides<T, decltype(product_each(thr_layout.shape()))>>;
  if constexpr (!check::value) return check::sentence();
  else return outer_partition(t, product_each(thr_layout.shape()), flat_coordinates(thr_layout, index));
}
template <TensorType T, class S, class D, class Index, StepType Projection>
TILEWRIGHT_FN constexpr auto local_partition(T&& t, Layout<S, D> const& thr_layout, Index const& index,
                                             Projection const& step) {
  using check = all_hold<detail::index_is_one_number<Index>,
                         detail::step_has_an_entry_for_each_mode<tuple_size_v<S>, tuple_size_v<Projection>>>;
  if constexpr (!check::value) return check::sentence();
  else
    return outer_partition(t, detail::project(product_each(thr_layout.shape()), step),
                           detail::project(flat_coordinates(thr_layout, index), step));
}
/// The same threads, each with one block of size(tensor) / size(threads) neighbours per mode.
template <TensorType T, class S, class D, class Index>
TILEWRIGHT_FN constexpr auto local_partition(T&& t, Layout<S, D> const& thr_layout, Index const& index, blocked_t) {
  auto const block = ceil_div(product_each(shape(t)), product_each(thr_layout.shape()));
  using check =
      all_hold<detail::index_is_one_number<Index>, detail::tiler_divides<T, std::remove_const_t<decltype(block)>>>;
  if constexpr (!check::value) return check::sentence();
  else return inner_partition(t, block, flat_coordinates(thr_layout, index));
}

/// Of the result of a failed operation.
template <class... A>
TILEWRIGHT_FN constexpr invalid_layout inner_partition(invalid_layout const&, A const&...) {
  return {};
}
template <class... A>
TILEWRIGHT_FN constexpr invalid_layout outer_partition(invalid_layout const&, A const&...) {
  return {};
}
template <class... A>
TILEWRIGHT_FN constexpr invalid_layout local_tile(invalid_layout const&, A const&...) {
  return {};
}
template <class... A>
TILEWRIGHT_FN constexpr invalid_layout local_partition(invalid_layout const&, A const&...) {
  return {};
}

// --- arguments that no overload above takes --------------------------------------------------------------------------
namespace detail {
/// What a caller may take for a tensor.
template <class T>
inline constexpr bool is_no_tensor = !is_invalid_v<T> && (AnyLayout<T> || is_no_layout<T>);
template <class First>
struct local_tile_takes {
  static constexpr bool value = never<First>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "local_tile: takes a tensor, a tiler and a coordinate, and an argument is not one of these; make the "
                  "tensor with make_tensor(pointer, layout) (docs/errors.md#partition_arguments)");
    return invalid_layout{};
  }
};
template <class First>
struct local_partition_takes {
  static constexpr bool value = never<First>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "local_partition: takes a tensor, a thread layout and the thread's number, and an argument is not one of "
        "these; make the tensor with make_tensor and the threads with make_layout "
        "(docs/errors.md#partition_arguments)");
    return invalid_layout{};
  }
};
}  // namespace detail
template <class T, class Tiler, class... More>
requires(detail::is_no_tensor<T>) TILEWRIGHT_FN constexpr auto local_tile(T const&, Tiler const&, More const&...) {
  if constexpr (AnyInvalid<T, Tiler, More...>) return invalid_layout{};
  else return detail::local_tile_takes<T>::sentence();
}
template <class T, class Threads, class... More>
requires(detail::is_no_tensor<T> || detail::is_no_layout<Threads>) TILEWRIGHT_FN
    constexpr auto local_partition(T const&, Threads const&, More const&...) {
  if constexpr (AnyInvalid<T, Threads, More...>) return invalid_layout{};
  else return detail::local_partition_takes<T>::sentence();
}
}  // namespace tilewright
