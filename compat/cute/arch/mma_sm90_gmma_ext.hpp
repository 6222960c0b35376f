// The matrix operations of a warpgroup with the N that CuTe has on demand: mma_sm90_gmma.hpp has all.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma.hpp"
