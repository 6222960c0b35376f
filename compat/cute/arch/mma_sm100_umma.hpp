// Blackwell's matrix operations.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma.hpp"
#include "cute/arch/mma_sm100_desc.hpp"
#include "tilewright/mma/sm100_block_scaled.hpp"
#include "tilewright/mma/sm100_names.hpp"

namespace cute {

#define TILEWRIGHT_X(NAME, KIND, BLOCKS)   \
  using tilewright::SM100_MMA_##NAME##_SS; \
  using tilewright::SM100_MMA_##NAME##_TS;
#include "tilewright/mma/umma_float_kinds.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(NAME, KIND, BLOCKS)          \
  using tilewright::SM100_MMA_##NAME##_SS_SCALED; \
  using tilewright::SM100_MMA_##NAME##_TS_SCALED;
#include "tilewright/mma/umma_scaled_kinds.def"
#undef TILEWRIGHT_X
using tilewright::SM100_MMA_MXF4_2x1SM_SS;
using tilewright::SM100_MMA_MXF4_SS;
using tilewright::SM100_MMA_MXF8F6F4_2x1SM_SS;
using tilewright::SM100_MMA_MXF8F6F4_SS;
using tilewright::SM100_MMA_S8_2x1SM_SS;
using tilewright::SM100_MMA_S8_2x1SM_TS;
using tilewright::SM100_MMA_S8_SS;
using tilewright::SM100_MMA_S8_TS;

}  // namespace cute
