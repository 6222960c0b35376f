// cutlass::Array: a fixed number of elements, packed where an element is narrower than a byte.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/array_aligned.hpp"
#include "cute/container/array_subbyte.hpp"
#include "cutlass/cutlass.h"

namespace cutlass {

template <class T, int N>
struct Array : std::conditional_t<(cute::sizeof_bits_v<T> < 8), cute::array_subbyte<T, static_cast<std::size_t>(N)>,
                                  cute::array<T, static_cast<std::size_t>(N)>> {
  using Element = T;
  static constexpr int kElements = N;
};

/// N values that are loaded and stored at once, as in UniversalCopy<AlignedArray<float, 4>>.
template <class T, int N, int Alignment = (cute::sizeof_bits_v<T> * N + 7) / 8>
struct alignas(Alignment) AlignedArray : Array<T, N> {};

}  // namespace cutlass

template <class T, int N>
struct std::tuple_size<cutlass::Array<T, N>> : std::integral_constant<std::size_t, static_cast<std::size_t>(N)> {};
template <std::size_t I, class T, int N>
struct std::tuple_element<I, cutlass::Array<T, N>> {
  using type = T;
};
