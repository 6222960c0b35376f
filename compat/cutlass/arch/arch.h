// Architectures as types, by which programs choose among their kernels.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

namespace cutlass::arch {

template <int Capability>
struct sm_architecture {
  static int const kMinComputeCapability = Capability;
};
struct Sm50 : sm_architecture<50> {};
struct Sm60 : sm_architecture<60> {};
struct Sm61 : sm_architecture<61> {};
struct Sm70 : sm_architecture<70> {};
struct Sm72 : sm_architecture<72> {};
struct Sm75 : sm_architecture<75> {};
struct Sm80 : sm_architecture<80> {};
struct Sm86 : sm_architecture<86> {};
struct Sm89 : sm_architecture<89> {};
struct Sm90 : sm_architecture<90> {};
struct Sm100 : sm_architecture<100> {};
struct Sm101 : sm_architecture<101> {};
struct Sm103 : sm_architecture<103> {};
struct Sm120 : sm_architecture<120> {};

/// Shared memory that a block can have, in bytes.
inline constexpr int sm80_smem_capacity_bytes = 163 * 1024;
inline constexpr int sm90_smem_capacity_bytes = 227 * 1024;
inline constexpr int sm100_smem_capacity_bytes = 227 * 1024;
inline constexpr int sm120_smem_capacity_bytes = 99 * 1024;

#if defined(__CUDACC__)
/// Of this thread in its warp.
CUTLASS_DEVICE int LaneId() {
  return static_cast<int>((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
}
#endif

}  // namespace cutlass::arch
