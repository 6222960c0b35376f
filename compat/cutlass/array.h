// The two names of CUTLASS that programs with tiled copies use: arrays that name the width of an access.
#pragma once

#include "cute/container/array_aligned.hpp"

namespace cutlass {

template <class T, int N>
using Array = cute::array<T, static_cast<std::size_t>(N)>;

/// N values that are loaded and stored at once, as in UniversalCopy<AlignedArray<float, 4>>.
template <class T, int N, int Alignment = (cute::sizeof_bits_v<T> * N + 7) / 8>
using AlignedArray = cute::array_aligned<T, static_cast<std::size_t>(N), static_cast<std::size_t>(Alignment)>;

}  // namespace cutlass
