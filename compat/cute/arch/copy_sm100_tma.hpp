// What programs for Hopper and Blackwell include for both: Hopper's copies. Those of Blackwell's pairs of blocks
// (SM100_TMA_2SM_LOAD) are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90_tma.hpp"
