// The matrix operations of a warpgroup with a sparse A and the N that CuTe has on demand: mma_sm90_gmma_sparse.hpp has all.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma_sparse.hpp"
