// The traits of the matrix operations of SM120 whose A is sparse: those of tilewright/mma/sm120_sparse.hpp, and gemm of A zipped with
// its metadata (and, between them, its factors).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm120_sparse.hpp"
#include "cute/atom/mma_traits_sm120.hpp"
#include "cute/detail/gemm_zip.hpp"
#include "cute/pointer_sparse.hpp"
