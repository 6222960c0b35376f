// What programs take from the header of CUTLASS's transposes of operands, which are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/detail/kernel_parts.hpp"
