// The traits of ldmatrix.
#pragma once

#include "cute/arch/copy_sm75.hpp"
#include "cute/atom/copy_traits.hpp"
