// The matrix operations of quad pairs: the names of tilewright/mma/sm70.hpp.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma.hpp"
#include "tilewright/mma/sm70.hpp"

namespace cute {

#define TILEWRIGHT_X(NAME, ...) using tilewright::NAME;
#include "tilewright/atom/ptx/mma_quad_pair_d4_a2_b2.def"
#include "tilewright/atom/ptx/mma_quad_pair_d8_a2_b2.def"
#undef TILEWRIGHT_X

}  // namespace cute
