// fill(tensor, value).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/prefer.hpp"
#include "cute/tensor_impl.hpp"
#include "tilewright/algorithm/elementwise.hpp"

namespace cute {

using tilewright::fill;

}  // namespace cute
