// Whether two tensors share memory, exactly: interleaved tensors in one allocation do not.
#pragma once

#include "tilewright/engine/copy.hpp"

#include <cstdint>

namespace tilewright::engine {

enum class overlap : int {
  none = 0,
  same_places = 1,  // every element has the same place on both sides
  some = 2,         // some element of the source is, or may be, where an element of the destination will be
};

/// The bytes around a tensor's pointer that hold all of its elements; a bound where it is swizzled.
struct byte_reach {
  std::intptr_t first = 0, end = 0;
};

/// What both sides of a movement reach, made once for a plan.
struct movement_reach {
  byte_reach src, dst;
};
movement_reach reach_of(movement const& moves);

/// Two tensors whose bytes are apart, which is the common case, share nothing.
inline bool lie_apart(movement_reach const& r, void const* src, void const* dst) {
  auto const from = reinterpret_cast<std::intptr_t>(src), to = reinterpret_cast<std::intptr_t>(dst);
  return from + r.src.end <= to + r.dst.first || to + r.dst.end <= from + r.src.first;
}

/// pre: neither pointer is null; `moves` is the movement between their layouts, perhaps in wider elements; they do not
///      are apart
overlap overlap_of(movement const& moves, const_tensor_view const& src, tensor_view const& dst);

/// As if the whole source were read before the first element of the destination is written.
void copy_through_temporary(const_tensor_view const& src, tensor_view const& dst, copy_options options);

}  // namespace tilewright::engine
