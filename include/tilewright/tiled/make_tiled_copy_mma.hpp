// Tiled copies for the operands of a matrix operation: each thread gets what the operation will ask of it. A, B and C
// name the operand; the operation says which thread holds which of its values, as a thread-value layout of its tile.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tiled/make_tiled_copy.hpp"

namespace tilewright {

/// What these functions ask of a matrix operation on a tile of M × N × K:
///   tile_shape()       (M, N, K), static
///   get_layoutA_TV()   (thread, value) -> index in (M, K), first mode fastest
///   get_layoutB_TV()   (thread, value) -> index in (N, K)
///   get_layoutC_TV()   (thread, value) -> index in (M, N)
/// Only the operand's own layout is needed.
namespace detail {
template <int I, int J, class Mma>
TILEWRIGHT_FN constexpr auto operand_tile(Mma const& mma) {
  auto const shape = mma.tile_shape();
  return make_shape(get<I>(shape), get<J>(shape));
}
}  // namespace detail

/// post: size(partition_D(A)) values for each thread of the operation, in its order: copy(tiled, thr.partition_S(smem),
///       thr.retile_D(fragment)) fills a fragment that was made for the operation
template <class Op, class T, class Mma>
TILEWRIGHT_FN constexpr auto make_tiled_copy_A(Copy_Atom<Op, T> const& atom, Mma const& mma) {
  return make_tiled_copy(atom, mma.get_layoutA_TV(), detail::operand_tile<0, 2>(mma));
}
template <class Op, class T, class Mma>
TILEWRIGHT_FN constexpr auto make_tiled_copy_B(Copy_Atom<Op, T> const& atom, Mma const& mma) {
  return make_tiled_copy(atom, mma.get_layoutB_TV(), detail::operand_tile<1, 2>(mma));
}
/// For the result: copy(tiled, thr.retile_S(fragment), thr.partition_D(smem)).
template <class Op, class T, class Mma>
TILEWRIGHT_FN constexpr auto make_tiled_copy_C(Copy_Atom<Op, T> const& atom, Mma const& mma) {
  return make_tiled_copy(atom, mma.get_layoutC_TV(), detail::operand_tile<0, 1>(mma));
}

/// As make_tiled_copy_C, cut to the values of one atom: for results that are stored piece by piece.
/// post: the tile is made of the elements that these values touch
template <class Op, class T, class Mma>
TILEWRIGHT_FN constexpr auto make_tiled_copy_C_atom(Copy_Atom<Op, T> const& atom, Mma const& mma) {
  auto const tv = mma.get_layoutC_TV();
  using Threads = decltype(size<0>(tv));
  auto const first = composition(tv, Layout<Shape<Threads, C<Copy_Atom<Op, T>::NumValSrc>>>{});
  return make_cotiled_copy(atom, first, make_layout(detail::operand_tile<0, 1>(mma)));
}

}  // namespace tilewright
