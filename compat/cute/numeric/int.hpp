// Integer types by width, down to single bits and up to 256 bits.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/integral_constant.hpp"
#include "tilewright/tensor/element.hpp"

namespace cute {

using tilewright::int2b_t;
using tilewright::int4b_t;
using tilewright::int6b_t;
using tilewright::uint128_t;
using tilewright::uint1b_t;
using tilewright::uint256_t;
using tilewright::uint2b_t;
using tilewright::uint4b_t;
using tilewright::uint6b_t;

using bin1_t = bool;
using int2_t = int2b_t;
using int4_t = int4b_t;
using int6_t = int6b_t;
using uint1_t = uint1b_t;
using uint2_t = uint2b_t;
using uint4_t = uint4b_t;
using uint6_t = uint6b_t;

namespace detail {
template <int Bits>
struct signed_bits;
template <>
struct signed_bits<2> {
  using type = int2b_t;
};
template <>
struct signed_bits<4> {
  using type = int4b_t;
};
template <>
struct signed_bits<6> {
  using type = int6b_t;
};
template <>
struct signed_bits<8> {
  using type = std::int8_t;
};
template <>
struct signed_bits<16> {
  using type = std::int16_t;
};
template <>
struct signed_bits<32> {
  using type = std::int32_t;
};
template <>
struct signed_bits<64> {
  using type = std::int64_t;
};
}  // namespace detail

using tilewright::uint_bit;
using tilewright::uint_bit_t;
using tilewright::uint_byte_t;
template <int Bits>
using int_bit_t = typename detail::signed_bits<Bits>::type;
template <int Bytes>
using int_byte_t = int_bit_t<8 * Bytes>;
template <int Bytes>
using uint_byte = uint_bit<8 * Bytes>;

template <int Bits>
using int_bit = detail::signed_bits<Bits>;
template <int Bytes>
using int_byte = int_bit<8 * Bytes>;

}  // namespace cute
