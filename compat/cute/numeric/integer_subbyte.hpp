// Integers of less than a byte, by the header that programs for earlier versions include.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/numeric_types.hpp"
