// Shared-memory pointers with a swizzle, and the flag of tiles that have no pointer yet.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/pointer_swizzle.hpp"
#include "tilewright/algebra/swizzled.hpp"

namespace cute {

using tilewright::smem_ptr_flag_bits;
using smem_ptr_flag = smem_ptr_flag_bits<1>;

/// A tile of shared memory whose elements have Bits bits; the swizzle counts in bytes, that of the result in elements.
template <int B, int M, int S, int Bits, tilewright::LayoutType L>
CUTE_HOST_DEVICE constexpr auto composition(tilewright::Swizzle<B, M, S> const&, smem_ptr_flag_bits<Bits> const& flag,
                                            L const& layout) {
  return tilewright::make_composed_layout(tilewright::Swizzle<B, M + 3 - tilewright::math::countr_zero(Bits), S>{},
                                          flag, layout);
}

}  // namespace cute
