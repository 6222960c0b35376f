// The traits of the operations of mma_sm90_gmma_sparse_ext.hpp: mma_traits_sm90_gmma_sparse.hpp has all.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/mma_traits_sm90_gmma_sparse.hpp"
