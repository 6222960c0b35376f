// view(tensor): a typed tensor as one that is known at run time, to hand to the engine's copy.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/to_value.hpp"
#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/tensor/tensor.hpp"

#include <type_traits>
#include <utility>

namespace tilewright {

namespace detail {

/// The type whose elements have so many bits; a copy needs no more of them.
constexpr element_type bits_of_width(int bits) {
  switch (bits) {
    case 4: return element_type::b4;
    case 8: return element_type::b8;
    case 16: return element_type::b16;
    case 32: return element_type::b32;
    case 64: return element_type::b64;
    default: return element_type::b128;
  }
}

constexpr composed_value as_composed(layout_value const& layout) { return composed(layout); }
constexpr composed_value as_composed(composed_value const& layout) { return layout; }

}  // namespace detail

/// What copies take: elements of whole bytes, 1 to 16, that can be moved as bits.
template <class T>
concept MovableElement = std::is_trivially_copyable_v<T> &&
    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

/// The memory of a tensor behind a pointer, in the CPU's memory unless said otherwise. The elements are named by their
/// width, so views of different types of one width can be copied to each other.
template <class Engine, class L>
requires MovableElement<typename Tensor<Engine, L>::value_type> &&
    std::is_pointer_v<decltype(untagged(std::declval<Tensor<Engine, L> const&>().data()))>
auto view(Tensor<Engine, L> const& tensor, device where = cpu) {
  using element = typename Tensor<Engine, L>::value_type;
  auto* const pointer = untagged(tensor.data());
  using view_type =
      std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(pointer)>>, const_tensor_view, tensor_view>;
  return view_type{pointer, detail::as_composed(to_value(tensor.layout())), detail::bits_of_width(8 * sizeof(element)),
                   where};
}

}  // namespace tilewright
