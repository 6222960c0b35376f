// clear(tensor).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/fill.hpp"

namespace cute {

using tilewright::clear;

}  // namespace cute
