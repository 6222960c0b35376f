// The matrix operations of a warpgroup with a sparse A: SM90::GMMA::SPARSE::GMMA_64x128x32_F32F16F16_SS and its like.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma.hpp"
#include "tilewright/mma/sm90_sparse_gmma_names.hpp"

namespace cute::SM90::GMMA::SPARSE {
using namespace tilewright::SM90::GMMA::SPARSE;
}
