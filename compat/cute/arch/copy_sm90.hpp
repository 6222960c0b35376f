// stmatrix: 8×8 matrices of 16-bit elements from a warp's registers to shared memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm80.hpp"
#include "tilewright/atom/stmatrix.hpp"

namespace cute {

using tilewright::SM90_U16x2_STSM_T;
using tilewright::SM90_U16x4_STSM_T;
using tilewright::SM90_U16x8_STSM_T;
using tilewright::SM90_U32x1_STSM_N;
using tilewright::SM90_U32x2_STSM_N;
using tilewright::SM90_U32x4_STSM_N;

}  // namespace cute
