// gemm in all its ranks.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/copy.hpp"
#include "cute/atom/mma_atom.hpp"
#include "tilewright/algorithm/gemm.hpp"

namespace cute {

using tilewright::gemm;

}  // namespace cute
