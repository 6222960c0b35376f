// The traits of the matrix operations of SM61.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm61.hpp"
#include "cute/atom/mma_traits.hpp"
