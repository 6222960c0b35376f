// The attributes of a launch: clusters, and grids that begin before the one ahead has ended. Empty where CUDA's runtime is not
// installed.
#pragma once

#include "tilewright/base/config.hpp"

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>

namespace cutlass::detail {

inline cudaLaunchAttribute cluster_attribute(dim3 cluster) {
  cudaLaunchAttribute out{};
  out.id = cudaLaunchAttributeClusterDimension;
  out.val.clusterDim.x = cluster.x;
  out.val.clusterDim.y = cluster.y;
  out.val.clusterDim.z = cluster.z;
  return out;
}
/// The grid may begin before the one ahead of it in the stream has ended (sm_90).
inline cudaLaunchAttribute dependent_launch_attribute() {
  cudaLaunchAttribute out{};
  out.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  out.val.programmaticStreamSerializationAllowed = 1;
  return out;
}

}  // namespace cutlass::detail
#endif
