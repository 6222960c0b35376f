// One of the numeric types: all of them are in one header here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/numeric_types.h"
