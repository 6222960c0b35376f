// The realigned kernel: a tile whose rows begin at any element is transposed. Source and destination run along different loops,
// and neither side's rows are multiples of a vector apart.
//
// A row of the tile is read in vectors of 8 bytes by neighbouring lanes of a warp, from the one that it begins in, and shifted by
// its lead as it goes into shared memory, so that rows begin at multiples of 16 bytes there. A warp reads rows that are a multiple
// of 8 bytes apart: they have one lead. Then each lane takes a few rows that make up a word of the destination, 16 bytes of
// each, and transposes them in registers: it has a word of some columns, its neighbours the words before and after. A column
// begins at any byte of a word, so a lane shifts in what the lane before has, and a warp writes words next to each other. What a
// tile writes of a column begins and ends where sectors of the destination do; so a tile reads a sector's worth of rows more than
// it writes.
//
//   bytes, rows 4k … 4k + 3 of lane k, columns c … c + 15; column c begins 3 bytes behind a word: lane k writes rows
//   4k - 3 … 4k of it, of which 4k - 3 … 4k - 1 are lane k - 1's.
//
// Everything about a copy is a constant of `S`: the same code runs on a GPU and, in tests, on a CPU.
#pragma once

#include "engine/kernels/cuda/parts/body_block.hpp"
#include "engine/kernels/cuda/realigned/body_lanes.hpp"
#include "engine/kernels/cuda/realigned/body_row.hpp"

namespace tilewright::kernels {

/// Of the grid: a step adds to where the tile begins along i and j, or to the begins of both sides.
struct realigned_mode {
  unsigned extent;
  long long i, j, src, dst;
};

/// One tile. Loop i is the destination's run (stride 1 there, `src_i` in the source), loop j the source's (stride 1 there, `dst_j` in
/// the destination). `S` has as constants: `element` (bytes: 1, 2, 4 or 8), `threads`, `extent_i`, `extent_j`, `src_i`, `dst_j`
/// (elements), `tile_i`, `tile_j`, `sector` (bytes), `pitch` (of rows in shared memory, bytes), `read_at_once` (vectors of a thread) and
/// `evict_source_last`.
template <class S>
class realigned_tile {
 public:
  static constexpr int element = S::element, word = element < 4 ? 4 : element, per_word = word / element;
  static constexpr int lanes = 32, vector = row_vector_bytes, wide = 16;
  static constexpr int halo = S::sector / element;  // rows that are read beyond those that are written
  static constexpr int rows = lanes * per_word;     // that are read: the words of a column are one to a lane
  static constexpr int in_wide = wide / element;    // columns that a lane transposes at a time
  static constexpr int row_vectors = row_vectors_of(S::tile_j * element), row_lanes = row_lanes_of(S::tile_j * element);
  static constexpr int warps = S::threads / lanes, rows_at_once = warps * (lanes / row_lanes),
                       steps = rows / rows_at_once;
  static constexpr int shared_bytes = rows * S::pitch;
  static_assert(S::tile_i == rows - halo && row_vectors < row_lanes &&
                S::pitch >= (S::tile_j + in_wide - 1) / in_wide * wide);
  static_assert(warps * element % vector == 0 && rows % rows_at_once == 0 && steps % S::read_at_once == 0);

  /// The tile of a block. Beside the constants above `S` has the grid's modes, begins in elements and, in bytes, the source's range.
  template <class Block>
  TILEWRIGHT_FN static void run(Block& block, unsigned char* shared, void const* src, void* dst) {
    auto rest = static_cast<unsigned>(block.index().x);
    long long i0 = 0, j0 = 0, from = S::src_begin, to = S::dst_begin;
    TILEWRIGHT_UNROLL
    for (int g = 0; g < S::grid_modes; ++g) {
      realigned_mode const m = S::grid_mode(g);
      long long const index = take_coordinate(rest, m.extent, g + 1 == S::grid_modes);
      i0 += index * m.i;
      j0 += index * m.j;
      from += index * m.src;
      to += index * m.dst;
    }
    auto const* const source = static_cast<unsigned char const*>(src);
    realigned_tile(source + from * element, static_cast<unsigned char*>(dst) + to * element, i0, j0,
                   source + S::src_low, source + S::src_high, shared, block.thread())
        .copy(block);
  }

  /// pre: src, dst: elements (0, 0), multiples of `element`; [low, high): the bytes that may be read; shared: shared_bytes,
  ///      aligned to 16
  TILEWRIGHT_FN realigned_tile(unsigned char const* src, unsigned char* dst, long long i0, long long j0,
                               unsigned char const* low, unsigned char const* high, unsigned char* shared, int thread)
      : i0_(i0),
        src_(address_of(src) + static_cast<address>(((i0 - halo) * S::src_i + j0) * element)),
        dst_(address_of(dst) + static_cast<address>((i0 - halo + j0 * S::dst_j) * element)),
        low_(address_of(low)),
        high_(address_of(high)),
        shared_(shared),
        columns_(S::extent_j - j0 < S::tile_j ? static_cast<int>(S::extent_j - j0) : S::tile_j),
        lane_(thread % lanes),
        warp_(thread / lanes) {}

  template <class Block>
  TILEWRIGHT_FN void copy(Block& block) const {
    bool const is_inner = i0_ >= halo && i0_ + S::tile_i <= S::extent_i;
    if (is_inner && may_read_whole()) read<true>();
    else read<false>();
    block.sync();
    if (is_inner) write<true>();
    else write<false>();
  }

 private:
  static constexpr int sector_words = S::sector / word;
  static constexpr long long row_bytes = S::src_i * element, column_bytes = S::dst_j * element;

  TILEWRIGHT_FN static address address_of(void const* p) { return reinterpret_cast<address>(p); }

  /// Are the vectors that hold the rows all memory that may be read?
  TILEWRIGHT_FN bool may_read_whole() const {
    address const last = src_ + static_cast<address>((rows - 1) * row_bytes);
    return (S::src_i < 0 ? last : src_) >= low_ + (vector - 1) &&
           (S::src_i < 0 ? src_ : last) + static_cast<address>(columns_ * element + vector - 1) <= high_;
  }

  // --- reading ---

  /// The bytes of a row from `at` on, element by element: what is not the row's stays unread, and zero.
  TILEWRIGHT_FN bundle<vector> read_elements(address row, address at) const {
    unsigned long long out = 0;
    address const end = row + static_cast<address>(columns_ * element);
    TILEWRIGHT_UNROLL_BY(1)
    for (int i = 0; i < vector; i += element) {
      if (at + static_cast<address>(i) < row || at + static_cast<address>(i) >= end) continue;
      bundle<element> const one = load_words<element>(reinterpret_cast<void const*>(at + static_cast<address>(i)));
      out |= static_cast<unsigned long long>(one.words[0]) << (i * 8);
      if constexpr (element == 8) out |= static_cast<unsigned long long>(one.words[1]) << 32;
    }
    return {{static_cast<unsigned>(out), static_cast<unsigned>(out >> 32)}};
  }

  template <bool Whole>
  TILEWRIGHT_FN bundle<vector> load(int r, address row, address at) const {
    if constexpr (!Whole) {
      long long const i = i0_ - halo + r;
      if (i < 0 || i >= S::extent_i) return {};
      if (at < low_ || at + vector > high_) return read_elements(row, at);
    }
    return load_at<vector, S::evict_source_last>(at);
  }

  /// From the byte `lead` on; what follows is the next lane's.
  TILEWRIGHT_FN bundle<vector> shifted(bundle<vector> const& in, address lead) const {
    if constexpr (element == vector) {
      return in;
    } else {
      unsigned const bits = static_cast<unsigned>(lead) * 8, next = word_of_lane(in.words[0], lane_ + 1);
      if ((lead & 4) == 0)
        return {{low_word_shifted(in.words[0], in.words[1], bits), low_word_shifted(in.words[1], next, bits)}};
      unsigned const after = word_of_lane(in.words[1], lane_ + 1);
      return {{low_word_shifted(in.words[1], next, bits), low_word_shifted(next, after, bits)}};
    }
  }

  /// Row r's place in shared memory: those of one word are `lanes` rows apart, so that lanes which read theirs meet no bank twice.
  TILEWRIGHT_FN static int place_of(int r) { return (r % per_word * lanes + r / per_word) * S::pitch; }

  template <bool Whole>
  TILEWRIGHT_FN void read() const {
    int const at = lane_ % row_lanes, first = warp_ + warps * (lane_ / row_lanes);
    address const row = src_ + static_cast<address>(first * row_bytes), lead = row % vector;
    address const begin = row - lead + static_cast<address>(at * vector);
    bool const has = begin < row + static_cast<address>(columns_ * element), keeps = at < row_vectors;
    unsigned char* const to = shared_ + place_of(first) + at * vector;
    constexpr int place_step = rows_at_once / per_word * S::pitch;
    TILEWRIGHT_UNROLL_BY(1)
    for (int step = 0; step < steps; step += S::read_at_once) {
      bundle<vector> held[S::read_at_once];
      TILEWRIGHT_UNROLL
      for (int n = 0; n < S::read_at_once; ++n) {
        auto const by = static_cast<address>((step + n) * (rows_at_once * row_bytes));
        held[n] = {};
        if (has) held[n] = load<Whole>(first + (step + n) * rows_at_once, row + by, begin + by);
      }
      TILEWRIGHT_UNROLL
      for (int n = 0; n < S::read_at_once; ++n) {
        bundle<vector> const out = shifted(held[n], lead);
        if (keeps) store_words<vector>(to + (step + n) * place_step, out);
      }
    }
  }

  // --- writing ---

  /// This lane's words of the columns from 16 · `group` bytes on.
  TILEWRIGHT_FN void words_of(int group, bundle<word> (&out)[in_wide]) const {
    bundle<wide> in[per_word];
    TILEWRIGHT_UNROLL
    for (int v = 0; v < per_word; ++v)
      in[v] = load_words<wide>(shared_ + (v * lanes + lane_) * S::pitch + group * wide);
    TILEWRIGHT_UNROLL
    for (int c = 0; c < wide / word; ++c) {
      if constexpr (per_word == 1) {
        TILEWRIGHT_UNROLL
        for (int w = 0; w < word / 4; ++w) out[c].words[w] = in[0].words[c * (word / 4) + w];
      } else {
        bundle<4> of_rows[per_word], columns[per_word];
        TILEWRIGHT_UNROLL
        for (int v = 0; v < per_word; ++v) of_rows[v] = {{in[v].words[c]}};
        transpose_bundles<element, per_word>(of_rows, columns);
        TILEWRIGHT_UNROLL
        for (int v = 0; v < per_word; ++v) out[c * per_word + v] = columns[v];
      }
    }
  }

  /// Columns that begin at the same byte of their words.
  struct alike {
    address to;       // of this lane's word of the first column, had it that begin
    unsigned bits;    // that its words are shifted by
    unsigned exists;  // bit x: the word is the tile's, if x words of a sector are before the column's
  };

  /// `begin`: of the first column, at row -halo of the tile. Words are the tile's from the first whole sector behind that on.
  TILEWRIGHT_FN void find_alike(address begin, alike (&out)[per_word]) const {
    unsigned const lead = static_cast<unsigned>(begin % word), before = static_cast<unsigned>(begin % S::sector / word);
    unsigned exists = 0;
    TILEWRIGHT_UNROLL
    for (int x = 0; x < sector_words; ++x)
      if (static_cast<unsigned>(lane_ - sector_words + x) < static_cast<unsigned>(S::tile_i / per_word))
        exists |= 1u << x | 1u << (x + sector_words);
    TILEWRIGHT_UNROLL
    for (int c = 0; c < per_word; ++c) {
      unsigned const carry = (lead + static_cast<unsigned>(c * element)) / word;
      out[c] = {begin - lead + carry * word + static_cast<address>(lane_ * word),
                (lead + static_cast<unsigned>(c * element)) * 8, exists >> ((before + carry) % sector_words)};
    }
  }

  /// The elements of a word that exist; the first of them is row i.
  TILEWRIGHT_FN static void write_elements(address to, bundle<word> const& out, long long i) {
    TILEWRIGHT_UNROLL_BY(1)
    for (int v = 0; v < per_word; ++v) {
      if (i + v < 0 || i + v >= S::extent_i) continue;
      bundle<element> one;
      TILEWRIGHT_UNROLL
      for (int w = 0; w < bundle<element>::registers; ++w) one.words[w] = out.words[w] >> (v * element % 4 * 8);
      store_words<element>(reinterpret_cast<void*>(to + static_cast<address>(v * element)), one);
    }
  }

  /// What the lane before has of this column, and this lane's word, as the destination has them.
  TILEWRIGHT_FN bundle<word> joined(bundle<word> const& now, unsigned bits) const {
    if constexpr (per_word == 1) return now;
    else return {{high_word_shifted(word_of_lane(now.words[0], lane_ - 1), now.words[0], bits)}};
  }

  template <bool Inner>
  TILEWRIGHT_FN void write() const {
    TILEWRIGHT_UNROLL_BY(1)
    for (int group = warp_; group * in_wide < columns_; group += warps) {
      bundle<word> now[in_wide];
      words_of(group, now);
      alike columns[per_word];
      find_alike(dst_ + static_cast<address>(group * (in_wide * column_bytes)), columns);
      TILEWRIGHT_UNROLL
      for (int s = 0; s < in_wide; ++s) {
        auto const from_first = static_cast<address>(s * column_bytes);
        alike const& column = columns[from_first % word / element];
        bundle<word> const out = joined(now[s], column.bits);
        bool exists = (column.exists >> (from_first / word % sector_words) & 1u) != 0;
        if constexpr (S::extent_j % S::tile_j != 0 || S::tile_j % in_wide != 0)
          exists = exists && group * in_wide + s < columns_;
        if (!exists) continue;
        address const to = column.to + (from_first - from_first % word);
        if constexpr (Inner) store_at<word>(to, out);
        else write_elements(to, out, i0_ - halo + lane_ * per_word - column.bits / 8 % word / element);
      }
    }
  }

  long long i0_;
  address src_, dst_;  // of element (i0 - halo, j0)
  address low_, high_;
  unsigned char* shared_;
  int columns_;  // of the tile that exist
  int lane_, warp_;
};

}  // namespace tilewright::kernels
