// The traits of stmatrix.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90.hpp"
#include "cute/atom/copy_traits.hpp"
