// The traits of Blackwell's matrix operations, and the tiles of shared memory that they read: the names of
// tilewright/mma/sm100_umma.hpp and umma_operands.hpp.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm100.hpp"
#include "cute/arch/mma_sm100_umma.hpp"
#include "cute/atom/mma_traits.hpp"
#include "cute/atom/mma_traits_sm100_frag.hpp"
#include "cute/atom/mma_traits_sm90_gmma.hpp"
#include "cute/detail/mma_float_pairs.hpp"
#include "cute/util/print.hpp"
#include "tilewright/algorithm/print_umma.hpp"
