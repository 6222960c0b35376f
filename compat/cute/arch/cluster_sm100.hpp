// Launches with two sizes of clusters, the preferred one and one that always fits (sm_100).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"

#if TILEWRIGHT_HOSTED && __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif

#if TILEWRIGHT_HOSTED && __has_include(<cuda_runtime_api.h>)
namespace cute {

namespace detail {
inline unsigned blocks_of(dim3 const& shape) { return shape.x * shape.y * shape.z; }
inline bool divides(dim3 const& part, dim3 const& whole) {
  return part.x != 0 && part.y != 0 && part.z != 0 && whole.x % part.x == 0 && whole.y % part.y == 0 &&
         whole.z % part.z == 0;
}
}  // namespace detail

/// Can a grid be launched in clusters of the preferred size where they fit, and of the fallback's elsewhere? Allows the kernel
/// clusters of more than 8 blocks; without a kernel only the sizes are checked.
inline bool initialize_preferred_cluster_launch(void const* kernel_function, dim3 const& grid_dims,
                                                dim3 const& cluster_dims_preferred, dim3 const& cluster_dims_fallback) {
  constexpr unsigned max_blocks = 32;
  bool const sizes_are_valid = detail::blocks_of(cluster_dims_preferred) <= max_blocks &&
                               detail::blocks_of(cluster_dims_fallback) <= max_blocks &&
                               detail::divides(cluster_dims_fallback, cluster_dims_preferred) &&
                               detail::divides(cluster_dims_fallback, grid_dims);
  if (!sizes_are_valid) return false;
  return kernel_function == nullptr ||
         cudaFuncSetAttribute(kernel_function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess;
}

}  // namespace cute
#endif
