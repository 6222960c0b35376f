// CuTe's names of the matrix operations of a warpgroup with the N that mma/sm90_gmma_names.hpp has not: SM90_64x80x16_F32F16F16_SS
// and its like. They are many: a file that includes this one takes longer to compile.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma_names.hpp"

#define TILEWRIGHT_EXTENDED
#include "tilewright/mma/sm90_gmma_names.def"
#undef TILEWRIGHT_EXTENDED
