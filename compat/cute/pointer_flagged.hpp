// Shared-memory pointers with a swizzle.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/pointer_swizzle.hpp"
