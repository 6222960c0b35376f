// CuTe's names of the matrix operations of a warpgroup with a sparse A and N of 8, 16, 32, 64, 96, 128, 192 and 256:
// SM90::GMMA::SPARSE::GMMA_64x128x32_F32BF16BF16_SS<majorA, majorB> and its like. Operations _TN have operands that are K-major;
// _SS reads A from shared memory, _RS from registers; _SATURATE keeps int32 sums within their range.
// mma/sm90_sparse_gmma_extended_names.hpp has those of every other N.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma_names.hpp"
#include "tilewright/mma/sm90_sparse_gmma.hpp"

#include "tilewright/mma/sm90_sparse_gmma_names.def"
