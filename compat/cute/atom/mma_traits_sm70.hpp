// The traits of the matrix operations of SM70.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm70.hpp"
#include "cute/atom/mma_traits.hpp"
