// The swizzles of TMA by those of layouts of bytes: Swizzle<3,4,3> is that of rows of 128 bytes.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm90_desc.hpp"
#include "cute/swizzle.hpp"
#include "cute/swizzle_layout.hpp"

namespace cute::detail {

// Of bytes: a swizzle keeps 16 bytes together and is 128 bytes wide, unless its base is wider.
template <int B, int M, int S>
CUTE_HOST_DEVICE constexpr TMA::SmemSwizzleBits get_tma_swizzle_bits(Swizzle<B, M, S>) {
  static_assert(
      M >= 4 && M <= 6 && B >= 0 && B <= 3,
      "get_tma_swizzle_bits: TMA has no such swizzle; give Swizzle<0 to 3, 4, 3>, <2, 5, 2> or <2, 6, 2>, of bytes");
  if constexpr (M == 4) return static_cast<TMA::SmemSwizzleBits>(B);
  else return TMA::SmemSwizzleBits::B128;
}
template <int B, int M, int S>
CUTE_HOST_DEVICE constexpr TMA::SmemSwizzleBase get_tma_swizzle_base(Swizzle<B, M, S>) {
  static_assert(
      M >= 4 && M <= 6 && B >= 0 && B <= 3,
      "get_tma_swizzle_base: TMA has no such swizzle; give Swizzle<0 to 3, 4, 3>, <2, 5, 2> or <2, 6, 2>, of bytes");
  if constexpr (M == 4) return TMA::SmemSwizzleBase::SWIZZLE_BASE_16B;
  else if constexpr (M == 5) return TMA::SmemSwizzleBase::SWIZZLE_BASE_32B;
  else return TMA::SmemSwizzleBase::SWIZZLE_BASE_64B;
}

template <class L>
CUTE_HOST_DEVICE constexpr TMA::SmemSwizzleBits get_tma_swizzle_bits(L const& layout) {
  return get_tma_swizzle_bits(get_swizzle_portion(layout));
}
template <class L>
CUTE_HOST_DEVICE constexpr TMA::SmemSwizzleBase get_tma_swizzle_base(L const& layout) {
  return get_tma_swizzle_base(get_swizzle_portion(layout));
}

}  // namespace cute::detail
