// The traits of the matrix operations of SM90.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90.hpp"
#include "cute/atom/mma_traits.hpp"
