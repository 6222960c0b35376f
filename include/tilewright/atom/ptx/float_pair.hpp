// Arithmetic on pairs of floats, structures with members x and y of 8 bytes (PTX ISA, "Floating Point Instructions", .f32x2; sm_100
// and later). Elsewhere, and on the host, one after the other; a sum of a product is rounded once everywhere.
#pragma once

#include "tilewright/base/config.hpp"

#include <cmath>

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE && __CUDA_ARCH__ >= 1000
inline constexpr bool has_float_pairs = true;
#else
inline constexpr bool has_float_pairs = false;
#endif

template <class Pair>
TILEWRIGHT_FN std::uint64_t bits_of_pair(Pair const& p) {
  static_assert(sizeof(Pair) == 8);
  return __builtin_bit_cast(std::uint64_t, p);
}

template <class Pair>
TILEWRIGHT_FN void add_pair(Pair& c, Pair const& a, Pair const& b) {
#if TILEWRIGHT_ON_DEVICE
  if constexpr (has_float_pairs) {
    std::uint64_t sum;
    asm("add.f32x2 %0, %1, %2;" : "=l"(sum) : "l"(bits_of_pair(a)), "l"(bits_of_pair(b)));
    c = __builtin_bit_cast(Pair, sum);
    return;
  }
#endif
  c.x = a.x + b.x;
  c.y = a.y + b.y;
}
template <class Pair>
TILEWRIGHT_FN void multiply_pair(Pair& c, Pair const& a, Pair const& b) {
#if TILEWRIGHT_ON_DEVICE
  if constexpr (has_float_pairs) {
    std::uint64_t product;
    asm("mul.f32x2 %0, %1, %2;" : "=l"(product) : "l"(bits_of_pair(a)), "l"(bits_of_pair(b)));
    c = __builtin_bit_cast(Pair, product);
    return;
  }
#endif
  c.x = a.x * b.x;
  c.y = a.y * b.y;
}
template <class Pair>
TILEWRIGHT_FN void multiply_add_pair(Pair& d, Pair const& a, Pair const& b, Pair const& c) {
#if TILEWRIGHT_ON_DEVICE
  if constexpr (has_float_pairs) {
    std::uint64_t sum;
    asm("fma.rn.f32x2 %0, %1, %2, %3;" : "=l"(sum) : "l"(bits_of_pair(a)), "l"(bits_of_pair(b)), "l"(bits_of_pair(c)));
    d = __builtin_bit_cast(Pair, sum);
    return;
  }
#endif
  d.x = ::fmaf(a.x, b.x, c.x);
  d.y = ::fmaf(a.y, b.y, c.y);
}

}  // namespace tilewright::ptx
