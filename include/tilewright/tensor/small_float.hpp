// Floating-point numbers of fewer bits than a float: a sign, E exponent and M mantissa bits. A CPU converts them in software, a
// GPU by its instructions where it has them; the numbers are the same, the bits of a NaN need not be. Rounding is to nearest, ties
// to even; arithmetic is rounded as if it happened in float.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/narrow_float.hpp"
#include "tilewright/tensor/cuda_float.hpp"
#include "tilewright/tensor/element.hpp"

namespace tilewright {

/// What is beyond the largest number: infinities, or nothing, so that large values saturate. `finite` has no code for
/// NaN either, which becomes the largest number, as in the instruction cvt.
enum class small_float_range { ieee, saturating, saturating_without_infinity, finite };

namespace detail {

template <int E, int M, small_float_range Range>
struct small_float_code {
  static constexpr int bias = (1 << (E - 1)) - 1;
  static constexpr std::uint32_t exponent_ones = ((1u << E) - 1u) << M;
  static constexpr bool is_finite = Range == small_float_range::finite;
  static constexpr bool has_infinity = Range != small_float_range::saturating_without_infinity && !is_finite;
  static constexpr std::uint32_t largest =
      has_infinity ? exponent_ones - 1u : (exponent_ones | ((1u << M) - 1u)) - (is_finite ? 0u : 1u);
  /// The NaN of a GPU's cvt: all bits but the sign are set. TF32 is a float, and keeps the sign.
  static constexpr bool is_tf32 = E == 8 && M == 10;
  static constexpr std::uint32_t not_a_number =
      is_tf32 ? exponent_ones | 1u << (M - 1) : exponent_ones | ((1u << M) - 1u);

  TILEWRIGHT_HOST_DEVICE static constexpr std::uint32_t rounded(std::uint64_t value, int shift) {
    if (shift <= 0) return static_cast<std::uint32_t>(value);
    if (shift > 40) return 0;
    std::uint64_t const kept = value >> shift, rest = value & ((std::uint64_t(1) << shift) - 1);
    std::uint64_t const half = std::uint64_t(1) << (shift - 1);
    return static_cast<std::uint32_t>(kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0));
  }
  // f16, and formats with a float's exponent (bf16, tf32), have code without branches.
  static constexpr bool is_f16 = E == 5 && M == 10 && Range == small_float_range::ieee;
  static constexpr bool has_the_exponent_of_float = E == 8 && Range == small_float_range::ieee;
#if TILEWRIGHT_ON_DEVICE
  /// The range that the target's instruction has.
  static constexpr bool has_instructions =
      ptx::converts_float<E, M> && Range == (E == 4             ? small_float_range::saturating_without_infinity
                                             : E == 5 && M == 2 ? small_float_range::saturating
                                                                : small_float_range::ieee);
#endif

  /// Of a number's bits without its sign, and not NaN. Subnormal results are rounded by the addition to 0.5, whose last bit is
  /// theirs.
  TILEWRIGHT_HOST_DEVICE static constexpr std::uint32_t encode_f16(std::uint32_t magnitude) {
    std::uint32_t const normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    std::uint32_t const subnormal =
        __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, magnitude) + 0.5f) - 0x3f000000u;
    std::uint32_t const finite = magnitude < 0x38800000u ? subnormal : normal;
    return magnitude >= 0x477ff000u ? exponent_ones : finite;
  }
  TILEWRIGHT_HOST_DEVICE static constexpr float decode_f16(std::uint32_t sign, std::uint32_t magnitude) {
    std::uint32_t const shifted = magnitude << 13;
    float const subnormal = __builtin_bit_cast(float, shifted + (113u << 23)) - __builtin_bit_cast(float, 113u << 23);
    std::uint32_t const finite =
        magnitude < 0x400u ? __builtin_bit_cast(std::uint32_t, subnormal) : shifted + (112u << 23);
    return __builtin_bit_cast(float, sign | (magnitude > 0x7bffu ? beyond(magnitude) : finite));
  }
  /// Infinity or NaN.
  TILEWRIGHT_HOST_DEVICE static constexpr std::uint32_t beyond(std::uint32_t magnitude) {
    return has_infinity && magnitude == exponent_ones ? 0x7f800000u : 0x7fc00000u;
  }
  TILEWRIGHT_HOST_DEVICE static constexpr std::uint32_t encode(float number) {
#if TILEWRIGHT_ON_DEVICE
    if constexpr (has_instructions) {
      if (!__builtin_is_constant_evaluated()) return ptx::narrow_float<E, M>(number);
    }
#endif
    if constexpr (is_f16 || has_the_exponent_of_float) {
      auto const all = __builtin_bit_cast(std::uint32_t, number);
      std::uint32_t const unsigned_bits = all & 0x7fffffffu;
      constexpr int shift = 23 - M;
      std::uint32_t const rounded_bits =
          is_f16 ? encode_f16(unsigned_bits)
                 : (unsigned_bits + ((1u << (shift - 1)) - 1u) + (unsigned_bits >> shift & 1u)) >> shift;
      std::uint32_t const sign = (all >> 31) << (E + M);
      return unsigned_bits > 0x7f800000u ? (is_tf32 ? sign : 0u) | not_a_number : sign | rounded_bits;
    } else {
      return encode_any(number);
    }
  }
  TILEWRIGHT_HOST_DEVICE static constexpr std::uint32_t encode_any(float number) {
    auto const bits = __builtin_bit_cast(std::uint32_t, number);
    std::uint32_t const magnitude = bits & 0x7fffffffu, sign = (bits >> 31) << (E + M);
    if (magnitude > 0x7f800000u) return is_finite ? largest : not_a_number;
    int const field = static_cast<int>(magnitude >> 23);
    std::uint32_t const fraction = magnitude & 0x7fffffu;
    std::uint32_t code = 0;
    if (field - 127 < 1 - bias) {
      std::uint32_t const significand = field == 0 ? fraction : fraction | 0x800000u;
      code = rounded(significand, 23 - M + (1 - bias) - (field == 0 ? -126 : field - 127));
    } else {
      code = rounded((static_cast<std::uint64_t>(field - 127 + bias) << 23) | fraction, 23 - M);
    }
    if (code > largest) code = Range == small_float_range::ieee ? exponent_ones : largest;
    return sign | code;
  }
  TILEWRIGHT_HOST_DEVICE static constexpr float decode(std::uint32_t code) {
#if TILEWRIGHT_ON_DEVICE
    if constexpr (has_instructions) {
      if (!__builtin_is_constant_evaluated()) return ptx::widen_float<E, M>(code);
    }
#endif
    std::uint32_t const sign = (code >> (E + M) & 1u) << 31, magnitude = code & ((1u << (E + M)) - 1u);
    if constexpr (is_f16) {
      return decode_f16(sign, magnitude);
    } else if (magnitude > largest) {
      return __builtin_bit_cast(float, sign | beyond(magnitude));
    }
    if constexpr (E == 8) {
      return __builtin_bit_cast(float, sign | magnitude << (23 - M));
    } else {
      if (magnitude >> M == 0) {
        float const unit = __builtin_bit_cast(float, static_cast<std::uint32_t>(1 - bias - M + 127) << 23);
        float const value = static_cast<float>(magnitude) * unit;
        return sign != 0 ? -value : value;
      }
      return __builtin_bit_cast(float,
                                sign | ((magnitude << (23 - M)) + (static_cast<std::uint32_t>(127 - bias) << 23)));
    }
  }
};

/// The float next to the number in the direction of zero, with its last bit set where it is not the number: what is
/// rounded from it to fewer bits is rounded as from the number itself.
TILEWRIGHT_HOST_DEVICE constexpr float float_with_sticky_bit(double number) {
  float const near = static_cast<float>(number);
  if (static_cast<double>(near) == number || near != near) return near;
  auto bits = __builtin_bit_cast(std::uint32_t, near);
  bool const away = number < 0 ? static_cast<double>(near) < number : static_cast<double>(near) > number;
  if (away) --bits;
  return __builtin_bit_cast(float, bits | 1u);
}

/// The same of an integer of at most 32 bits, which is a multiple of 256 where it is not exact.
template <class T>
TILEWRIGHT_HOST_DEVICE constexpr float float_with_sticky_bit_of(T number) {
  if constexpr (sizeof(T) < 4) {
    return static_cast<float>(number);
  } else {
    auto const bits = static_cast<std::uint32_t>(number);
    bool const is_negative = static_cast<long long>(number) < 0;
    std::uint32_t const magnitude = is_negative ? 0u - bits : bits;
    float const near = magnitude >> 24 == 0
                           ? static_cast<float>(magnitude)
                           : static_cast<float>(magnitude >> 8 | ((magnitude & 0xffu) != 0 ? 1u : 0u)) * 256.0f;
    return is_negative ? -near : near;
  }
}

}  // namespace detail

/// Bits of storage; the code is in its highest bits (TF32 is a float without its low mantissa bits), but for those
/// narrower than a byte, which are packed from the lowest bit on.
template <class Storage, int E, int M, small_float_range Range>
struct TILEWRIGHT_CUTLASS_NAME small_float {
  using code_type = detail::small_float_code<E, M, Range>;
  using cuda_type = typename detail::cuda_float<E, M>::type;
  using Base = small_float;  // CUTLASS's name of the class that converts
  static constexpr bool is_packed = 1 + E + M < 8;
  static constexpr int padding = is_packed ? 0 : static_cast<int>(sizeof(Storage)) * 8 - (1 + E + M);
  static constexpr unsigned mask = static_cast<unsigned>((1ull << (1 + E + M + padding)) - 1);
  Storage storage = 0;

  constexpr small_float() = default;
  TILEWRIGHT_HOST_DEVICE constexpr explicit small_float(float number)
      : storage(static_cast<Storage>(code_type::encode(number) << padding)) {}
  /// Rounded once, not to a float first.
  TILEWRIGHT_HOST_DEVICE constexpr explicit small_float(double number)
      : small_float(detail::float_with_sticky_bit(number)) {}
  template <class T>
  requires(std::is_integral_v<T> && sizeof(T) <= 4) TILEWRIGHT_HOST_DEVICE constexpr explicit small_float(T number)
      : small_float(detail::float_with_sticky_bit_of(number)) {}
  template <class T>
  requires(std::is_integral_v<T> && sizeof(T) > 4) TILEWRIGHT_HOST_DEVICE constexpr explicit small_float(T number)
      : small_float(static_cast<double>(number)) {}
  /// Of an integer narrower than a byte.
  template <int Bits, bool IsSigned>
  TILEWRIGHT_HOST_DEVICE constexpr explicit small_float(integer_subbyte<Bits, IsSigned> number)
      : small_float(static_cast<int>(number)) {}
  /// The number with the bits of CUDA's own type (__half for half_t).
  template <class T>
  requires(std::is_same_v<T, cuda_type>) TILEWRIGHT_HOST_DEVICE constexpr explicit small_float(T const& number)
      : storage(__builtin_bit_cast(Storage, number)) {}
  template <class T>
  requires(std::is_same_v<T, cuda_type>) TILEWRIGHT_HOST_DEVICE constexpr small_float& operator=(T const& number) {
    return *this = small_float(number);
  }
  /// Rounds, as an assignment to CUDA's __half does. The other formats ask for a conversion by name.
  template <class T>
  requires(std::is_arithmetic_v<T>&& code_type::is_f16) TILEWRIGHT_HOST_DEVICE constexpr small_float& operator=(
      T number) {
    return *this = small_float(number);
  }
  /// CUDA's own type with the bits of this number.
  template <class T = cuda_type>
  requires(code_type::is_f16) TILEWRIGHT_HOST_DEVICE constexpr T to_half() const {
    return __builtin_bit_cast(T, storage);
  }
  template <class T = cuda_type>
  requires(E == 8 && M == 7) TILEWRIGHT_HOST_DEVICE constexpr T to_nv_bfloat16() const {
    return __builtin_bit_cast(T, storage);
  }
  /// The number with these bits.
  TILEWRIGHT_HOST_DEVICE static constexpr small_float bitcast(Storage bits) {
    small_float out;
    out.storage = bits;
    return out;
  }
  // As CUTLASS spells conversions.
  TILEWRIGHT_HOST_DEVICE static constexpr small_float from_float(float x) { return small_float(x); }
  TILEWRIGHT_HOST_DEVICE static constexpr float to_float(small_float x) { return static_cast<float>(x); }
  TILEWRIGHT_HOST_DEVICE static constexpr small_float convert(float x) { return small_float(x); }
  TILEWRIGHT_HOST_DEVICE static constexpr float convert(small_float x) { return static_cast<float>(x); }
  TILEWRIGHT_HOST_DEVICE constexpr Storage raw() const { return storage; }
  TILEWRIGHT_HOST_DEVICE constexpr operator float() const {
    return code_type::decode(static_cast<std::uint32_t>(storage) >> padding);
  }

  TILEWRIGHT_HOST_DEVICE friend constexpr small_float operator+(small_float a, small_float b) {
#if TILEWRIGHT_ON_DEVICE
    if constexpr (code_type::is_f16) {
      if (!__builtin_is_constant_evaluated()) return bitcast(ptx::add_f16(a.storage, b.storage));
    }
#endif
    return small_float(static_cast<float>(a) + static_cast<float>(b));
  }
  TILEWRIGHT_HOST_DEVICE friend constexpr small_float operator-(small_float a, small_float b) {
#if TILEWRIGHT_ON_DEVICE
    if constexpr (code_type::is_f16) {
      if (!__builtin_is_constant_evaluated()) return bitcast(ptx::subtract_f16(a.storage, b.storage));
    }
#endif
    return small_float(static_cast<float>(a) - static_cast<float>(b));
  }
  TILEWRIGHT_HOST_DEVICE friend constexpr small_float operator*(small_float a, small_float b) {
#if TILEWRIGHT_ON_DEVICE
    if constexpr (code_type::is_f16) {
      if (!__builtin_is_constant_evaluated()) return bitcast(ptx::multiply_f16(a.storage, b.storage));
    }
#endif
    return small_float(static_cast<float>(a) * static_cast<float>(b));
  }
  TILEWRIGHT_HOST_DEVICE friend constexpr small_float operator/(small_float a, small_float b) {
    return small_float(static_cast<float>(a) / static_cast<float>(b));
  }
  TILEWRIGHT_HOST_DEVICE friend constexpr small_float operator-(small_float a) {
    return small_float(-static_cast<float>(a));
  }
  TILEWRIGHT_HOST_DEVICE constexpr small_float& operator+=(small_float b) { return *this = *this + b; }
  TILEWRIGHT_HOST_DEVICE constexpr small_float& operator-=(small_float b) { return *this = *this - b; }
  TILEWRIGHT_HOST_DEVICE constexpr small_float& operator*=(small_float b) { return *this = *this * b; }
  TILEWRIGHT_HOST_DEVICE constexpr small_float& operator/=(small_float b) { return *this = *this / b; }
  TILEWRIGHT_HOST_DEVICE friend constexpr bool operator==(small_float a, small_float b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
  TILEWRIGHT_HOST_DEVICE friend constexpr bool operator!=(small_float a, small_float b) { return !(a == b); }
  TILEWRIGHT_HOST_DEVICE friend constexpr bool operator<(small_float a, small_float b) {
    return static_cast<float>(a) < static_cast<float>(b);
  }
  TILEWRIGHT_HOST_DEVICE friend constexpr bool operator>(small_float a, small_float b) { return b < a; }
  TILEWRIGHT_HOST_DEVICE friend constexpr bool operator<=(small_float a, small_float b) {
    return static_cast<float>(a) <= static_cast<float>(b);
  }
  TILEWRIGHT_HOST_DEVICE friend constexpr bool operator>=(small_float a, small_float b) { return b <= a; }
};

/// A power of two, 2^-127 to 2^127, or NaN: the scale of a block of narrower numbers. Has no sign and no zero.
struct TILEWRIGHT_CUTLASS_NAME float_ue8m0_t {
  std::uint8_t storage = 0;

  constexpr float_ue8m0_t() = default;
  /// The smallest power of two that is no less than |number|; beyond 2^127 that, of infinity NaN.
  TILEWRIGHT_HOST_DEVICE constexpr explicit float_ue8m0_t(float number) {
    std::uint32_t const magnitude = __builtin_bit_cast(std::uint32_t, number) & 0x7fffffffu;
    std::uint32_t const exponent = magnitude >> 23, fraction = magnitude & 0x7fffffu;
    if (magnitude >= 0x7f800000u) storage = 0xff;
    else if (exponent == 0) storage = fraction > 0x400000u ? 1 : 0;
    else storage = static_cast<std::uint8_t>(exponent + (fraction != 0) < 0xff ? exponent + (fraction != 0) : 0xfe);
  }
  TILEWRIGHT_HOST_DEVICE constexpr explicit float_ue8m0_t(double number) : float_ue8m0_t(static_cast<float>(number)) {}
  TILEWRIGHT_HOST_DEVICE constexpr explicit float_ue8m0_t(int number) : float_ue8m0_t(static_cast<float>(number)) {}
  TILEWRIGHT_HOST_DEVICE static constexpr float_ue8m0_t bitcast(std::uint8_t bits) {
    float_ue8m0_t out;
    out.storage = bits;
    return out;
  }
  TILEWRIGHT_HOST_DEVICE constexpr std::uint8_t raw() const { return storage; }
  TILEWRIGHT_HOST_DEVICE constexpr operator float() const {
    if (storage == 0xff) return __builtin_bit_cast(float, 0x7fc00000u);
    return __builtin_bit_cast(float, storage == 0 ? 0x00400000u : static_cast<std::uint32_t>(storage) << 23);
  }
};

using float_e4m3_t = small_float<std::uint8_t, 4, 3, small_float_range::saturating_without_infinity>;

/// A float_e4m3_t without a sign, 0 to 448 or NaN: the scale of a block of 16 narrower numbers.
struct TILEWRIGHT_CUTLASS_NAME float_ue4m3_t {
  std::uint8_t storage = 0;

  constexpr float_ue4m3_t() = default;
  /// |number|, rounded as a float_e4m3_t is.
  TILEWRIGHT_HOST_DEVICE constexpr explicit float_ue4m3_t(float number)
      : storage(static_cast<std::uint8_t>(float_e4m3_t(number).storage & 0x7f)) {}
  TILEWRIGHT_HOST_DEVICE constexpr explicit float_ue4m3_t(double number) : float_ue4m3_t(static_cast<float>(number)) {}
  TILEWRIGHT_HOST_DEVICE constexpr explicit float_ue4m3_t(int number) : float_ue4m3_t(static_cast<float>(number)) {}
  TILEWRIGHT_HOST_DEVICE static constexpr float_ue4m3_t bitcast(std::uint8_t bits) {
    float_ue4m3_t out;
    out.storage = bits;
    return out;
  }
  TILEWRIGHT_HOST_DEVICE constexpr std::uint8_t raw() const { return storage; }
  TILEWRIGHT_HOST_DEVICE constexpr operator float() const {
    float_e4m3_t number;
    number.storage = static_cast<std::uint8_t>(storage & 0x7f);  // the sign bit is not read
    return static_cast<float>(number);
  }
};

using half_t = small_float<std::uint16_t, 5, 10, small_float_range::ieee>;
using bfloat16_t = small_float<std::uint16_t, 8, 7, small_float_range::ieee>;
using tfloat32_t = small_float<std::uint32_t, 8, 10, small_float_range::ieee>;
using float_e5m2_t = small_float<std::uint8_t, 5, 2, small_float_range::saturating>;
using float_e2m1_t = small_float<std::uint8_t, 2, 1, small_float_range::finite>;
using float_e2m3_t = small_float<std::uint8_t, 2, 3, small_float_range::finite>;
using float_e3m2_t = small_float<std::uint8_t, 3, 2, small_float_range::finite>;

/// In tensors, numbers narrower than a byte are packed.
template <int Exponent, int Mantissa>
struct sizeof_bits<small_float<std::uint8_t, Exponent, Mantissa, small_float_range::finite>> {
  static constexpr int value = 1 + Exponent + Mantissa;
};

}  // namespace tilewright
