// Three extents or indices, x running fastest: CUDA's dim3 where CUDA has one, the same three numbers elsewhere.
#pragma once

#include "tilewright/base/config.hpp"

namespace tilewright {

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
using dim3 = ::dim3;
TILEWRIGHT_HOST_DEVICE constexpr bool operator==(dim3 const& a, dim3 const& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
#else
struct dim3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;

  constexpr dim3(unsigned x_extent = 1, unsigned y_extent = 1, unsigned z_extent = 1)
      : x(x_extent),
        y(y_extent),
        z(z_extent) {}
  friend constexpr bool operator==(dim3 const&, dim3 const&) = default;
};
#endif

}  // namespace tilewright
