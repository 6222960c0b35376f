// Tile and make_tile by the header of CUTLASS 3.0.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/layout.hpp"
