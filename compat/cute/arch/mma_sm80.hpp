// The matrix operations of warps, SM75 to SM90: the names of tilewright/mma/warp_atoms.hpp. mma_sm75.hpp, mma_sm89.hpp and
// mma_sm90.hpp are this file. Those on complex numbers are in detail/mma_complex.hpp.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma.hpp"
#include "cute/detail/mma_complex.hpp"
#include "tilewright/mma/warp_atoms.hpp"

namespace cute {

#define TILEWRIGHT_X(NAME, ...) using tilewright::NAME;
#include "tilewright/atom/ptx/mma_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_d2_a2_b1.def"
#include "tilewright/atom/ptx/mma_d2_a4_b2.def"
#include "tilewright/atom/ptx/mma_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d4_a8_b4.def"
#undef TILEWRIGHT_X

}  // namespace cute
