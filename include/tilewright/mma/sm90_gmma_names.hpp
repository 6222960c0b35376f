// CuTe's names of the matrix operations of a warpgroup with N of 8, 16, 32, 64, 96, 128, 192 and 256:
// SM90_64x128x16_F32BF16BF16_SS<majorA, majorB> and its like; mma/sm90_gmma_extended_names.hpp has those of every other N. Operations _TN have operands that are K-major; _SS reads A from shared memory, _RS from registers; _SATURATE keeps int32
// sums within their range.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma.hpp"
#include "tilewright/mma/sm90_gmma_names.def"
