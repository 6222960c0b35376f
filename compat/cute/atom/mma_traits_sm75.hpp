// The traits of the matrix operations of SM75.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm75.hpp"
#include "cute/atom/mma_traits.hpp"
