// The version of CUTLASS whose names these headers have, for programs that ask before they choose a call.
#pragma once

#include "tilewright/base/config.hpp"

#define CUTLASS_MAJOR 4
#define CUTLASS_MINOR 7
#define CUTLASS_PATCH 0
#define CUTLASS_VERSION ((CUTLASS_MAJOR)*100 + (CUTLASS_MINOR)*10 + CUTLASS_PATCH)
