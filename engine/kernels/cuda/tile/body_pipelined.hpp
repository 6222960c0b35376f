// The tile kernel for copies that instructions would bound: a block stays for many tiles, so that a thread works out once, and
// keeps in registers, where what it writes of any tile is in shared memory. Tiles arrive by asynchronous copies while the
// ones before them are written.
//
//   (3,29,29,85691):(1,87,3,2523) -> (3,29,29,85691):(1,3,87,2523), tile (3,29,29,4), 1 byte an element: a tile is 10,092
//   bytes in one piece on both sides. 384 threads have 7 words each of a tile, of 4 elements: 28 places of 16 bits.
//
// A row of the source begins at any byte. It is read by granules of 16 bytes, aligned in memory, and its place in shared memory
// is its address, modulo 16: what a granule has before and after the row is between the rows there.
#pragma once

#include "engine/kernels/cuda/tile/body_rows.hpp"
#include "tilewright/atom/ptx/cp_async.hpp"
#include "tilewright/atom/ptx/shared_access.hpp"

namespace tilewright::kernels {

/// Bytes of shared memory, by 32-bit addresses on a GPU.
class shared_bytes {
 public:
#if TILEWRIGHT_ON_DEVICE
  using place_type = unsigned;
  TILEWRIGHT_FN explicit shared_bytes(unsigned char* p) : at_(ptx::shared_address(p)) {}
#else
  using place_type = unsigned char*;
  TILEWRIGHT_FN explicit shared_bytes(unsigned char* p) : at_(p) {}
#endif
  /// The bytes from `by` on.
  TILEWRIGHT_FN shared_bytes from(int by) const {
    shared_bytes out = *this;
    out.at_ += by;
    return out;
  }

  template <int Bytes>
  TILEWRIGHT_FN bundle<Bytes> load() const {
#if TILEWRIGHT_ON_DEVICE
    bundle<Bytes> out;
    ptx::load_shared<Bytes>(at_, out.words);
    return out;
#else
    return load_words<Bytes>(at_);
#endif
  }

  /// Copies 16 bytes here, asynchronously on a GPU: without a hint to the second-level cache, as an H200 refuses "evict_last" of
  /// such copies as an illegal instruction. pre: both addresses are multiples of 16
  TILEWRIGHT_FN void copy_granule(address from) const {
#if TILEWRIGHT_ON_DEVICE
    ptx::cp_async_to(at_, reinterpret_cast<void const*>(from));
#else
    store_words<16>(at_, load_words<16>(reinterpret_cast<void const*>(from)));
#endif
  }
  TILEWRIGHT_FN void copy_byte(address from) const {
    unsigned char const byte = *reinterpret_cast<unsigned char const*>(from);
#if TILEWRIGHT_ON_DEVICE
    ptx::store_shared_byte(at_, byte);
#else
    *at_ = byte;
#endif
  }

 private:
  place_type at_;
};

/// `S` as in tile_copy (body.hpp); besides `stages`, tiles in shared memory, of `stage_bytes` each, and how many granules and
/// accesses a thread has at most, `max_reads` and `max_writes`. Of the sides it takes the modes, rows and accesses.
///
/// An access is a word of the destination, or a larger element. Where rows begin within a word, a lane puts its own elements
/// and the last ones of the lane before it together: the first lane of a warp only serves the second.
template <class S>
class pipelined_copy {
  using from_side = typename S::read;
  using to_side = typename S::write;
  using offset = typename S::offset;
  static constexpr int element = S::element, granule = 16, lanes = 32;
  static constexpr int vector = to_side::vector, access_bytes = vector * element;
  static constexpr int place_words = (vector + 1) / 2;  // of 16 bits each
  static constexpr bool shifted = to_side::shifted;
  static constexpr int at_once = 4;  // accesses that are put together before they are written

 public:
  /// shared: stages * stage_bytes, aligned to 16
  template <class Block>
  TILEWRIGHT_FN static void run(Block& block, unsigned char* shared, void const* src, void* dst) {
    pipelined_copy self{block.thread(), shared, src, dst};
    self.find_places();
    unsigned const step = block.grid().x;
    unsigned ahead = block.index().x;
    tile_begin<S> begins[S::stages];  // of the tiles on their way, the next one first
    TILEWRIGHT_UNROLL
    for (int stage = 0; stage + 1 < S::stages; ++stage, ahead += step) begins[stage] = self.read(ahead, stage);
    int stage = 0, last = S::stages - 1;
    for (unsigned tile = block.index().x; tile < S::tiles; tile += step, ahead += step) {
      ptx::cp_async_wait_group<S::stages - 2>();
      block.sync();  // the tile is there, and all threads have written the one before it
      begins[S::stages - 1] = self.read(ahead, last);
      self.write(begins[0], stage);
      TILEWRIGHT_UNROLL
      for (int i = 0; i + 1 < S::stages; ++i) begins[i] = begins[i + 1];
      last = stage;
      stage = stage + 1 == S::stages ? 0 : stage + 1;
    }
  }

 private:
  TILEWRIGHT_FN pipelined_copy(int thread, unsigned char* shared, void const* src, void* dst)
      : thread_(thread),
        shared_(shared),
        src_(src),
        dst_(dst) {}

  // --- what is the same for all tiles ---

  TILEWRIGHT_FN unsigned read_item(int n) const { return static_cast<unsigned>(thread_ + n * S::threads); }
  TILEWRIGHT_FN static unsigned granules() { return static_cast<unsigned>(from_side::accesses); }  // of a row
  TILEWRIGHT_FN int row_of_granule(int n) const { return static_cast<int>(read_item(n) / granules()); }
  TILEWRIGHT_FN int first_of_granule(int n) const { return static_cast<int>(read_item(n) % granules()) * granule; }
  TILEWRIGHT_FN bool has_granule(int n) const {
    int const all = from_side::rows * from_side::accesses;
    return (n + 1) * S::threads <= all || thread_ + n * S::threads < all;
  }

  /// Of shifted rows, the one that the first lane serves is another warp's, or none: below 0.
  TILEWRIGHT_FN int write_item(int n) const {
    if (!shifted) return thread_ + n * S::threads;
    int const warp = thread_ / lanes + n * (S::threads / lanes);
    return warp * (lanes - 1) + thread_ % lanes - 1;
  }
  TILEWRIGHT_FN bool has_access(int n) const {
    int const all = to_side::rows * to_side::accesses, of_warp = shifted ? lanes - 1 : lanes;
    bool const is_there = (n + 1) * (S::threads / lanes) * of_warp <= all || write_item(n) < all;
    return is_there && (!shifted || thread_ % lanes != 0);
  }
  TILEWRIGHT_FN static int row_of(int item) { return item / to_side::accesses; }
  TILEWRIGHT_FN static int access_of(int item) { return item % to_side::accesses; }

  TILEWRIGHT_FN void find_places() {
    TILEWRIGHT_UNROLL
    for (int n = 0; n < S::max_reads; ++n) from_[n] = compute_row<from_side, offset>(row_of_granule(n));
    TILEWRIGHT_UNROLL
    for (int n = 0; n < S::max_writes; ++n) {
      // What a lane only serves, or does not have, is read all the same: the tile's first or last access.
      int const item = write_item(n) < 0 ? 0 : write_item(n), end = to_side::rows * to_side::accesses;
      find_places(item < end ? item : end - 1, to_[n], places_[n]);
    }
  }
  TILEWRIGHT_FN static void find_places(int item, offset& at, unsigned (&places)[place_words]) {
    auto const row = compute_row<to_side, offset>(row_of(item));
    int const x = access_of(item) * vector;
    at = row.at + static_cast<offset>(x * element);
    TILEWRIGHT_UNROLL
    for (int i = 0; i < vector; ++i) {
      // Of an element that the row has not: of its last one.
      int const place =
          row.place + compute_place<to_side>(x + i < to_side::run_length ? x + i : to_side::run_length - 1);
      places[i / 2] = i % 2 == 0 ? static_cast<unsigned>(place) : places[i / 2] | static_cast<unsigned>(place) << 16;
    }
  }

  /// Where the tile's first byte is in shared memory.
  TILEWRIGHT_FN shared_bytes image(tile_begin<S> const& at, int stage) const {
    return shared_.from(stage * S::stage_bytes + static_cast<int>(at.from & (granule - 1)));
  }

  // --- reading ---

  TILEWRIGHT_FN tile_begin<S> read(unsigned tile, int stage) const {
    tile_begin<S> at;
    if (tile < S::tiles) {
      at = tile_begin<S>::of(tile, src_, dst_);
      if (at.is_whole &&
          is_inside(at.from & ~address{granule - 1}, at.from + static_cast<address>(S::src_span + granule)))
        read<false>(at, stage);
      else read<true>(at, stage);
    }
    ptx::cp_async_commit_group();
    return at;
  }

  TILEWRIGHT_FN bool is_inside(address first, address end) const {
    auto const source = reinterpret_cast<address>(src_);
    return first >= source + static_cast<address>(S::src_low) && end <= source + static_cast<address>(S::src_high);
  }

  template <bool Cut>
  TILEWRIGHT_FN void read(tile_begin<S> const& at, int stage) const {
    shared_bytes const to = image(at, stage);
    int const bytes = (at.template length<from_side, Cut>() - 1) * from_side::run_step + element;
    TILEWRIGHT_UNROLL
    for (int n = 0; n < S::max_reads; ++n) {
      if (!has_granule(n)) continue;
      address const row = at.from + static_cast<address>(from_[n].at);
      int const first = first_of_granule(n) - static_cast<int>(row & (granule - 1));
      if (first >= bytes) continue;
      if constexpr (Cut)
        if (!at.template row_exists<from_side>(row_of_granule(n))) continue;
      address const from = row + static_cast<address>(static_cast<long long>(first));
      if (!Cut || is_inside(from, from + granule)) to.from(from_[n].place + first).copy_granule(from);
      else copy_bytes(to.from(from_[n].place), row, first, bytes);
    }
  }

  /// What a granule has of the row alone.
  TILEWRIGHT_FN static void copy_bytes(shared_bytes const& to, address row, int first, int bytes) {
    TILEWRIGHT_UNROLL_BY(1)
    for (int i = first < 0 ? 0 : first; i < first + granule && i < bytes; ++i)
      to.from(i).copy_byte(row + static_cast<address>(i));
  }

  // --- writing ---

  TILEWRIGHT_FN void write(tile_begin<S> const& at, int stage) const {
    shared_bytes const from = image(at, stage);
    if (at.is_whole) write<false>(at, from);
    else write<true>(at, from);
  }

  template <bool Cut>
  TILEWRIGHT_FN void write(tile_begin<S> const& at, shared_bytes const& from) const {
    int const length = at.template length<to_side, Cut>();
    TILEWRIGHT_UNROLL
    for (int first = 0; first < S::max_writes; first += at_once) {
      bundle<access_bytes> words[at_once];
      TILEWRIGHT_UNROLL
      for (int i = 0; i < at_once; ++i)
        if (first + i < S::max_writes) words[i] = gather<Cut>(from, places_[first + i], at.shift);
      TILEWRIGHT_UNROLL
      for (int i = 0; i < at_once; ++i)
        if (first + i < S::max_writes) store<Cut>(at, from, first + i, words[i], length);
    }
    if constexpr (shifted || Cut) write_ends<Cut>(at, from, length);
  }

  /// Access n, if it is there and whole.
  template <bool Cut>
  TILEWRIGHT_FN void store(tile_begin<S> const& at, [[maybe_unused]] shared_bytes const& from, int n,
                           bundle<access_bytes> word, [[maybe_unused]] int length) const {
    address to = at.to + static_cast<address>(to_[n]);
    bool exists = has_access(n);
    if constexpr (shifted) {
      int const lead = static_cast<int>(to & (access_bytes - 1));  // bytes
      unsigned const before = word_before<Cut>(n, from, at.shift, word.words[0]);
      word.words[0] = shifted_word(before, word.words[0], static_cast<unsigned>(access_bytes - lead));
      to -= static_cast<address>(lead);
      int const x = access_of(write_item(n)) * vector - lead / element;
      exists = exists && x >= 0 && x + vector <= length;
    } else if constexpr (Cut) {
      exists = exists && access_of(write_item(n)) * vector + vector <= length;
    }
    if constexpr (Cut) exists = exists && at.template row_exists<to_side>(row_of(write_item(n)));
    if (exists) store_global(to, word);
  }

  template <int Bytes>
  TILEWRIGHT_FN static void store_global(address to, bundle<Bytes> const& word) {
    auto* const p = reinterpret_cast<void*>(to);
#if TILEWRIGHT_ON_DEVICE
    TILEWRIGHT_ASSUME(__isGlobal(p));
#endif
    store_words<Bytes>(p, word);
  }

  /// The word of the access before, which the lane before has.
  template <bool Cut>
  TILEWRIGHT_FN unsigned word_before([[maybe_unused]] int n, [[maybe_unused]] shared_bytes const& from,
                                     [[maybe_unused]] int shift, unsigned own) const {
#if TILEWRIGHT_ON_DEVICE
    return __shfl_up_sync(0xffffffffu, own, 1);
#else
    if (write_item(n) < 1) return own;
    offset at = 0;
    unsigned places[place_words];
    find_places(write_item(n) - 1, at, places);
    return gather<Cut>(from, places, shift).words[0];
#endif
  }

  /// Of a tile that is cut off, what does not exist may have a place before the tile: then it is any element.
  template <bool Cut>
  TILEWRIGHT_FN static bundle<access_bytes> gather(shared_bytes const& from, unsigned const (&places)[place_words],
                                                   [[maybe_unused]] int shift) {
    bundle<element> parts[vector];
    TILEWRIGHT_UNROLL
    for (int i = 0; i < vector; ++i) {
      auto place = static_cast<int>(i % 2 == 0 ? places[i / 2] & 0xffffu : places[i / 2] >> 16);
      if constexpr (Cut) place = place + shift > 0 ? place + shift : 0;
      parts[i] = from.from(place).template load<element>();
    }
    return join<element, vector>(parts);
  }

  /// What of rows is part of an access: before the first whole one and after the last, an element for each thread.
  template <bool Cut>
  TILEWRIGHT_FN void write_ends(tile_begin<S> const& at, shared_bytes const& from, int length) const {
    if constexpr (vector > 1) {
      constexpr int each = vector - 1;  // at most, at either end
      TILEWRIGHT_UNROLL_BY(1)
      for (int item = thread_; item < to_side::rows * 2 * each; item += S::threads) {
        int const q = item / (2 * each), i = item % (2 * each);
        if constexpr (Cut)
          if (!at.template row_exists<to_side>(q)) continue;
        auto const row = compute_row<to_side, offset>(q);
        address const to = at.to + static_cast<address>(row.at);
        int const lead = static_cast<int>(to & (access_bytes - 1)) / element, over = lead == 0 ? 0 : vector - lead,
                  head = over < length ? over : length, whole = (length - head) / vector * vector;
        int const x = i < each ? i : head + whole + i - each;
        if (x >= (i < each ? head : length)) continue;
        store_global(to + static_cast<address>(x * element),
                     from.from(row.place + compute_place<to_side>(x) + at.shift).template load<element>());
      }
    }
  }

  int thread_;
  shared_bytes shared_;
  void const* src_;
  void* dst_;
  tile_row<offset> from_[S::max_reads];          // of each granule
  offset to_[S::max_writes];                     // of each access
  unsigned places_[S::max_writes][place_words];  // of its elements, two to a word
};

}  // namespace tilewright::kernels
