// The matrix operations of a warpgroup, by both of CuTe's names: SM90::GMMA::MMA_64x128x16_F32BF16BF16_SS and
// SM90_64x128x16_F32BF16BF16_SS; and what orders them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma.hpp"
#include "cute/arch/mma_sm90_desc.hpp"
#include "cute/numeric/integer_sequence.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "tilewright/mma/sm90_gmma_names.hpp"

#include "cute/arch/mma_sm90_gmma_names.def"

namespace cute {

using tilewright::warpgroup_arrive;
using tilewright::warpgroup_commit_batch;
using tilewright::warpgroup_fence_operand;
using tilewright::warpgroup_wait;

}  // namespace cute
