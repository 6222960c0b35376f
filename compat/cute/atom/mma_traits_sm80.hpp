// The traits of the matrix operations of SM80.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm80.hpp"
#include "cute/atom/mma_traits.hpp"
