// Whether two tensors share memory, exactly: interleaved tensors in one allocation do not.
#pragma once

#include "tilewright/engine/copy.hpp"

namespace tilewright::engine {

enum class overlap : int {
  none = 0,
  same_places = 1,  // every element has the same place on both sides
  some = 2,         // some element of the source is, or may be, where an element of the destination will be
};

/// pre: neither pointer is null; `moves` is the movement between their layouts, perhaps in wider elements
overlap overlap_of(movement const& moves, const_tensor_view const& src, tensor_view const& dst);

/// As if the whole source were read before the first element of the destination is written.
void copy_through_temporary(const_tensor_view const& src, tensor_view const& dst, copy_options options);

}  // namespace tilewright::engine
