// The two maps every launch needs between extents and indices of grids and blocks: three indices to one and back, x
// running fastest.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/machine/dim3.hpp"

namespace tilewright {

/// pre: x * y fits 64 bits, as it does within the limits of a launch.
TILEWRIGHT_HOST_DEVICE constexpr unsigned long long volume(dim3 const& extents) {
  return static_cast<unsigned long long>(extents.x) * extents.y * extents.z;
}

/// pre: each index is below its extent; post: 0 <= result < volume(extents).
TILEWRIGHT_HOST_DEVICE constexpr unsigned long long linear_index(dim3 const& index, dim3 const& extents) {
  return index.x +
         static_cast<unsigned long long>(extents.x) * (index.y + static_cast<unsigned long long>(extents.y) * index.z);
}

/// The inverse of linear_index.
/// pre: linear < volume(extents)
TILEWRIGHT_HOST_DEVICE constexpr dim3 index_3d(unsigned long long linear, dim3 const& extents) {
  auto const plane = linear / extents.x;
  return {static_cast<unsigned>(linear % extents.x), static_cast<unsigned>(plane % extents.y),
          static_cast<unsigned>(plane / extents.y)};
}

}  // namespace tilewright
