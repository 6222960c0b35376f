// The macros of CUTLASS's functions and loops; cutlass.h has them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
