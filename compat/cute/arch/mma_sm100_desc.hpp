// The descriptors of Blackwell's products (tcgen05).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/config.hpp"
#include "cute/numeric/math.hpp"
#include "cutlass/numeric_types.h"
#include "tilewright/mma/umma_descriptor.hpp"

namespace cute::UMMA {
using namespace tilewright::UMMA;
}
