// A kernel that multiplies matrices out of a main loop and an epilogue.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

namespace cutlass::gemm::kernel {

/// Those of main loops for sm_90 that load by TMA are here (sm90_gemm_tma_warpspecialized.hpp).
template <class ProblemShape, class CollectiveMainloop, class CollectiveEpilogue, class TileScheduler = void,
          class Enable = void>
class GemmUniversal;

namespace detail {
/// Does a main loop say that it computes the transposed product, B · A?
template <class CollectiveMainloop>
inline constexpr bool Has_SwapAB_v = false;
template <class CollectiveMainloop>
requires requires { CollectiveMainloop::SwapAB; }
inline constexpr bool Has_SwapAB_v<CollectiveMainloop> = CollectiveMainloop::SwapAB;
}  // namespace detail

}  // namespace cutlass::gemm::kernel
