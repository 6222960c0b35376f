// A kernel that multiplies matrices out of a main loop and an epilogue.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

namespace cutlass::gemm::kernel {

/// Those of main loops for sm_90 that load by TMA are here (sm90_gemm_tma_warpspecialized.hpp).
template <class ProblemShape, class CollectiveMainloop, class CollectiveEpilogue, class TileScheduler = void,
          class Enable = void>
class GemmUniversal;

}  // namespace cutlass::gemm::kernel
