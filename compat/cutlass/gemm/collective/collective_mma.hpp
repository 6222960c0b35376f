// What programs take from the header of CUTLASS's main loops, which are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/detail/kernel_parts.hpp"
