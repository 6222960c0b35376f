// The dot products of SM61.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma.hpp"
#include "tilewright/mma/sm61.hpp"

namespace cute {

using tilewright::SM61_DP2A;
using tilewright::SM61_DP4A;

}  // namespace cute
