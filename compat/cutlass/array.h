// Arrays by CUTLASS's names: packed where an element is narrower than a byte, with the width of an access, and with arithmetic of
// whole arrays.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/synclog.hpp"
#include "cutlass/detail/array_type.h"
#include "cutlass/functional.h"
#include "cutlass/half.h"
