// What chooses how a warpgroup stores its result to shared memory (sm_90).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90.hpp"
#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/detail/epilogue_major.hpp"

namespace cutlass::epilogue::collective::detail {

/// stmatrix for elements of 16 bits, as wide as the tile's N allows, transposed where M is the contiguous mode of memory. Programs for
/// CUTLASS before 3.9 name no tile.
template <class GmemStrideTypeD, class ElementD, class EpilogueTile_MN = cute::Shape<cute::_64, cute::_32>>
CUTLASS_HOST_DEVICE constexpr auto sm90_get_smem_store_op_for_accumulator() {
  using namespace cute;
  constexpr int n = size<1>(EpilogueTile_MN{});  // a warp's accumulators have 16 rows, whatever M
  constexpr bool has_matrices = sizeof(ElementD) == 2 && n % 8 == 0;
  if constexpr (has_matrices && is_m_major<GmemStrideTypeD>()) {
    if constexpr (n % 16 == 0) return SM90_U16x8_STSM_T{};
    else return SM90_U16x4_STSM_T{};
  } else if constexpr (has_matrices && is_n_major<GmemStrideTypeD>()) {
    if constexpr (n % 16 == 0) return SM90_U32x4_STSM_N{};
    else return SM90_U32x2_STSM_N{};
  } else {
    return AutoVectorizingCopyWithAssumedAlignment<128>{};
  }
}

}  // namespace cutlass::epilogue::collective::detail
