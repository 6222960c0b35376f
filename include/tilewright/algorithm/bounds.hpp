// Remainders, stated once: bounds pair the coordinates of a partition with the extents of the whole problem. A copy with
// bounds moves whole atoms where all their elements are inside, single elements at the edge, and nothing beyond.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algorithm/copy.hpp"

namespace tilewright {

/// The coordinates of what a thread moves, ((atom values, …), Rest…), and the extents they must stay below.
template <class Coords, class Extents>
struct Bounds {
  Coords coords;
  Extents extents;
};

/// coords: a partition of an identity tensor, made like those that are copied; extents: the shape of the whole
template <TensorType Coords, IntTuple Extents>
TILEWRIGHT_FN constexpr auto make_bounds(Coords const& coords, Extents const& extents) {
  return Bounds<Coords, Extents>{coords, extents};
}

/// The bounds of a thread's partition of the tile at `coord` of a problem of the given extents.
template <class Copy, class Thr, IntTuple Extents, class Tiler, class Coordinate>
TILEWRIGHT_FN constexpr auto make_bounds(ThrCopy<Copy, Thr> const& thr_copy, Extents const& extents, Tiler const& tiler,
                                         Coordinate const& coord) {
  auto const tile = local_tile(make_identity_tensor(extents), tiler, coord);
  return make_bounds(thr_copy.partition_S(tile), extents);
}

/// From the result of a failed operation.
template <class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr invalid_layout make_bounds(A const&...) { return {}; }

namespace detail {

// Classes, because NVRTC takes no generic lambdas without a flag.
template <class Extents>
struct assign_below {
  Extents const& extents;
  TILEWRIGHT_NO_EXEC_CHECK
  template <class S, class D, class Coord>
  TILEWRIGHT_FN constexpr void operator()(S const& s, D&& d, Coord const& at) const {
    if (elem_less(at, extents)) d = s;
  }
};
template <class Atom, class Extents>
struct copy_atom_below {
  Atom const& atom;
  Extents const& extents;
  template <class S, class D, class Coords>
  TILEWRIGHT_FN constexpr void operator()(S const& s, D&& d, Coords const& c) const {
    auto const last = size(c) - C<1>{};
    if (elem_less(c(last), extents)) copy(atom, s, d);
    else for_each_element(assign_below<Extents>{extents}, s, d, c);
  }
};

template <class Src, class Dst, class Coords>
using bounded_copy_check =
    all_hold<source_and_destination_have_one_rank<rank_v<Src>, rank_v<Dst>>, is_writable<Dst>,
             tensors_match<algorithm::copy, Src, Dst>, tensors_match<algorithm::copy, Src, Coords>>;

}  // namespace detail

/// Mode 0 whole where it is inside, by element where it extends beyond.
/// pre: the coordinates rise with the index in mode 0, as those of identity tensors do
template <class Op, class T, TensorType Src, TensorType Dst, class Coords, class Extents>
TILEWRIGHT_FN constexpr void copy(Copy_Atom<Op, T> const& atom, Src const& src, Dst&& dst,
                                  Bounds<Coords, Extents> const& bounds) {
  using D = std::remove_cvref_t<Dst>;
  using check = detail::bounded_copy_check<Src, D, Coords>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    if (!detail::takes_part(src, dst)) return;
    detail::require_match<detail::algorithm::copy>(src.shape(), dst.shape());
    detail::require_match<detail::algorithm::copy>(src.shape(), bounds.coords.shape());
    detail::for_each_rest(detail::copy_atom_below<Copy_Atom<Op, T>, Extents>{atom, bounds.extents}, src, dst,
                          bounds.coords);
  }
}
template <class Atom, class TV, class Tiler, TensorType Src, TensorType Dst, class Coords, class Extents>
TILEWRIGHT_FN constexpr void copy(TiledCopy<Atom, TV, Tiler> const& tiled, Src const& src, Dst&& dst,
                                  Bounds<Coords, Extents> const& bounds) {
  using check = detail::bounded_copy_check<Src, std::remove_cvref_t<Dst>, Coords>;
  if constexpr (!check::value) (void)check::sentence();
  else copy(static_cast<Atom const&>(tiled), src, dst, bounds);
}

}  // namespace tilewright
