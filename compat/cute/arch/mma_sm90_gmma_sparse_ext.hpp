// The matrix operations of a warpgroup with a sparse A and the N that CuTe has on demand.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma_sparse.hpp"
#include "tilewright/mma/sm90_sparse_gmma_extended_names.hpp"
