// How the tensors of block.shared<T>() follow one another in a block's shared memory: in the order of the calls, each
// aligned to 128 bytes. All block contexts place them so; shared_bytes tells a launch how much they take together.
#pragma once

#include "tilewright/tensor/tensor.hpp"

namespace tilewright {
namespace exec {

inline constexpr unsigned shared_alignment = 128;

TILEWRIGHT_FN constexpr unsigned aligned_shared(unsigned bytes) {
  return (bytes + shared_alignment - 1) / shared_alignment * shared_alignment;
}

template <class T>
TILEWRIGHT_FN constexpr std::size_t bytes_of_elements(std::size_t elements) {
  return (elements * sizeof_bits_v<T> + 7) / 8;
}

/// A layout is itself, a shape its compact layout, first mode fastest.
template <class L>
TILEWRIGHT_FN constexpr auto layout_of_shared(L const& layout_or_shape) {
  if constexpr (AnyLayout<L>) return layout_or_shape;
  else return make_layout(layout_or_shape);
}

}  // namespace exec

/// The shared memory of a kernel whose calls are shared<T>(first), shared<T>(second) …; a kernel with tensors of
/// several types adds the results.
/// post: a multiple of 128 bytes
template <class T, class... L>
constexpr bytes shared_bytes(L const&... layouts_or_shapes) {
  auto const one = [](auto const& l) {
    auto const elements = static_cast<std::size_t>(cosize(exec::layout_of_shared(l)));
    return static_cast<long long>(exec::aligned_shared(static_cast<unsigned>(exec::bytes_of_elements<T>(elements))));
  };
  long long const count = (0ll + ... + one(layouts_or_shapes));
  return bytes{count};
}

}  // namespace tilewright
