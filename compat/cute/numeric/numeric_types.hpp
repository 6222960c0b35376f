// Floating-point types by name, and how many bits any element type has in a tensor.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/int.hpp"
#include "cute/numeric/small_float.hpp"

namespace cute {

using half_t = small_float<std::uint16_t, 5, 10, small_float_range::ieee>;
using bfloat16_t = small_float<std::uint16_t, 8, 7, small_float_range::ieee>;
using tfloat32_t = small_float<std::uint32_t, 8, 10, small_float_range::ieee>;
using float_e5m2_t = small_float<std::uint8_t, 5, 2, small_float_range::saturating>;
using float_e4m3_t = small_float<std::uint8_t, 4, 3, small_float_range::saturating_without_infinity>;
using float_e2m1_t = small_float<std::uint8_t, 2, 1, small_float_range::finite>;
using float_e2m3_t = small_float<std::uint8_t, 2, 3, small_float_range::finite>;
using float_e3m2_t = small_float<std::uint8_t, 3, 2, small_float_range::finite>;

using tilewright::sizeof_bits;
template <class T>
inline constexpr int sizeof_bits_v = sizeof_bits<T>::value;

template <class T>
struct is_subbyte : bool_constant<(sizeof_bits_v<std::remove_cv_t<T>> < 8)> {};
template <class T>
inline constexpr bool is_subbyte_v = is_subbyte<T>::value;

/// The whole bytes that hold so many bits.
template <class T>
CUTE_HOST_DEVICE constexpr auto bits_to_bytes(T const bits) {
  return (bits + T(7)) / T(8);
}
template <class T>
CUTE_HOST_DEVICE constexpr auto bytes_to_bits(T const bytes) {
  return bytes * T(8);
}

}  // namespace cute

/// In tensors, numbers narrower than a byte are packed.
template <int Exponent, int Mantissa>
struct tilewright::sizeof_bits<cute::small_float<std::uint8_t, Exponent, Mantissa, cute::small_float_range::finite>> {
  static constexpr int value = 1 + Exponent + Mantissa;
};
