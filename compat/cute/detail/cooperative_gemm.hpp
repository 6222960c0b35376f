// A product of two tiles of shared memory by all threads of a tiled operation.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/gemm.hpp"
#include "tilewright/algorithm/cooperative_gemm.hpp"

namespace cute {

using tilewright::cooperative_gemm;

}  // namespace cute
