// How the tile kernel (body.hpp) puts together what it writes: the elements of a row of the destination from their places in
// shared memory. What is known of the row (numbers.hpp) says how: by words, by words of pieces of the row, or element by
// element, whose places are equally far apart, counted on from the first one, or looked up.
#pragma once

#include "engine/kernels/cuda/tile/body_pattern.hpp"
#include "engine/kernels/cuda/tile/body_rows.hpp"

namespace tilewright::kernels {

/// The tile in shared memory. `S` is the shape of tile_copy (body.hpp).
template <class S>
class tile_image {
  static constexpr int element = S::element;

 public:
  TILEWRIGHT_FN explicit tile_image(unsigned char* shared) : shared_(shared) {}
  TILEWRIGHT_FN unsigned char* at(int place) const { return shared_ + place; }

  template <class Side>
  TILEWRIGHT_FN unsigned short* place_table() const {
    return reinterpret_cast<unsigned short*>(shared_ + Side::places_at);
  }

  /// Where the table has the place of element (or access) i (numbers.hpp).
  template <class Side>
  TILEWRIGHT_FN static int entry_of(int i) {
    auto const at = static_cast<unsigned>(i);
    if (Side::halved_table)
      return static_cast<int>(at / 16 * 8 + at % 8) + static_cast<int>(at / 8 % 2) * (Side::table_length / 2);
    return Side::table_gap == 0 ? i : static_cast<int>(at + at / Side::vector * Side::table_gap);
  }

  /// Access `number` of a row whose accesses all have as many elements.
  TILEWRIGHT_FN bundle<S::write::vector * element> access(int place, int number) const {
    using Side = typename S::write;
    constexpr int bytes = Side::vector * element;
    if (Side::joined && (bytes >= 4 || Side::joined_alignment >= bytes)) {
      bundle<bytes> out;
      if (Side::joined_alignment >= bytes) out = load_words<bytes>(shared_ + place + number * bytes);
      else load_joined(place + number * bytes, out.words);
      return out;
    }
    if (Side::patterned) return load_pattern(place + first_of_pattern(number * Side::vector));
    if (Side::pattern_pieces) return gather_patterns(place, number * Side::vector);
    if (Side::pieced && bytes >= 4) return gather_pieces<Side::vector>(place, number * Side::vector);
    int at[Side::vector];
    places_of_access(number, at);
    return load_elements(place, at);
  }

  /// The elements x, x + 1, … of a row.
  template <int Count>
  TILEWRIGHT_FN bundle<Count * element> gather(int place, int x) const {
    using Side = typename S::write;
    if (Side::joined && Count * element >= 4) {
      bundle<Count * element> out;
      load_joined(place + x * element, out.words);
      return out;
    }
    if constexpr (Count == Side::vector) {
      if (Side::patterned) return load_pattern(place + first_of_pattern(x));
      if (Side::pattern_pieces) return gather_patterns(place, x);
    }
    if (Side::pieced && Count * element >= 4) return gather_pieces<Count>(place, x);
    int at[Count];
    if (Side::strided) {
      places_in_pieces<Count>(x, at);
    } else if (Side::counted) {
      count_places<Count>(x, at);
    } else if (Side::tabled_places) {
      load_places<Count>(x, at);
    } else {
      auto const m = Side::run_mode(0);
      TILEWRIGHT_UNROLL
      for (int i = 0; i < Count; ++i) at[i] = (m.flipped ? m.extent - 1 - x - i : x + i) * m.place;
    }
    return load_elements(place, at);
  }

  /// The place of element x of a row that begins anywhere.
  TILEWRIGHT_FN int place_of(int x) const {
    using Side = typename S::write;
    if (Side::pieced || Side::strided) {
      int out[1];
      places_in_pieces<1>(x, out);
      return out[0];
    }
    if (Side::counted || Side::pattern_pieces) return compute_place<Side>(x);
    auto const m = Side::run_mode(0);
    int out[1] = {(m.flipped ? m.extent - 1 - x : x) * m.place};
    if (Side::tabled_places) load_places<1>(x, out);
    return out[0];
  }

  /// The places of the elements of an access, the first of which is x.
  TILEWRIGHT_FN void places_of_access(int access, int (&out)[S::write::vector]) const {
    using Side = typename S::write;
    int const x = access * Side::vector;
    if (Side::patterned) return places_of_pattern(first_of_pattern(x), out);
    if (Side::pieced || Side::strided) return places_in_pieces<Side::vector>(x, out);
    if (Side::pattern_pieces) return count_places<Side::vector>(x, out);
    if (Side::counted) return count_places<Side::vector>(x, out);
    if (Side::tabled_places && Side::place_step == 1) return load_places<Side::vector>(x, out);
    auto const m = Side::run_mode(0);
    int first[1] = {(m.flipped ? m.extent - 1 - x : x) * m.place};
    if (Side::tabled_places) load_places<1>(x, first);
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Side::vector; ++i) out[i] = first[0] + i * (m.flipped ? -m.place : m.place);
  }

 private:
  template <int Count>
  TILEWRIGHT_FN bundle<Count * element> load_elements(int place, int const (&at)[Count]) const {
    bundle<element> parts[Count];
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Count; ++i) parts[i] = load_words<element>(shared_ + place + at[i]);
    return join<element, Count>(parts);
  }

  /// The place of an access's first element, x, where the others are equally far from it in every access (pattern.hpp).
  TILEWRIGHT_FN int first_of_pattern(int x) const {
    using Side = typename S::write;
    if (!Side::tabled_places) return compute_place<Side>(x);
    int first[1];
    load_places<1>(x, first);
    return first[0];
  }

  TILEWRIGHT_FN static void places_of_pattern(int first, int (&out)[S::write::vector]) {
    TILEWRIGHT_UNROLL
    for (int i = 0; i < S::write::vector; ++i) out[i] = first + S::write::pattern_offset(i);
  }

  /// Such an access, whose first element is at `first`.
  TILEWRIGHT_FN bundle<S::write::vector * element> load_pattern(int first) const {
    using Side = typename S::write;
    bundle<Side::vector * element> out;
    if (Side::pattern_unit > 0 && element < 4 && Side::vector * element >= 4) {
      out = pattern_loads<S>::load(shared_, first);
    } else {
      int at[Side::vector];
      places_of_pattern(first, at);
      out = load_elements(0, at);
    }
    return out;
  }

  /// The elements x, x + 1, … of a row of pieces, each with that pattern: they are of one piece or of two.
  TILEWRIGHT_FN bundle<S::write::vector * element> gather_patterns(int place, int x) const {
    using Side = typename S::write;
    int const q = x / Side::place_step, at = x - q * Side::place_step, left = Side::place_step - at;
    auto out = load_pattern(place + first_of_piece(q) + at / Side::pattern_inside * Side::pattern_step);
    if (left < Side::vector) {
      auto const next = load_pattern(place + first_of_piece(q + 1) - left / Side::pattern_inside * Side::pattern_step);
      TILEWRIGHT_UNROLL
      for (int w = 0; w < bundle<Side::vector * element>::registers; ++w)
        out.words[w] = merged_word(out.words[w], next.words[w], left * element - 4 * w);
    }
    return out;
  }
  TILEWRIGHT_FN int first_of_piece(int q) const {
    using Side = typename S::write;
    if (!Side::tabled_places) return compute_place<Side>(q, Side::piece_modes) + Side::piece_first;
    int const period = Side::period / Side::place_step;
    return place_table<Side>()[q % period] + q / period * Side::period_place;
  }

  /// The places of elements x to x + Count - 1 of a row: x's modes taken apart, then counted on.
  template <int Count>
  TILEWRIGHT_FN static void count_places(int x, int (&out)[Count]) {
    using Side = typename S::write;
    constexpr int max_modes = S::max_modes;
    int at[max_modes];
    unsigned rest = static_cast<unsigned>(x);
    out[0] = 0;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Side::run_modes; ++i) {
      auto const m = Side::run_mode(i);
      at[i] = static_cast<int>(take_coordinate(rest, m.extent, i + 1 == Side::run_modes));
      out[0] += place_in_mode(m, at[i]);
    }
    TILEWRIGHT_UNROLL
    for (int n = 1; n < Count; ++n) {
      int place = out[n - 1];
      bool carries = true;
      TILEWRIGHT_UNROLL
      for (int i = 0; i < Side::run_modes; ++i) {
        auto const m = Side::run_mode(i);
        int const step = m.flipped ? -m.place : m.place;
        bool const ends = i + 1 < Side::run_modes && at[i] + 1 == m.extent;
        place += carries ? ends ? -(m.extent - 1) * step : step : 0;
        at[i] = carries ? ends ? 0 : at[i] + 1 : at[i];
        carries = carries && ends;
      }
      out[n] = place;
    }
  }

  /// The same, from the table, which has the places of a period; those of the next one are equally far apart.
  template <int Count>
  TILEWRIGHT_FN void load_places(int x, int (&out)[Count]) const {
    using Side = typename S::write;
    auto const at = static_cast<unsigned>(x), period = static_cast<unsigned>(Side::period);
    unsigned const within = Side::period < Side::run_length ? at % period : at;
    int const before = Side::period < Side::run_length ? static_cast<int>(at / period) * Side::period_place : 0;
    auto const entry = static_cast<int>(within / static_cast<unsigned>(Side::place_step));
    unsigned short const* const from = place_table<Side>() + entry_of<Side>(entry);
    bool const is_aligned = Side::period >= Side::run_length || Side::period % Count == 0;
    if constexpr (Count == 1 || Side::shifted) {
      load_entries<Side>(from, entry, out);
    } else if (!is_aligned) {
      load_entries<Side>(from, entry, out);
    } else {
      constexpr int at_once = Count < 8 ? Count : 8;
      TILEWRIGHT_UNROLL
      for (int part = 0; part < Count; part += at_once) {
        int const half = Side::halved_table ? part / 8 * (Side::table_length / 2) : part;
        bundle<2 * at_once> const packed = load_words<2 * at_once>(from + half);
        TILEWRIGHT_UNROLL
        for (int i = 0; i < at_once; ++i)
          out[part + i] = static_cast<int>(packed.words[i / 2] >> (i % 2 * 16) & 0xffffu);
      }
    }
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Count; ++i) out[i] += before;
  }

  /// Entries `entry`, … of the table, one by one, the first of which is at `from`.
  template <class Side, int Count>
  TILEWRIGHT_FN static void load_entries(unsigned short const* from, int entry, int (&out)[Count]) {
    int const left = Side::vector - static_cast<int>(static_cast<unsigned>(entry) % Side::vector);
    unsigned short const* const beyond = from + Side::table_gap;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Count; ++i) out[i] = i < left ? from[i] : beyond[i];
  }

  /// The lowest place of piece q of a row: of as many elements of the row as follow each other in shared memory.
  TILEWRIGHT_FN int place_of_piece(int q) const {
    using Side = typename S::write;
    if (Side::counted) return compute_place<Side>(q, 1);
    int const period = Side::period / Side::place_step, last = Side::run_mode(0).flipped ? Side::place_step - 1 : 0;
    return place_table<Side>()[q % period] + q / period * Side::period_place - last * Side::run_mode(0).place;
  }

  /// The words of elements `at`, `at` + 1, … of a piece, of which those are whatever is there that the piece has not.
  template <int Count>
  TILEWRIGHT_FN void load_piece(int place, int at, unsigned (&out)[Count]) const {
    using Side = typename S::write;
    auto const m = Side::run_mode(0);
    if (m.place == 0) {  // one element, repeated
      unsigned const one = load_words<element>(shared_ + place).words[0];
      TILEWRIGHT_UNROLL
      for (int i = 0; i < Count; ++i) out[i] = element == 1 ? one * 0x01010101u : one * 0x00010001u;
    } else if (!m.flipped) {
      load_joined(place + at * element, out);
    } else {
      load_joined(place + (Side::place_step - at) * element - 4 * Count, out);
      TILEWRIGHT_UNROLL
      for (int i = 0; i < (Count + 1) / 2; ++i) {
        unsigned const low = out[i];
        out[i] = reversed_word<element>(out[Count - 1 - i]);
        out[Count - 1 - i] = reversed_word<element>(low);
      }
    }
  }

  /// The elements x, x + 1, … of a row of such pieces: they are of one piece or of two.
  template <int Count>
  TILEWRIGHT_FN bundle<Count * element> gather_pieces(int place, int x) const {
    using Side = typename S::write;
    constexpr int bytes = Count * element;
    int const q = x / Side::place_step, at = x - q * Side::place_step, left = (Side::place_step - at) * element;
    bundle<bytes> out;
    load_piece(place + place_of_piece(q), at, out.words);
    if (left < bytes) {
      bundle<bytes> next;
      load_piece(place + place_of_piece(q + 1), at - Side::place_step, next.words);
      TILEWRIGHT_UNROLL
      for (int w = 0; w < bundle<bytes>::registers; ++w)
        out.words[w] = merged_word(out.words[w], next.words[w], left - 4 * w);
    }
    return out;
  }

  /// The places of elements x, x + 1, … of a row of pieces whose elements are equally far apart: of one piece or of two.
  template <int Count>
  TILEWRIGHT_FN void places_in_pieces(int x, int (&out)[Count]) const {
    auto const m = S::write::run_mode(0);
    int const q = x / m.extent, at = x - q * m.extent, left = m.extent - at, step = m.flipped ? -m.place : m.place;
    int const begin = m.flipped ? (m.extent - 1) * m.place : 0;  // of a piece, from its lowest place
    int const first = place_of_piece(q) + begin + at * step;
    int const second = left < Count ? place_of_piece(q + 1) + begin - left * step : 0;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Count; ++i) out[i] = (i < left ? first : second) + i * step;
  }

  /// Words from anywhere in the tile, whose bytes follow each other.
  template <int Count>
  TILEWRIGHT_FN void load_joined(int place, unsigned (&out)[Count]) const {
    if constexpr (Count == 4) {
      unsigned char const* const vectors = shared_ + (place & ~15);
      bundle<16> const all = shifted_vector<element >= 4>(load_words<16>(vectors), load_words<16>(vectors + 16),
                                                          static_cast<unsigned>(place) & 15u);
      TILEWRIGHT_UNROLL
      for (int i = 0; i < 4; ++i) out[i] = all.words[i];
      return;
    }
    unsigned const lead = static_cast<unsigned>(place) & 3u;
    unsigned char const* const from = shared_ + (place & ~3);
    constexpr int more = element < 4 ? 1 : 0;
    unsigned words[Count + more];
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Count + more; ++i) words[i] = load_words<4>(from + 4 * i).words[0];
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Count; ++i) out[i] = more > 0 ? shifted_word(words[i], words[i + more], lead) : words[i];
  }

  unsigned char* shared_;
};

}  // namespace tilewright::kernels
