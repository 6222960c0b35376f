// Swizzled layouts: the swizzle of a layout, and the layout without it.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/layout_composed.hpp"

namespace cute {

template <int B, int M, int S, class Offset, class L>
CUTE_HOST_DEVICE constexpr auto get_swizzle_portion(ComposedLayout<Swizzle<B, M, S>, Offset, L> const&) {
  return Swizzle<B, M, S>{};
}
template <class S, class D>
CUTE_HOST_DEVICE constexpr auto get_swizzle_portion(Layout<S, D> const&) {
  return Swizzle<0, 4, 3>{};
}
template <int B, int M, int S, class Offset, class L>
CUTE_HOST_DEVICE constexpr auto get_nonswizzle_portion(ComposedLayout<Swizzle<B, M, S>, Offset, L> const& a) {
  return a.layout_b();
}
template <class S, class D>
CUTE_HOST_DEVICE constexpr auto get_nonswizzle_portion(Layout<S, D> const& a) {
  return a;
}

}  // namespace cute
