// The matrix operations of warps that SM120 has: products of narrow floats, and those whose rows are blocks with a factor each.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm89.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "tilewright/mma/sm120.hpp"
#include "tilewright/mma/sm120_scaled.hpp"

namespace cute {

using tilewright::SM120_16x8x32_TN;

/// The operation for the types of A, B and C.
template <class A, class B, class C_>
CUTE_HOST_DEVICE constexpr auto rr_op_selector_sm120() {
  return SM120_16x8x32_TN<A, B, C_>{};
}

namespace SM120::BLOCKSCALED {
using tilewright::fp4_shift_A;
using tilewright::fp4_shift_B;
using tilewright::SM120_16x8x32_TN_VS;
using tilewright::SM120_16x8x64_TN_VS;
}  // namespace SM120::BLOCKSCALED

/// The operation for the types of A, B and C and a factor of type SF for SFVecSize elements.
/// InBytes: floats of 4 bits have a byte each
template <class A, class B, class C_, class SF, int SFVecSize, bool InBytes>
CUTE_HOST_DEVICE constexpr auto rr_blockscaled_op_selector_sm120() {
  if constexpr (InBytes) return SM120::BLOCKSCALED::SM120_16x8x32_TN_VS<A, B, C_, SF, SFVecSize>{};
  else return SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<A, B, C_, SF, SFVecSize>{};
}

}  // namespace cute
