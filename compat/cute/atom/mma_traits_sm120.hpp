// The traits of the matrix operations of SM120.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm120.hpp"
#include "cute/atom/mma_traits.hpp"
#include "cute/detail/gemm_zip.hpp"

namespace cute {

using tilewright::fp4_shift_A;
using tilewright::fp4_shift_B;

}  // namespace cute
