// How the tensors of block.shared<T>() follow one another in a block's shared memory: in the order of the calls, each
// aligned to 128 bytes, swizzled ones to 1024. All block contexts place them so; shared_bytes tells a launch how much they
// take together.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/tensor.hpp"

namespace tilewright {
namespace exec {

inline constexpr unsigned shared_alignment = 128;
/// TMA swizzles by address, a layout by offset: they agree where a tile starts at a multiple of the widest period.
inline constexpr unsigned swizzled_alignment = 1024;

template <class L>
inline constexpr unsigned alignment_of_shared = shared_alignment;
template <int B, int M, int S, class O, class L>
inline constexpr unsigned alignment_of_shared<ComposedLayout<Swizzle<B, M, S>, O, L>> =
    B == 0 ? shared_alignment : swizzled_alignment;

TILEWRIGHT_FN constexpr unsigned aligned_shared(unsigned bytes, unsigned alignment = shared_alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
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

/// What block.shared<T>() returns. Named, not deduced: a compiler that needs no body to know the type reports an error in
/// the body with the caller's line alone, without the chain of calls that led to the kernel.
template <class Pointer, class L>
using shared_tensor =
    decltype(make_tensor(make_smem_ptr(std::declval<Pointer>()), layout_of_shared(std::declval<L const&>())));

template <class T, class L>
TILEWRIGHT_FN constexpr long long bytes_of_shared(L const& layout_or_shape) {
  auto const elements = static_cast<std::size_t>(cosize(layout_of_shared(layout_or_shape)));
  return aligned_shared(static_cast<unsigned>(bytes_of_elements<T>(elements))) + alignment_of_shared<L> -
         shared_alignment;
}

}  // namespace exec

/// The shared memory of a kernel whose calls are shared<T>(first), shared<T>(second) …; a kernel with tensors of
/// several types adds the results.
/// post: a multiple of 128 bytes, enough in whatever order the calls are made
template <class T, class... L>
TILEWRIGHT_FN constexpr bytes shared_bytes(L const&... layouts_or_shapes) {
  return bytes{(0ll + ... + exec::bytes_of_shared<T>(layouts_or_shapes))};
}

/// block.shared<T>(layout_or_shape), for kernels that are templates and would have to write block.template shared<T>.
TILEWRIGHT_NO_EXEC_CHECK
template <class T, class Block, class L>
TILEWRIGHT_HOST_DEVICE auto shared(Block& block, L const& layout_or_shape) {
  return block.template shared<T>(layout_or_shape);
}

}  // namespace tilewright
