// gemm in all its ranks.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/copy.hpp"
#include "cute/detail/mma_atom.hpp"
#include "tilewright/algorithm/gemm.hpp"

namespace cute {

using tilewright::gemm;

}  // namespace cute
