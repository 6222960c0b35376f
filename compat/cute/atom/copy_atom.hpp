// Copy atoms and tiled copies.
#pragma once

#include "cute/atom/copy_traits.hpp"
#include "cute/atom/copy_traits_sm80.hpp"
#include "cute/tensor_impl.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

namespace cute {

using tilewright::Copy_Atom;
using tilewright::make_cotiled_copy;
using tilewright::make_tiled_copy;
using tilewright::make_tiled_copy_impl;
using tilewright::size;  // of a tiled copy: its threads
using tilewright::ThrCopy;
using tilewright::TiledCopy;

template <class T>
struct is_copy_atom : bool_constant<tilewright::is_copy_atom_v<std::remove_cvref_t<T>>> {};
template <class T>
struct is_tiled_copy : bool_constant<tilewright::is_tiled_copy_v<std::remove_cvref_t<T>>> {};

/// The extents of a tiled copy's tile (of its mode I).
template <int... I, class Atom, class TV, class Tiler>
CUTE_HOST_DEVICE constexpr auto tile_size(TiledCopy<Atom, TV, Tiler> const& tiled) { return size<I...>(tiled.tile_shape()); }

}  // namespace cute
