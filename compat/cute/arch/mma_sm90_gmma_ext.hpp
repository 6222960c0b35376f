// The matrix operations of a warpgroup with the N that CuTe has on demand, by both names.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma.hpp"
#include "tilewright/mma/sm90_gmma_extended_names.hpp"

#define TILEWRIGHT_EXTENDED
#include "cute/arch/mma_sm90_gmma_names.def"
#undef TILEWRIGHT_EXTENDED
