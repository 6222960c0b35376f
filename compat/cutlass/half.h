// half_t and its literal.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/numeric_types.h"

#if TILEWRIGHT_HOSTED
#include <math.h>
#endif

namespace cutlass {

CUTLASS_HOST_DEVICE bool isnan(half_t const& h) { return (h.storage & 0x7fffu) > 0x7c00u; }
CUTLASS_HOST_DEVICE bool isinf(half_t const& h) { return (h.storage & 0x7fffu) == 0x7c00u; }
CUTLASS_HOST_DEVICE bool isfinite(half_t const& h) { return (h.storage & 0x7c00u) != 0x7c00u; }
CUTLASS_HOST_DEVICE half_t sqrt(half_t const& h) { return half_t(::sqrtf(static_cast<float>(h))); }

}  // namespace cutlass
