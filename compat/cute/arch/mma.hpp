// The matrix operation of one thread; mma_sm*.hpp have those of the architectures.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"
#include "tilewright/mma/mma_traits.hpp"

namespace cute {

using tilewright::UniversalFMA;

}  // namespace cute
