// CuTe's names of the matrix operations of a warpgroup with a sparse A and the N that mma/sm90_sparse_gmma_names.hpp has not:
// SM90::GMMA::SPARSE::GMMA_64x80x32_F32F16F16_SS and its like.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma_extended_names.hpp"
#include "tilewright/mma/sm90_sparse_gmma_names.hpp"

#define TILEWRIGHT_EXTENDED
#include "tilewright/mma/sm90_sparse_gmma_names.def"
#undef TILEWRIGHT_EXTENDED
