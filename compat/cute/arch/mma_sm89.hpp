// The matrix operations of warps that SM89 has.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm80.hpp"
