// A swizzle permutes offsets by xor: with b bits, base m and shift s, bits [m+s, m+s+b) of an offset are added without
// carry to bits [m, m+b) (a negative shift goes the other way). Composed behind a layout it spreads the columns of a
// tile over the banks of shared memory. A composed layout is swizzle ∘ (offset + layout).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/layout/layout_value.hpp"
#include "tilewright/layout/swizzle_bits.hpp"

namespace tilewright {

#if TILEWRIGHT_HOSTED
/// x -> swizzle(offset + layout(x)).
struct composed_value {
  swizzle_value swizzle{};
  leaf offset{};
  layout_value layout{};
};
#endif

}  // namespace tilewright
