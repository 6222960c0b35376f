// The matrix operations of warps that SM120 has.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm89.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "tilewright/mma/sm120.hpp"

namespace cute {

using tilewright::SM120_16x8x32_TN;

/// The operation for the types of A, B and C.
template <class A, class B, class C_>
CUTE_HOST_DEVICE constexpr auto rr_op_selector_sm120() {
  return SM120_16x8x32_TN<A, B, C_>{};
}

}  // namespace cute
