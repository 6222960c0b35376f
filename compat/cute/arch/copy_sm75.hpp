// ldmatrix: 8×8 matrices of 16-bit elements from shared memory, to a warp's registers.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy.hpp"
#include "tilewright/atom/ldmatrix.hpp"

namespace cute {

using tilewright::SM75_U16x2_LDSM_T;
using tilewright::SM75_U16x4_LDSM_T;
using tilewright::SM75_U16x8_LDSM_T;
using tilewright::SM75_U32x1_LDSM_N;
using tilewright::SM75_U32x2_LDSM_N;
using tilewright::SM75_U32x4_LDSM_N;

}  // namespace cute
