// Analyses speak of accesses, sides and coverage in the words of the floor below.
#pragma once

#include "tilewright/base/config.hpp"

namespace tilewright::tiling {}

namespace tilewright::analysis {
using namespace tiling;
}  // namespace tilewright::analysis
