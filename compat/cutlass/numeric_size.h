// How many bits and bytes the numeric types have; numeric_types.h has them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/numeric_types.h"
