// Random floats of 8, 6 and 4 bits, as the bits in the low end of a byte.
#pragma once

#include "tilewright/tensor/small_float.hpp"

#include <cmath>
#include <cstdint>
#include <random>

namespace tilewright::tests {

template <class T>
float value_of(std::uint8_t bits) {
  T x;
  x.storage = bits;
  return static_cast<float>(x);
}

/// Bits of T's zero or of a number between smallest and largest in magnitude.
template <class T>
std::uint8_t random_bits(std::mt19937& random, float largest, float smallest = 0) {
  for (;;) {
    auto const bits = static_cast<std::uint8_t>(random() & ((1u << sizeof_bits_v<T>)-1));
    float const size = std::abs(value_of<T>(bits));
    if (size == 0 || (size >= smallest && size <= largest)) return bits;
  }
}

}  // namespace tilewright::tests
