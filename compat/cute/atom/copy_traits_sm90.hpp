// The traits of stmatrix.
#pragma once

#include "cute/arch/copy_sm90.hpp"
#include "cute/atom/copy_traits.hpp"
