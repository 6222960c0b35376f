// The traits of matrix operations, and the call of an operation on a thread's fragments.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma.hpp"
#include "cute/tensor_impl.hpp"
#include "tilewright/mma/registers.hpp"

namespace cute {

using tilewright::MMA_Traits;
using tilewright::mma_unpack;

}  // namespace cute
