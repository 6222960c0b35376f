// How the tile kernel (body.hpp) loads an access of small elements that are equally placed in every access (pattern.hpp): by the
// words or vectors that have them, whose bytes are permuted.
#pragma once

#include "engine/kernels/cuda/parts/body_words.hpp"

namespace tilewright::kernels {

/// `S` is the shape of tile_copy (body.hpp).
template <class S>
class pattern_loads {
  using Side = typename S::write;
  static constexpr int element = S::element, count = Side::vector, each = element < 4 ? 4 / element : 1;

 public:
  /// pre: `first` is the place of the access's first element, elements have 1 or 2 bytes, and pattern_unit is not 0
  TILEWRIGHT_FN static bundle<count * element> load(unsigned char const* shared, int first) {
    bundle<count * element> out;
    unsigned words[16];
    int const beyond = Side::pattern_slides ? first & 3 : 0;
    load_units(shared, first - beyond, words);
    TILEWRIGHT_UNROLL
    for (int w = 0; w < count / each; ++w)
      out.words[w] = permuted_elements(words, w * each, static_cast<unsigned>(beyond) * 0x1111u);
    return out;
  }

 private:
  TILEWRIGHT_FN static void load_units(unsigned char const* shared, int first, unsigned (&words)[16]) {
    TILEWRIGHT_UNROLL
    for (int u = 0; u < Side::pattern_units; ++u) {
      int const place = first + Side::pattern_begin(u);
      unsigned char const* const from = shared + place;
      if (Side::pattern_unit == 16) {
        bundle<16> const all = load_words<16>(from);
        TILEWRIGHT_UNROLL
        for (int i = 0; i < 4; ++i) words[(u * 4 + i) % 16] = all.words[i];
      } else if (Side::pattern_unit == 8) {
        bundle<8> const all = load_words<8>(from);
        TILEWRIGHT_UNROLL
        for (int i = 0; i < 2; ++i) words[(u * 2 + i) % 16] = all.words[i];
      } else if (Side::pattern_is_aligned) {
        words[u % 16] = load_words<4>(from).words[0];
      } else {
        unsigned char const* const pair = shared + (place & ~3);
        words[u % 16] = shifted_word(load_words<4>(pair).words[0], load_words<4>(pair + 4).words[0],
                                     static_cast<unsigned>(place) & 3u);
      }
    }
  }

  /// A word of elements `i`, `i` + 1, …, each from where the pattern says: from two words, or from two pairs of words.
  /// slide: what is added to selectors, as each byte is so many bytes further
  TILEWRIGHT_FN static unsigned permuted_elements(unsigned const (&words)[16], int i, unsigned slide) {
    int word[4], byte[4];
    TILEWRIGHT_UNROLL
    for (int b = 0; b < 4; ++b) {
      int const one = i + b / element % each;
      word[b] = Side::pattern_word(one);
      byte[b] = Side::pattern_byte(one) + b % element;
    }
    int other = word[0];
    bool is_of_two = true;
    TILEWRIGHT_UNROLL
    for (int b = 1; b < 4; ++b) {
      if (other == word[0]) other = word[b];
      is_of_two = is_of_two && (word[b] == word[0] || word[b] == other);
    }
    auto const selector = [&](int b, int first) { return static_cast<unsigned>(byte[b] + (word[b] == first ? 0 : 4)); };
    if (is_of_two)
      return chosen_bytes(
          words[word[0]], words[other],
          (selector(0, word[0]) | selector(1, word[0]) << 4 | selector(2, word[0]) << 8 | selector(3, word[0]) << 12) +
              slide);
    unsigned const low =
        chosen_bytes(words[word[0]], words[word[1]], (selector(0, word[0]) | selector(1, word[0]) << 4) + slide);
    unsigned const high =
        chosen_bytes(words[word[2]], words[word[3]], (selector(2, word[2]) | selector(3, word[2]) << 4) + slide);
    return chosen_bytes(low, high, 0x5410u);
  }
};

}  // namespace tilewright::kernels
