// How operands of a warpgroup's matrix product are stored in shared memory. The products themselves are not here.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"

namespace cute::SM90::GMMA {

/// The mode that is contiguous: the product's inner one (K), or the rows of A and columns of B (MN).
enum class Major { K, MN };

/// The widest run of bytes that a swizzle spreads over the banks.
enum class LayoutType : std::uint8_t { INTERLEAVE = 0, B128 = 1, B64 = 2, B32 = 3 };

}  // namespace cute::SM90::GMMA

namespace cute::GMMA {
using namespace cute::SM90::GMMA;
}
