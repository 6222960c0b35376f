// The traits of copy operations: which threads take part, and where their bits are.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy.hpp"
#include "cute/layout.hpp"

namespace cute {

using tilewright::Copy_Traits;

}  // namespace cute
