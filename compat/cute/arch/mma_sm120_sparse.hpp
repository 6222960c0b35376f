// The matrix operations of warps of SM120 whose A is sparse.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm120.hpp"
#include "tilewright/mma/sm120_sparse.hpp"

namespace cute {

namespace SM120::SPARSE {
using tilewright::SM120_SPARSE_16x8x64_TN;
}
namespace SM120::BLOCKSCALED::SPARSE {
using tilewright::SM120_SPARSE_16x8x128_TN_VS;
using tilewright::SM120_SPARSE_16x8x64_TN_VS;
}  // namespace SM120::BLOCKSCALED::SPARSE

/// The operation for the types of A, B and C.
template <class A, class B, class C_>
CUTE_HOST_DEVICE constexpr auto rr_sparse_op_selector_sm120() {
  return SM120::SPARSE::SM120_SPARSE_16x8x64_TN<A, B, C_>{};
}
/// InBytes: floats of 4 bits have a byte each
template <class A, class B, class C_, class SF, int SFVecSize, bool InBytes>
CUTE_HOST_DEVICE constexpr auto rr_blockscaled_sparse_op_selector_sm120() {
  if constexpr (InBytes) return SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x64_TN_VS<A, B, C_, SF, SFVecSize>{};
  else return SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x128_TN_VS<A, B, C_, SF, SFVecSize>{};
}

}  // namespace cute
