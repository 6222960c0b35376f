// A field of an unsigned word: NumBits bits from bit BitStart, read and written like an integer.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/int.hpp"

namespace cute {

template <std::uint32_t BitStart, std::uint32_t NumBits, class Word = std::uint32_t>
struct bit_field {
  static_assert(NumBits > 0 && BitStart + NumBits <= 8 * sizeof(Word),
                "bit_field: the field must be inside of its word");
  static constexpr Word mask = static_cast<Word>(~Word(0)) >> (8 * sizeof(Word) - NumBits);
  Word word = 0;

  CUTE_HOST_DEVICE constexpr Word get() const { return static_cast<Word>(word >> BitStart) & mask; }
  CUTE_HOST_DEVICE constexpr void set(Word value) {
    word = static_cast<Word>((word & ~static_cast<Word>(mask << BitStart)) |
                             static_cast<Word>((value & mask) << BitStart));
  }
  CUTE_HOST_DEVICE constexpr operator Word() const { return get(); }
  CUTE_HOST_DEVICE constexpr bit_field& operator=(Word value) {
    set(value);
    return *this;
  }
};

}  // namespace cute
