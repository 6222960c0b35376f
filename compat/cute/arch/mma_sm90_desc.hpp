// The matrix descriptors of a warpgroup's product, and how its operands are stored in shared memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"
#include "tilewright/mma/gmma_descriptor.hpp"

namespace cute {

using tilewright::GmmaDescriptor;

namespace SM90::GMMA {
using namespace tilewright::SM90::GMMA;
}

}  // namespace cute

namespace cute::GMMA {
using namespace cute::SM90::GMMA;
}
