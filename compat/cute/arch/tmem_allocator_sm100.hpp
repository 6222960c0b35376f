// Who has which columns of tensor memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/cluster_sm90.hpp"
#include "cute/arch/config.hpp"
#include "cute/pointer.hpp"
#include "cutlass/array.h"
#include "cutlass/fast_math.h"
#include "tilewright/atom/tmem_allocator.hpp"
#include "tilewright/tensor/tmem_pointer.hpp"
#include "tilewright/tiled/make_tmem_copy.hpp"

namespace cute::TMEM {
using namespace tilewright::TMEM;
}
