// MMA atoms, tiled matrix operations and a thread's slice of one.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/mma_traits.hpp"
#include "cute/atom/mma_traits_sm61.hpp"
#include "cute/atom/mma_traits_sm70.hpp"
#include "cute/atom/mma_traits_sm75.hpp"
#include "cute/atom/mma_traits_sm80.hpp"
#include "cute/atom/mma_traits_sm89.hpp"
#include "cute/atom/mma_traits_sm90.hpp"
#include "cute/detail/tiled_mma.hpp"
#include "cute/util/print.hpp"
#include "tilewright/algorithm/print_mma.hpp"

namespace cute {

using tilewright::print;
using tilewright::size;  // of a tiled operation: its threads
using tilewright::thr_size;
using tilewright::tile_shape;
using tilewright::tile_size;

/// The operation itself, as of every object that is no layout and no tuple.
template <class Atom, class AtomLayoutMNK, class PermutationMNK>
CUTE_HOST_DEVICE constexpr auto shape(TiledMMA<Atom, AtomLayoutMNK, PermutationMNK> const& tiled) {
  return tiled;
}

}  // namespace cute
