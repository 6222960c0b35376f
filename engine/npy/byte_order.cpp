// Reverses the bytes of numbers in place.
#include "tilewright/engine/npy.hpp"

#include <algorithm>
#include <cstring>

namespace tilewright {
namespace {

template <class Word>
Word reversed(Word word) {
  if constexpr (sizeof(Word) == 2) return __builtin_bswap16(word);
  else if constexpr (sizeof(Word) == 4) return __builtin_bswap32(word);
  else return __builtin_bswap64(word);
}

template <class Word>
void reverse_words(std::byte* at, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i, at += sizeof(Word)) {
    Word word;
    std::memcpy(&word, at, sizeof(Word));
    word = reversed(word);
    std::memcpy(at, &word, sizeof(Word));
  }
}

void reverse_each(std::byte* at, std::int64_t bytes, std::int64_t count) {
  switch (bytes) {
    case 2: return reverse_words<std::uint16_t>(at, count);
    case 4: return reverse_words<std::uint32_t>(at, count);
    case 8: return reverse_words<std::uint64_t>(at, count);
    default:
      for (std::int64_t i = 0; i < count; ++i, at += bytes) std::reverse(at, at + bytes);
  }
}

void convert_numbers(std::byte* element, std::vector<npy_numbers> const& numbers, byte_order order) {
  for (npy_numbers const& n : numbers) {
    if (n.inner.empty()) {
      if (n.order != order) reverse_each(element + n.begin, n.bytes, n.count);
      continue;
    }
    for (std::int64_t i = 0; i < n.count; ++i) convert_numbers(element + n.begin + i * n.bytes, n.inner, order);
  }
}

}  // namespace

void convert_byte_order(std::span<std::byte> elements, npy_element const& element, byte_order order) {
  if (element.numbers.empty() || elements.empty()) return;
  auto const count = static_cast<std::int64_t>(elements.size()) / element.bytes;
  npy_numbers const& first = element.numbers.front();
  if (element.numbers.size() == 1 && first.inner.empty() && first.bytes * first.count == element.bytes) {
    if (first.order != order) reverse_each(elements.data(), first.bytes, first.count * count);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) convert_numbers(elements.data() + i * element.bytes, element.numbers, order);
}

}  // namespace tilewright
