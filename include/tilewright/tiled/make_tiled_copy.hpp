// Ways to declare a tiled copy: from a thread and a value layout, from a thread-value layout and a tile, or from the
// addresses that threads and values should touch in a given data layout.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/tiled/tiled_copy.hpp"

namespace tilewright {

namespace op {

template <int AtomValues>
struct thread_value_layout {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& thr, int_tree const& val) {
    return tiling::thread_value_layout(c, thr, tiling::values_of_atoms(c, val, constant_leaf(AtomValues)));
  }
};
template <int AtomValues>
struct covered_tile {
  static constexpr auto kind = lift::result_kind::tuple;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& thr, int_tree const& val) {
    return tiling::covered_tile(c, thr, tiling::values_of_atoms(c, val, constant_leaf(AtomValues)));
  }
};

/// For make_cotiled_copy: (thr, val) -> coordinate of the data, as an index into its shape. Of coordinates that share an element
/// the first; the others are rests of the copy's tile.
struct data_index {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& tv, int_tree const& data) {
    return algebra::composition(c, algebra::left_inverse(c, data, algebra::undone::offsets), tv);
  }
};
/// The coordinates of one mode that any (thr, val) touches.
template <int Mode>
struct touched_mode {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& index, int_tree const& data) {
    int_tree mode = algebra::product_each(c, data);
    for (int i = 0; i < mode.leaves; ++i) mode.stride[i] = constant_leaf(i == Mode ? 1 : 0);
    return algebra::filter(c, algebra::composition(c, mode, index));
  }
};
/// (thr, val) -> index in the tile made of the touched modes.
struct tile_index {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& index, int_tree const& data,
                                             int_tree const& tiler) {
    int_tree const whole = algebra::compact_left(c, algebra::product_each(c, data));
    int_tree const tile = algebra::composition_by_tiler(c, whole, tiler);
    return algebra::composition(c, algebra::left_inverse(c, tile), index);
  }
};

}  // namespace op

namespace detail {

template <class Threads, class Values>
struct thread_and_value_layouts_are_static {
  static constexpr bool value = is_static_v<Threads> && is_static_v<Values>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_tiled_copy: the thread and value layouts must be static; make their extents compile-time constants "
        "(docs/errors.md#tiled_copy_static)");
    return invalid_layout{};
  }
};
template <class Addresses, class Data>
struct addresses_and_data_are_static {
  static constexpr bool value = is_static_v<Addresses> && is_static_v<Data>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_cotiled_copy: both layouts must be static; make their extents and strides compile-time constants "
        "(docs/errors.md#tiled_copy_static)");
    return invalid_layout{};
  }
};

}  // namespace detail

/// A copy of `atom` with a thread-value layout given: (thr_idx, val_idx) -> index in the tile (first mode fastest).
/// tiler: an extent, a layout or `_` for each mode
template <class Op, class T, class S, class D, TupleType Tiler>
TILEWRIGHT_FN constexpr auto make_tiled_copy(Copy_Atom<Op, T> const& atom, Layout<S, D> const&, Tiler const&) {
  using Atom = Copy_Atom<Op, T>;
  if constexpr (!Atom::atom_holds_whole_elements || lift::is_invalid<Tiler>) return invalid_layout{};
  else if constexpr (!detail::whole_atoms<Atom, Layout<S, D>>::value)
    return detail::whole_atoms<Atom, Layout<S, D>>::sentence();
  else return TiledCopy<Atom, Layout<S, D>, Tiler>{atom};
}
template <class Op, class T, class S, class D, class Tiler>
TILEWRIGHT_FN constexpr auto make_tiled_copy_impl(Copy_Atom<Op, T> const& atom, Layout<S, D> const& tv,
                                                  Tiler const& tiler) {
  return make_tiled_copy(atom, tv, wrap(tiler));
}

/// A copy whose threads are placed by thr_layout, (m,n,…) -> thr_idx, each with the values of val_layout,
/// (m,n,…) -> val_idx, raked: the tile is thr × val. val_layout counts values when its size is a multiple of the atom's
/// values, those of its reference layout; otherwise it counts atoms, and the atom's values extend mode 0.
/// pre: both layouts compact and static, of any rank
template <class Op, class T, class TS, class TD, class VS = _1, class VD = _0>
TILEWRIGHT_FN constexpr auto make_tiled_copy(Copy_Atom<Op, T> const& atom, Layout<TS, TD> const& thr_layout,
                                             Layout<VS, VD> const& val_layout = {}) {
  using Thr = Layout<TS, TD>;
  using Val = Layout<VS, VD>;
  constexpr int values = Copy_Atom<Op, T>::NumValRef;
  using arguments = all_hold<detail::thread_and_value_layouts_are_static<Thr, Val>,
                             lift::succeeds<op::thread_value_layout<values>, Thr, Val>>;
  if constexpr (!arguments::value) {
    return arguments::sentence();
  } else if constexpr (AnyInvalid<TS, TD, VS, VD>) {
    return invalid_layout{};
  } else {
    auto const tv = lift::call<op::thread_value_layout<values>, Thr, Val>::on(thr_layout, val_layout);
    auto const tile = lift::call<op::covered_tile<values>, Thr, Val>::on(thr_layout, val_layout);
    using whole = detail::whole_atoms<Copy_Atom<Op, T>, std::remove_const_t<decltype(tv)>>;
    if constexpr (!whole::value) return whole::sentence();
    else return make_tiled_copy(atom, tv, wrap(tile));
  }
}

/// From the result of a failed operation.
template <class Atom, class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr invalid_layout make_tiled_copy(Atom const&, A const&...) {
  return {};
}

namespace detail {
template <class Index, class Data, int... N>
TILEWRIGHT_FN constexpr auto touched_tiler(Index const& index, Data const& data, seq<N...>) {
  return make_tile(lift::call<op::touched_mode<N>, Index, Data>::on(index, data)...);
}
}  // namespace detail

/// A copy whose (thr, val) touch given addresses: atom_tv_layout maps (thr_idx, val_idx) to offsets of data_layout,
/// and the tile is made of the coordinates they touch.
/// pre: every offset is one of data_layout, which is injective; static
template <class Op, class T, LayoutType TV, LayoutType Data>
TILEWRIGHT_FN constexpr auto make_cotiled_copy(Copy_Atom<Op, T> const& atom, TV const& atom_tv_layout,
                                               Data const& data_layout) {
  using check = all_hold<detail::addresses_and_data_are_static<TV, Data>, lift::succeeds<op::data_index, TV, Data>>;
  if constexpr (!check::value) {
    return check::sentence();
  } else {
    auto const index = lift::call<op::data_index, TV, Data>::on(atom_tv_layout, data_layout);
    if constexpr (is_invalid_v<decltype(index)>) {
      return invalid_layout{};
    } else {
      using Index = std::remove_const_t<decltype(index)>;
      auto const tiler = detail::touched_tiler(index, data_layout, make_seq<rank_v<Data>>{});
      using Tiler = std::remove_const_t<decltype(tiler)>;
      auto const tv = lift::call<op::tile_index, Index, Data, lift::as_tiler<Tiler>>::on(index, data_layout, tiler);
      return make_tiled_copy(atom, tv, tiler);
    }
  }
}

// --- arguments that no overload above takes --------------------------------------------------------------------------
namespace detail {
template <class First, class... More>
struct make_tiled_copy_takes {
  static constexpr bool atom_is_first = is_copy_atom_v<First>;
  static constexpr bool atom_is_later = !atom_is_first && (is_copy_atom_v<More> || ...);
  static constexpr bool value = never<First, More...>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(!atom_is_later,
                  "make_tiled_copy: the copy atom comes first, then the thread layout and the value layout; swap the "
                  "arguments (docs/errors.md#tiled_copy_arguments)");
    static_assert(
        atom_is_first || atom_is_later,
        "make_tiled_copy: the first argument is not a copy atom; pass Copy_Atom<Operation, Element>{}, then the "
        "thread layout and the value layout (docs/errors.md#tiled_copy_arguments)");
    static_assert(
        value || !atom_is_first,
        "make_tiled_copy: after the copy atom come the thread layout and the value layout, and an argument is "
        "not a layout; pass Layout<Shape<…>>{} or make_layout(shape) (docs/errors.md#tiled_copy_arguments)");
    return invalid_layout{};
  }
};
}  // namespace detail
template <class A, class B, class... More>
requires(!AnyInvalid<A, B, More...> &&
         (!is_copy_atom_v<A> || !is_layout_v<B> || (detail::is_no_entry<More> || ...))) TILEWRIGHT_FN
    constexpr auto make_tiled_copy(A const&, B const&, More const&...) {
  return detail::make_tiled_copy_takes<A, B, More...>::sentence();
}
template <class A>
requires(!is_invalid_v<A>) TILEWRIGHT_FN constexpr auto make_tiled_copy(A const&) {
  return detail::make_tiled_copy_takes<A>::sentence();
}
}  // namespace tilewright
