// How a kernel's tensors are watched: a tensor over raw memory is rebuilt over a checked_iterator whose bounds
// are the span of its layout, and whose reports name coordinates of that layout.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/exec/checked_iterator.hpp"
#include "tilewright/tensor/tensor.hpp"

#include <string>
#include <type_traits>

namespace tilewright::exec {

// --- coordinates as text --------------------------------------------------------------------------------------------

template <class S>
std::string coordinate_in(S const& shape, long long& index);

template <class S, int... N>
std::string coordinates_in(S const& shape, long long& index, seq<N...>) {
  std::string text;
  ((text += N == 0 ? "(" : ",", text += coordinate_in(get<N>(shape), index)), ...);
  return text + ")";
}

/// The coordinate of an index, nested like the shape; takes from `index` what the modes before have used.
template <class S>
std::string coordinate_in(S const& shape, long long& index) {
  if constexpr (is_tuple_v<S>) {
    return coordinates_in(shape, index, make_seq<tuple_size_v<S>>{});
  } else {
    auto const extent = static_cast<long long>(shape);
    auto const here = index % extent;
    index /= extent;
    return std::to_string(here);
  }
}

/// The first coordinate that the layout maps to an offset.
/// cost of a call: O(size(layout)), paid when something is reported
template <class L>
coordinate_text coordinates_of(L const& layout) {
  return [layout](long long element_offset) -> std::string {
    auto const size = static_cast<long long>(tilewright::size(layout));
    for (long long i = 0; i < size; ++i) {
      if (static_cast<long long>(layout(i)) != element_offset) continue;
      auto rest = i;
      return coordinate_in(tilewright::shape(layout), rest);
    }
    return {};
  };
}

// --- arguments ------------------------------------------------------------------------------------------------------

/// The least offset of a layout, 0 or less.
template <class S, class D>
long long lowest_offset(S const& shape, D const& stride);
template <class S, class D, int... N>
long long lowest_offset_each(S const& shape, D const& stride, seq<N...>) {
  return (0ll + ... + lowest_offset(get<N>(shape), get<N>(stride)));
}
template <class S, class D>
long long lowest_offset(S const& shape, D const& stride) {
  if constexpr (is_tuple_v<S>) {
    return lowest_offset_each(shape, stride, make_seq<tuple_size_v<S>>{});
  } else {
    auto const step = static_cast<long long>(stride);
    return step < 0 ? (static_cast<long long>(shape) - 1) * step : 0;
  }
}
template <class L>
long long lowest_offset(L const& layout) {
  if constexpr (is_layout_v<L>) return lowest_offset(layout.shape(), layout.stride());
  else return 0;  // a swizzle takes no negative offsets
}

/// Memory that can be watched: raw pointers and iterators over packed elements.
template <class It>
inline constexpr bool is_address = false;
template <class T>
inline constexpr bool is_address<T*> = std::is_object_v<T>;
template <class T>
inline constexpr bool is_address<subbyte_iterator<T>> = true;

template <class T>
void const* byte_address(T* p, std::ptrdiff_t& first_bit) {
  first_bit = 0;
  return p;
}
template <class T>
void const* byte_address(subbyte_iterator<T> const& it, std::ptrdiff_t& first_bit) {
  first_bit = it.bit & 7;
  return it.base + (it.bit >> 3);
}

/// The bytes that a tensor's layout spans.
struct tensor_span {
  std::byte const* begin;
  std::size_t bytes;
  std::ptrdiff_t origin;     // of the tensor's pointer, in bytes from begin; not 0 where the strides are negative
  std::ptrdiff_t first_bit;  // of element 0, in bits from begin
};
template <class It, class L>
tensor_span span_of(Tensor<ViewEngine<It>, L> const& tensor) {
  constexpr int width = sizeof_bits_v<iter_value_t<It>>;
  auto const low = lowest_offset(tensor.layout());
  std::ptrdiff_t first_bit = 0;
  auto const* const begin = static_cast<std::byte const*>(byte_address(untagged(tensor.data()), first_bit));
  // Packed elements may begin inside of a byte: it belongs to the span as a whole.
  auto const low_byte = (first_bit + low * width - 7) / 8;
  auto const end_bit = first_bit + (low + static_cast<long long>(cosize(tensor.layout()))) * width;
  auto const end_byte = (end_bit + 7) / 8;
  return {begin + low_byte, static_cast<std::size_t>(end_byte - low_byte), -low_byte, first_bit - low_byte * 8};
}

/// What the kernel gets for its argument `number`: a watched tensor for a tensor over raw memory, else the argument.
template <class Argument>
std::decay_t<Argument> watch(checked_session&, int, Argument const& argument) {
  return argument;
}

template <class It, class L>
auto watch(checked_session& session, int number, Tensor<ViewEngine<It>, L> const& tensor) {
  auto const address = untagged(tensor.data());
  if constexpr (!is_address<std::remove_const_t<decltype(address)>>) {
    return tensor;
  } else {
    using T = iter_element_t<It>;
    auto const layout = tensor.layout();
    auto const span = span_of(tensor);
    checked_allocation& memory = session.add_argument({.begin = span.begin,
                                                       .bytes = span.bytes,
                                                       .element_bits = sizeof_bits_v<T>,
                                                       .origin = span.origin,
                                                       .writable = !std::is_const_v<T>,
                                                       .name = std::string("argument ") + std::to_string(number)});
    memory.describe(coordinates_of(layout));
    checked_iterator<T> const watched(memory, span.first_bit);
    if constexpr (space_of<It> == memory_space::untagged) return make_tensor(watched, layout);
    else return make_tensor(tagged_ptr<checked_iterator<T>, space_of<It>>{watched}, layout);
  }
}

}  // namespace tilewright::exec
