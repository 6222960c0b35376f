// copy and copy_if: element by element, by an atom, or by a tiled copy.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/copy_atom.hpp"
#include "cute/tensor_predicate.hpp"
#include "tilewright/algorithm/bounds.hpp"

namespace cute {

using tilewright::copy;
using tilewright::copy_if;
using tilewright::make_bounds;

/// pred(i) for each element's index i, or for each index of an atom's rest modes: for predicates that are functions.
template <class Pred, class Src, class Dst>
requires(!tilewright::TensorType<Pred> && tilewright::TensorType<Src> && tilewright::TensorType<Dst>) CUTE_HOST_DEVICE
    constexpr void copy_if(Pred const& pred, Src const& src, Dst&& dst) {
  auto const n = size(dst);
  CUTE_UNROLL
  for (int i = 0; i < static_cast<int>(n); ++i)
    if (pred(i)) dst(i) = src(i);
}
template <class Op, class T, class Pred, class Src, class Dst>
requires(!tilewright::TensorType<Pred>) CUTE_HOST_DEVICE
    constexpr void copy_if(Copy_Atom<Op, T> const& atom, Pred const& pred, Src const& src, Dst&& dst) {
  auto const answers = [&] {
    if constexpr (rank_v<Src> == 1) return make_counting_tensor(Layout<tilewright::_1, tilewright::_0>{});
    else return make_counting_tensor(make_layout(take<1, rank_v<Src>>(shape(src))));
  }();
  copy_if(atom, lazy::transform(answers, pred), src, dst);
}
template <class Atom, class TV, class Tiler, class Pred, class Src, class Dst>
requires(!tilewright::TensorType<Pred>) CUTE_HOST_DEVICE
    constexpr void copy_if(TiledCopy<Atom, TV, Tiler> const& tiled, Pred const& pred, Src const& src, Dst&& dst) {
  copy_if(static_cast<Atom const&>(tiled), pred, src, dst);
}

/// Tensors whose first elements are aligned to 128 bits.
template <class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_aligned(Src const& src, Dst&& dst) {
  copy(AutoVectorizingCopy{}, src, dst);
}

}  // namespace cute
