// y = alpha * x + beta * y.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor_impl.hpp"
#include "tilewright/algorithm/elementwise.hpp"

namespace cute {

using tilewright::axpby;

}  // namespace cute
