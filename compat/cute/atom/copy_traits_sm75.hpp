// The traits of ldmatrix.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm75.hpp"
#include "cute/atom/copy_traits.hpp"
