// Element types beyond C++'s own: integers narrower than a byte, whose tensors are packed bit by bit, and words of up to
// 256 bits that a vector access carries. Words may alias any element, so that a wide access to narrow elements is
// defined behaviour.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/traits.hpp"
#include "tilewright/base/units.hpp"

namespace tilewright {

/// An integer of `Bits` bits; arithmetic happens after conversion to int.
/// pre: 1 <= Bits < 8; a value outside of the range keeps its low bits
template <int Bits, bool IsSigned = true>
struct TILEWRIGHT_CUTLASS_NAME integer_subbyte {
  static constexpr bool bits_are_fewer_than_a_byte = Bits >= 1 && Bits < 8;
  static_assert(bits_are_fewer_than_a_byte,
                "integer_subbyte: a packed integer has 1 to 7 bits; use an ordinary integer from 8 bits on "
                "(docs/errors.md#subbyte_width)");
  static constexpr unsigned mask = (1u << Bits) - 1;
  unsigned char storage = 0;

  constexpr integer_subbyte() = default;
  TILEWRIGHT_HOST_DEVICE constexpr integer_subbyte(int value)
      : storage(static_cast<unsigned char>(static_cast<unsigned>(value) & mask)) {}
  TILEWRIGHT_HOST_DEVICE constexpr operator int() const {
    int const low = static_cast<int>(storage & mask);
    return IsSigned && (low >> (Bits - 1)) != 0 ? low - (1 << Bits) : low;
  }
};

using int2b_t = integer_subbyte<2, true>;
using int4b_t = integer_subbyte<4, true>;
using int6b_t = integer_subbyte<6, true>;
using uint1b_t = integer_subbyte<1, false>;
using uint2b_t = integer_subbyte<2, false>;
using uint4b_t = integer_subbyte<4, false>;
using uint6b_t = integer_subbyte<6, false>;

template <int Bits, bool IsSigned>
struct sizeof_bits<integer_subbyte<Bits, IsSigned>> {
  static constexpr int value = Bits;
};

template <class T>
inline constexpr bool is_subbyte_v = sizeof_bits_v<T> % 8 != 0;

namespace detail {
template <int Bits>
inline constexpr bool is_width_of_a_vector_access =
    Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64 || Bits == 128 || Bits == 256;
}  // namespace detail

/// A word that loads and stores move whole.  Bits: 8, 16, 32, 64, 128, 256.
template <int Bits>
struct TILEWRIGHT_CUTLASS_NAME TILEWRIGHT_MAY_ALIAS alignas(detail::is_width_of_a_vector_access<Bits> ? Bits / 8
                                                                                                      : 1) word {
  static_assert(detail::is_width_of_a_vector_access<Bits>,
                "word: a vector access has 8, 16, 32, 64, 128 or 256 bits; use one of these widths "
                "(docs/errors.md#word_width)");
  using unit = std::conditional_t<
      Bits == 8, std::uint8_t,
      std::conditional_t<Bits == 16, std::uint16_t, std::conditional_t<Bits == 32, std::uint32_t, std::uint64_t>>>;
  unit units[detail::is_width_of_a_vector_access<Bits> ? Bits / 8 / sizeof(unit) : 1];
  friend TILEWRIGHT_CONSTEXPR bool operator==(word const&, word const&) = default;
};

using uint128_t = word<128>;
using uint256_t = word<256>;

/// An unsigned type of exactly so many bits.
template <int Bits>
struct uint_bit {
  using type = word<Bits>;
};
template <>
struct uint_bit<1> {
  using type = uint1b_t;
};
template <>
struct uint_bit<2> {
  using type = uint2b_t;
};
template <>
struct uint_bit<4> {
  using type = uint4b_t;
};
template <>
struct uint_bit<6> {
  using type = uint6b_t;
};
template <>
struct uint_bit<8> {
  using type = std::uint8_t;
};
template <>
struct uint_bit<16> {
  using type = std::uint16_t;
};
template <>
struct uint_bit<32> {
  using type = std::uint32_t;
};
template <>
struct uint_bit<64> {
  using type = std::uint64_t;
};
template <int Bits>
using uint_bit_t = typename uint_bit<Bits>::type;
template <int Bytes>
using uint_byte_t = uint_bit_t<8 * Bytes>;

namespace detail {

/// Does a type mean bits rather than a number?
template <class T>
inline constexpr bool stands_for_bits = std::is_unsigned_v<T> && !std::is_same_v<T, bool>;
template <int Bits>
inline constexpr bool stands_for_bits<word<Bits>> = true;
template <int Bits>
inline constexpr bool stands_for_bits<integer_subbyte<Bits, false>> = true;

}  // namespace detail

}  // namespace tilewright
