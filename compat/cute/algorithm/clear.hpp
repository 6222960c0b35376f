// clear(tensor).
#pragma once

#include "cute/algorithm/fill.hpp"

namespace cute {

using tilewright::clear;

}  // namespace cute
