// print_tensor: a tensor and its values.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/util/print.hpp"

namespace cute {

using tilewright::print_tensor;

}  // namespace cute
