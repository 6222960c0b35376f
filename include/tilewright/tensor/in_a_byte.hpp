// Floats of 4 and 6 bits as the matrix operations of 8-bit kinds read them in shared memory (PTX ISA, "Packing formats used in shared
// memory"): 16 elements take 16 bytes, packed at their start. A TMA copy makes that of packed elements in global memory.
//   16 of float_e2m1_t: 8 bytes, then 8 unused ones          16 of float_e3m2_t: 12 bytes, then 4 unused ones
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/small_float.hpp"

namespace tilewright {

/// An element of such a tile, whose layout counts bytes. A tensor of them in global memory is packed: its layout counts elements.
template <class T>
struct in_a_byte {
  std::uint8_t storage;
};

/// The bits in global memory of an element that a TMA copy unpacks; 0 of others.
template <class T>
inline constexpr int bits_before_unpacking = 0;
template <class T>
inline constexpr int bits_before_unpacking<in_a_byte<T>> = sizeof_bits_v<T>;
template <class T>
inline constexpr int bits_before_unpacking<T const> = bits_before_unpacking<T>;

}  // namespace tilewright
