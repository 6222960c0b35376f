// Pointers with a swizzle: see pointer_swizzle.hpp.
#pragma once

#include "cute/pointer_swizzle.hpp"
