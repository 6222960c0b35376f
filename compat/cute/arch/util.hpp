// The address of shared memory as the instructions take it.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/int.hpp"
#include "tilewright/atom/ptx/target.hpp"

namespace cute {

using tilewright::cast_smem_ptr_to_uint;  // one function: uint128_t* would find a second one by its namespace

}  // namespace cute
