// CUTLASS_TRACE_HOST(what << to << print): silent, as in a release build.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
