// The traits of the matrix operations of SM89.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm89.hpp"
#include "cute/atom/mma_traits.hpp"
#include "cute/atom/mma_traits_sm80.hpp"
