// copy and copy_if: element by element, by an atom, or by a tiled copy.
#pragma once

#include "cute/atom/copy_atom.hpp"
#include "tilewright/algorithm/bounds.hpp"

namespace cute {

using tilewright::copy;
using tilewright::copy_if;
using tilewright::make_bounds;

/// Tensors whose first elements are aligned to 128 bits.
template <class Src, class Dst>
CUTE_HOST_DEVICE constexpr void copy_aligned(Src const& src, Dst&& dst) {
  copy(AutoVectorizingCopy{}, src, dst);
}

}  // namespace cute
