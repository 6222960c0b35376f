// Conversions between a float and floats of 16 and 8 bits, and the arithmetic of f16 (PTX ISA, "cvt", "add", "sub", "mul"), for
// tensor/small_float.hpp. Numbers are rounded to nearest, ties to even; subnormal numbers are kept. The header includes floor base
// alone, so that any floor may include it.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/traits.hpp"

#if TILEWRIGHT_ON_DEVICE

namespace tilewright::ptx {

/// Whether the target has instructions for E exponent and M mantissa bits: f16; bf16 from SM80, e4m3 and e5m2 from SM89.
template <int E, int M>
inline constexpr bool converts_float = E == 5 && M == 10;
#if __CUDA_ARCH__ >= 800
template <>
inline constexpr bool converts_float<8, 7> = true;
#endif
#if __CUDA_ARCH__ >= 890
template <>
inline constexpr bool converts_float<4, 3> = true;
template <>
inline constexpr bool converts_float<5, 2> = true;
#endif

/// The code of a float rounded to E exponent and M mantissa bits. What is beyond the largest number is infinity in 16 bits, the
/// largest number in 8 bits.
template <int E, int M>
TILEWRIGHT_FN std::uint32_t narrow_float(float x) {
  std::uint16_t code = 0;
  if constexpr (E == 5 && M == 10) asm("cvt.rn.f16.f32 %0, %1;" : "=h"(code) : "f"(x));
  else if constexpr (E == 8) asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(code) : "f"(x));
  else if constexpr (E == 4) asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(code) : "f"(0.0f), "f"(x));
  else asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(code) : "f"(0.0f), "f"(x));
  return code;
}

/// The float of a code.
template <int E, int M>
TILEWRIGHT_FN float widen_float(std::uint32_t code) {
  float x = 0;
  if constexpr (E == 8) {
    x = __uint_as_float(code << 16);
  } else if constexpr (M == 10) {
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(static_cast<std::uint16_t>(code)));
  } else {
    std::uint32_t pair = 0;  // of f16
    if constexpr (E == 4) asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"(static_cast<std::uint16_t>(code)));
    else asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(pair) : "h"(static_cast<std::uint16_t>(code)));
    x = widen_float<5, 10>(pair);
  }
  return x;
}

/// Of codes of f16, rounded to nearest. A product and a sum may become one multiply-add, rounded once, as those of floats and of CUDA's
/// __half do (PTX ISA, "mul", without a rounding modifier); a host rounds twice.
TILEWRIGHT_FN std::uint16_t add_f16(std::uint16_t a, std::uint16_t b) {
  std::uint16_t sum;
  asm("add.f16 %0, %1, %2;" : "=h"(sum) : "h"(a), "h"(b));
  return sum;
}
TILEWRIGHT_FN std::uint16_t subtract_f16(std::uint16_t a, std::uint16_t b) {
  std::uint16_t difference;
  asm("sub.f16 %0, %1, %2;" : "=h"(difference) : "h"(a), "h"(b));
  return difference;
}
TILEWRIGHT_FN std::uint16_t multiply_f16(std::uint16_t a, std::uint16_t b) {
  std::uint16_t product;
  asm("mul.f16 %0, %1, %2;" : "=h"(product) : "h"(a), "h"(b));
  return product;
}

}  // namespace tilewright::ptx

#endif
