// The operations of mma_sm90_gmma_sparse_ext.hpp and their traits.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma_sparse_ext.hpp"
#include "cute/atom/mma_traits_sm90_gmma_sparse.hpp"
