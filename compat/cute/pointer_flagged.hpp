// Shared-memory pointers with a swizzle.
#pragma once

#include "cute/pointer_swizzle.hpp"
