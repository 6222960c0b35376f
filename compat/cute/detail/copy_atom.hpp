// Copy atoms and tiled copies.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/copy_traits.hpp"
#include "cute/atom/copy_traits_sm75.hpp"
#include "cute/atom/copy_traits_sm80.hpp"
#include "cute/atom/copy_traits_sm90.hpp"
#include "cute/detail/tiled_copy.hpp"
#include "cute/tensor_impl.hpp"
#include "tilewright/tiled/make_tiled_copy_mma.hpp"

namespace cute {

using tilewright::size;  // of a tiled copy: its threads

template <class T>
struct is_copy_atom : bool_constant<tilewright::is_copy_atom_v<std::remove_cvref_t<T>>> {};
template <class T>
struct is_tiled_copy : bool_constant<tilewright::is_tiled_copy_v<std::remove_cvref_t<T>>> {};

/// Another atom on the thread-value layout that a tiled copy has for its source, or for its destination.
template <class Op, class T, class Tiled>
requires(is_tiled_copy<Tiled>::value) CUTE_HOST_DEVICE
    constexpr auto make_tiled_copy_S(Copy_Atom<Op, T> const& atom, Tiled const& tiled) {
  return cute::make_tiled_copy_impl(atom, tiled.get_layoutS_TV(), typename Tiled::Tiler_MN{});
}
template <class Op, class T, class Tiled>
requires(is_tiled_copy<Tiled>::value) CUTE_HOST_DEVICE
    constexpr auto make_tiled_copy_D(Copy_Atom<Op, T> const& atom, Tiled const& tiled) {
  return cute::make_tiled_copy_impl(atom, tiled.get_layoutD_TV(), typename Tiled::Tiler_MN{});
}

/// The extents of a tiled copy's tile (of its mode I).
template <int... I, class Atom, class TV, class Tiler>
CUTE_HOST_DEVICE constexpr auto tile_size(tilewright::TiledCopy<Atom, TV, Tiler> const& tiled) {
  return size<I...>(tiled.tile_shape());
}

/// The copy itself, as of every object that is no layout and no tuple.
template <class Atom, class TV, class Tiler>
CUTE_HOST_DEVICE constexpr auto shape(TiledCopy<Atom, TV, Tiler> const& tiled) {
  return tiled;
}

}  // namespace cute
