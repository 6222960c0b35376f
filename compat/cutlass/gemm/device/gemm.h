// What programs take from the header of CUTLASS's products, which are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/epilogue/thread/linear_combination.h"
