// A field of an unsigned word: NumBits bits from bit BitStart, read and written like an integer.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/int.hpp"

namespace cute {

namespace detail {
template <std::uint32_t Bits>
using word_of_bits = std::conditional_t<
    (Bits <= 8), std::uint8_t,
    std::conditional_t<(Bits <= 16), std::uint16_t, std::conditional_t<(Bits <= 32), std::uint32_t, std::uint64_t>>>;
}  // namespace detail

/// NumBits bits from bit BitStart of this object on, as a value of type Field. The words are as wide as the field, so that
/// it is in one of them or in two neighbours; those before the field belong to it too and are not touched.
template <std::uint32_t BitStart, std::uint32_t NumBits, class Field = detail::word_of_bits<NumBits>>
struct bit_field {
  static_assert(0 < NumBits && NumBits <= 64, "bit_field: a field has 1 to 64 bits");
  static_assert(sizeof(Field) <= 8 && 8 * sizeof(Field) >= NumBits,
                "bit_field: the value's type is too narrow or too wide for the field");
  using value_type = Field;
  static constexpr std::uint32_t value_type_bits = 8 * sizeof(Field);
  using storage_type = detail::word_of_bits<value_type_bits>;
  static constexpr std::uint32_t storage_type_bits = 8 * sizeof(storage_type);
  static constexpr std::uint32_t N = (BitStart + NumBits + storage_type_bits - 1) / storage_type_bits;
  static constexpr std::uint32_t idx = BitStart / storage_type_bits;  // the first word of the field
  static constexpr std::uint32_t bit_lo = BitStart % storage_type_bits;
  static constexpr bool crosses = bit_lo + NumBits > storage_type_bits;
  static constexpr std::uint32_t bit_hi = crosses ? storage_type_bits - bit_lo : 0;  // bits that the first word holds
  static constexpr std::uint64_t mask = ~std::uint64_t(0) >> (64 - NumBits);
  static constexpr storage_type mask_lo = static_cast<storage_type>(mask << bit_lo);
  static constexpr storage_type mask_hi = crosses ? static_cast<storage_type>(mask >> bit_hi) : storage_type(0);

  storage_type data_[N] = {};

  CUTE_HOST_DEVICE constexpr std::uint64_t bits() const {
    std::uint64_t value = static_cast<std::uint64_t>(static_cast<storage_type>(data_[idx] & mask_lo)) >> bit_lo;
    if constexpr (crosses) value |= static_cast<std::uint64_t>(data_[idx + 1] & mask_hi) << bit_hi;
    return value;
  }
  CUTE_HOST_DEVICE constexpr void set_bits(std::uint64_t value) {
    value &= mask;
    data_[idx] = static_cast<storage_type>((data_[idx] & static_cast<storage_type>(~mask_lo)) |
                                           static_cast<storage_type>(value << bit_lo));
    if constexpr (crosses)
      data_[idx + 1] = static_cast<storage_type>((data_[idx + 1] & static_cast<storage_type>(~mask_hi)) |
                                                 static_cast<storage_type>(value >> bit_hi));
  }
  CUTE_HOST_DEVICE constexpr Field get() const { return __builtin_bit_cast(Field, static_cast<storage_type>(bits())); }
  CUTE_HOST_DEVICE constexpr void set(Field value) {
    set_bits(static_cast<std::uint64_t>(__builtin_bit_cast(storage_type, value)));
  }
  CUTE_HOST_DEVICE constexpr operator Field() const { return get(); }
  CUTE_HOST_DEVICE constexpr bit_field& operator=(Field value) {
    set(value);
    return *this;
  }
};

}  // namespace cute
