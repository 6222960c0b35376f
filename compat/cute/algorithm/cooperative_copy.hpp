// A copy that a group of threads shares without a tiled copy declared for it.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/copy.hpp"
#include "tilewright/algorithm/elementwise.hpp"

namespace cute {

using tilewright::cooperative_copy;

}  // namespace cute
