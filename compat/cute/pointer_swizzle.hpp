// Swizzled tensors. Here the swizzle stays in the layout, where slicing keeps it exact; these functions say so.
#pragma once

#include "cute/pointer.hpp"
#include "cute/swizzle_layout.hpp"

namespace cute {

/// The tensor itself: its offsets already say where every element is, wherever the memory starts.
/// pre: the memory starts at a multiple of the swizzle's period, as shared memory tiles do
template <class T>
requires(tilewright::TensorType<T>) CUTE_HOST_DEVICE constexpr auto as_position_independent_swizzle_tensor(T&& tensor) {
  return make_tensor(tensor.data(), tensor.layout());
}
template <class L>
requires(tilewright::AnyLayout<L>) CUTE_HOST_DEVICE
    constexpr auto as_position_independent_swizzle_layout(L const& layout) {
  return layout;
}

}  // namespace cute
