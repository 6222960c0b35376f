// Accumulators of Blackwell's products, and operands in tensor memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm100_desc.hpp"
#include "cute/pointer.hpp"
#include "cute/tensor_impl.hpp"
#include "tilewright/mma/umma_fragments.hpp"
