// float_e4m3_t and float_e5m2_t by the header of CUTLASS 3.0 to 3.2.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/numeric_types.hpp"
#include "cutlass/numeric_types.h"
