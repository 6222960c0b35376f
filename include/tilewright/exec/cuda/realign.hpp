// Transposing a tile whose rows begin at any element: source and destination run along different loops, and neither side's
// rows are multiples of a vector apart. Whole vectors are read from before each row's begin and shifted into place; each
// column of the destination is cut where its own sectors begin, so that only whole sectors are written; both by funnel
// shifts on words of shared memory.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/exec/cuda/bundle.hpp"

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace tilewright {

template <int Bytes>
struct unsigned_of;
template <>
struct unsigned_of<1> {
  using type = unsigned char;
};
template <>
struct unsigned_of<2> {
  using type = unsigned short;
};
template <>
struct unsigned_of<4> {
  using type = unsigned;
};
template <>
struct unsigned_of<8> {
  using type = unsigned long long;
};

/// One tile. Loop i is the destination's run (stride 1 there, `src_i` in the source), loop j the source's (stride 1 there,
/// `dst_j` in the destination). `S` has as constants: `element` (bytes, 1 to 8), `threads`, `extent_i`, `extent_j`, `src_i`,
/// `dst_j` (elements), `tile_i`, `tile_j`, `sector` (bytes, at which pieces of the destination begin), the shared images'
/// `source_pitch`, `target_pitch`, `target_group` (bytes), `read_at_once` (vectors of a thread) and `unroll`.
///
/// The source's image holds the rows i0 - halo … i0 + tile_i, each from the aligned vector that it begins in; a table says where
/// each begins. The target's image holds the columns, all of them from the word behind row i0 - halo's; column j is in group
/// j % per_word.
template <class S>
class realigned_tile {
 public:
  using address = unsigned long long;

  static constexpr int element = S::element;
  static constexpr int word_bytes = element < 4 ? 4 : element;
  static constexpr int per_word = word_bytes / element;
  static constexpr int halo = S::sector / element;
  static constexpr int rows = S::tile_i + halo;
  static constexpr int row_vectors = S::tile_j * element / 16 + 1;
  /// Groups of rows that make up words; of the first, columns only take what they shift in.
  static constexpr int groups = rows / per_word;
  static constexpr int images_bytes = (rows * S::source_pitch + per_word * S::target_group + 15) / 16 * 16;
  /// Of the last tile along the source's run: columns that do not exist. A few of them are read all the same.
  static constexpr int columns_beyond = static_cast<int>((S::tile_j - S::extent_j % S::tile_j) % S::tile_j);
  static constexpr bool reads_beyond = columns_beyond > 0 && columns_beyond * 4 <= S::tile_j;

  /// pre: src, dst: elements (0, 0), multiples of `element`; [low, high): the bytes that may be read
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE realigned_tile(void const* src, void* dst, long long i0, long long j0,
                                                     void const* low, void const* high, unsigned char* shared)
      : i0_(i0),
        j0_(j0),
        row0_(reinterpret_cast<address>(src) + static_cast<address>(((i0 - halo) * S::src_i + j0) * element)),
        column0_(reinterpret_cast<address>(dst) + static_cast<address>((i0 + j0 * S::dst_j) * element)),
        low_(reinterpret_cast<address>(low)),
        high_(reinterpret_cast<address>(high)),
        source_(shared),
        target_(shared + rows * S::source_pitch),
        begins_(reinterpret_cast<int*>(shared + images_bytes)),
        thread_(static_cast<int>(threadIdx.x)) {}

  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void copy() {
    for (int r = thread_; r < rows; r += S::threads)
      begins_[r] = r * S::source_pitch + static_cast<int>(lead_of(r)) / word_bytes * word_bytes;
    if (is_inner()) {
      read<true>();
      turn_columns();
      write<true>();
    } else {
      read<false>();
      turn_columns();
      write<false>();
    }
  }

 private:
  using unit = typename unsigned_of<element>::type;
  using word = typename unsigned_of<word_bytes>::type;

  /// Everything that is read exists, and so does what the vectors at the rows' ends hang over.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE bool is_inner() const {
    address const last = row0_ + static_cast<address>((rows - 1) * (S::src_i * element));
    return i0_ >= halo && i0_ + S::tile_i <= S::extent_i && (reads_beyond || j0_ + S::tile_j <= S::extent_j) &&
           (S::src_i < 0 ? last : row0_) >= low_ + 16 &&
           (S::src_i < 0 ? row0_ : last) + (S::tile_j * element + 32) <= high_;
  }
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE int columns() const {
    return S::extent_j - j0_ < S::tile_j ? static_cast<int>(S::extent_j - j0_) : S::tile_j;
  }
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE static address row_step(int r) {
    return static_cast<address>(r * (S::src_i * element));
  }
  /// Elements between the sector that column j's piece begins in and element i0 of it.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE int skew_of(int j) const {
    unsigned const begin = static_cast<unsigned>(column0_) +
                           static_cast<unsigned>(j) * static_cast<unsigned>(S::dst_j * element);  // modulo 2^32
    return static_cast<int>(begin % S::sector) / element;
  }
  /// The bytes between the vector that a row begins in and its begin.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE unsigned lead_of(int r) const {
    return (static_cast<unsigned>(row0_) + static_cast<unsigned>(r) * static_cast<unsigned>(S::src_i * element)) % 16;
  }

  /// A vector of a row, and the word that follows, which is shifted in.
  struct piece {
    bundle<16> held;
    unsigned next;
    bool exists;
  };

  /// The bytes of row r from `at` on, element by element: what is not the row's stays unread, and zero.
  template <int Words>
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void read_elements(address begin, address at, unsigned* words) const {
    address const end = begin + static_cast<address>(columns() * element);
    TILEWRIGHT_UNROLL
    for (int c = 0; c < Words * 4; c += element) {
      if (at + static_cast<address>(c) < begin || at + static_cast<address>(c) >= end) continue;
      word const value = *reinterpret_cast<unit const*>(at + static_cast<address>(c));
      words[c / 4] |= static_cast<unsigned>(value << (c % 4 * 8));
      if constexpr (element == 8) words[c / 4 + 1] = static_cast<unsigned>(value >> 32);
    }
  }

  /// Vector x of the image. Loads are unconditional, or each would wait for its store: what does not exist is
  /// read elsewhere.
  template <bool Inner>
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void load(int x, piece& p) const {
    int const r = x / row_vectors, v = x % row_vectors;
    address const row = row0_ + row_step(r), at = (row & ~address{15}) + static_cast<address>(16 * v);
    address const begin = (low_ + 15) & ~address{15}, end = high_ & ~address{15};
    p.exists = x < rows * row_vectors;
    if constexpr (!Inner) {
      long long const i = i0_ - halo + r;
      p.exists = p.exists && i >= 0 && i < S::extent_i && at < row + static_cast<address>(columns() * element);
    }
    bool const is_whole = Inner ? p.exists : p.exists && at >= begin && at < end;
    auto const* const from = reinterpret_cast<unsigned char const*>(is_whole ? at : begin);
    p.held = load_source<16, S::evict_source_last>(from);
    if constexpr (!Inner) {
      if (p.exists && !is_whole) {
        p.held = {};
        read_elements<4>(row, at, p.held.words);
      }
    }
    if constexpr (element < 4) {  // the other lanes take the next word from their neighbours
      p.next = 0;
      bool const is_last = thread_ % 32 == 31;
      if (is_last && is_whole && v + 1 < row_vectors && (Inner || at + 16 < end))
        p.next = load_source<4, S::evict_source_last>(from + 16).words[0];
      if constexpr (!Inner)
        if (is_last && p.exists && at + 16 >= end) read_elements<1>(row, at + 16, &p.next);
    }
  }

  /// Shifts the row's first element to the beginning of a word.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void shift(int r, piece& p) const {
    unsigned const follows = __shfl_down_sync(~0u, p.held.words[0], 1);
    if (thread_ % 32 != 31) p.next = follows;
    unsigned const by = lead_of(r) % 4 * 8;
    p.held.words[0] = __funnelshift_r(p.held.words[0], p.held.words[1], by);
    p.held.words[1] = __funnelshift_r(p.held.words[1], p.held.words[2], by);
    p.held.words[2] = __funnelshift_r(p.held.words[2], p.held.words[3], by);
    p.held.words[3] = __funnelshift_r(p.held.words[3], p.next, by);
  }

  template <bool Inner>
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void read() {
    TILEWRIGHT_UNROLL_BY(1)
    for (int first = 0; first < rows * row_vectors; first += S::threads * S::read_at_once) {
      piece pieces[S::read_at_once];
      TILEWRIGHT_UNROLL
      for (int n = 0; n < S::read_at_once; ++n) load<Inner>(first + n * S::threads + thread_, pieces[n]);
      TILEWRIGHT_UNROLL
      for (int n = 0; n < S::read_at_once; ++n) {
        int const x = first + n * S::threads + thread_, r = x / row_vectors, v = x % row_vectors;
        if constexpr (element < 4) shift(r, pieces[n]);
        if (pieces[n].exists) store_bundle<16>(source_ + r * S::source_pitch + 16 * v, pieces[n].held);
      }
    }
    __syncthreads();
  }

  /// The words of per_word columns, from per_word rows: out[s] is column s.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void turned(int first_row, int lane, word (&out)[per_word]) const {
    bundle<4 * per_word> const begins = load_bundle<4 * per_word>(begins_ + first_row);
    TILEWRIGHT_UNROLL
    for (int v = 0; v < per_word; ++v)
      out[v] = *reinterpret_cast<word const*>(source_ + lane * word_bytes + static_cast<int>(begins.words[v]));
    if constexpr (per_word > 1) {
      bundle<4> in[per_word], columns[per_word];
      TILEWRIGHT_UNROLL
      for (int v = 0; v < per_word; ++v) in[v] = {{out[v]}};
      transpose_bundles<element, per_word>(in, columns);
      TILEWRIGHT_UNROLL
      for (int v = 0; v < per_word; ++v) out[v] = columns[v].words[0];
    }
  }

  /// From the source's image to the target's. Lanes are along the rows; each column is shifted by its own skew, with
  /// what the group of rows before has left of it.
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void turn_columns() {
    constexpr int lanes = S::tile_j / per_word, parts = S::threads / lanes;
    constexpr int each = (groups - 1 + parts - 1) / parts;
    int const lane = thread_ % lanes, part = thread_ / lanes;
    int const from = 1 + part * each, to = from + each < groups ? from + each : groups;
    if (part < parts && from < to) {
      unsigned by[per_word];
      TILEWRIGHT_UNROLL
      for (int s = 0; s < per_word; ++s)
        by[s] = static_cast<unsigned>(skew_of(lane * per_word + s) % per_word * element * 8);
      unsigned char* const column = target_ + lane * S::target_pitch;
      word before[per_word];
      if constexpr (per_word > 1) turned(per_word * (from - 1), lane, before);
      TILEWRIGHT_UNROLL_BY(S::unroll)
      for (int u = from; u < to; ++u) {
        word now[per_word];
        turned(per_word * u, lane, now);
        TILEWRIGHT_UNROLL
        for (int s = 0; s < per_word; ++s) {
          word out = now[s];
          if constexpr (per_word > 1) out = __funnelshift_l(before[s], now[s], by[s]);
          *reinterpret_cast<word*>(column + s * S::target_group + (u - 1) * word_bytes) = out;
          before[s] = now[s];
        }
      }
    }
    __syncthreads();
  }

  template <bool Inner>
  TILEWRIGHT_DEVICE TILEWRIGHT_INLINE void write() const {
    constexpr int vectors = S::tile_i * element / 16, in_vector = 16 / element;
    TILEWRIGHT_UNROLL_BY(S::unroll)
    for (int x = thread_; x < vectors * S::tile_j; x += S::threads) {
      int const j = x / vectors, v = x % vectors, skew = skew_of(j);
      if ((!Inner || reads_beyond) && j >= columns()) continue;
      long long const i = i0_ - skew + v * in_vector;
      int const begin = halo / per_word - 1 - skew / per_word;  // of the piece in its column, in words
      auto const* const from = reinterpret_cast<word const*>(
          target_ + j % per_word * S::target_group + j / per_word * S::target_pitch + begin * word_bytes + v * 16);
      auto* const to = reinterpret_cast<unit*>(column0_ + static_cast<address>(j * (S::dst_j * element)) -
                                               static_cast<address>(skew * element) + static_cast<address>(v * 16));
      if (Inner || (i >= 0 && i + in_vector <= S::extent_i)) {
        bundle<16> out;
        TILEWRIGHT_UNROLL
        for (int w = 0; w < 16 / word_bytes; ++w) {
          out.words[w * (word_bytes / 4)] = static_cast<unsigned>(from[w]);
          if constexpr (word_bytes == 8) out.words[2 * w + 1] = static_cast<unsigned>(from[w] >> 32);
        }
        store_bundle<16>(to, out);
      } else {
        for (int c = 0; c < in_vector; ++c)
          if (i + c >= 0 && i + c < S::extent_i) to[c] = reinterpret_cast<unit const*>(from)[c];
      }
    }
  }

  long long i0_, j0_;
  address row0_, column0_;  // of element (i0 - halo, j0) in the source, of (i0, j0) in the destination
  address low_, high_;
  unsigned char* source_;
  unsigned char* target_;
  int* begins_;  // of rows in the source's image, in bytes
  int thread_;
};

}  // namespace tilewright

#endif
