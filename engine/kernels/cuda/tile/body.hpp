// The general tile kernel: a block reads a tile along the source's rows into shared memory and writes it along the
// destination's rows. A row is as many elements as follow each other on that side, through any number of modes.
//
//   (64,32,3):(96,3,1) -> (64,32,3):(1,64,2048), tile (64,4,3): the source has 64 rows of 12 elements, 96 apart, the
//   destination 12 rows of 64. Place of element (x,y,z) in shared memory: x·13 + y·3 + z, padded so that 32 threads which
//   read along x meet 32 banks.
//
// Everything about a copy is a constant of the shape `S`, so that the same code runs on a GPU and, in tests, on a CPU.
// What depends on the position in a row or on the number of a row alone is computed once for a block, into tables.
#pragma once

#include "engine/kernels/cuda/tile/body_gather.hpp"
#include "engine/kernels/cuda/tile/body_load.hpp"

namespace tilewright::kernels {

// --- the tile ----------------------------------------------------------------------------------------------------------

/// `S` has `element` (bytes), `threads`, `tiles`, `modes` and `mode(i)` of the grid, `limits` and `limit(l)` of the loops
/// that the tile does not divide, and a side for reading and one for writing; make_shape() in shape.cpp writes it.
template <class S>
class tile_copy {
 public:
  /// shared: the plan's shared_bytes, aligned to 16
  template <class Block>
  TILEWRIGHT_FN static void run(Block& block, unsigned char* shared, void const* src, void* dst) {
    tile_copy self{block.thread(), shared};
    self.template fill_tables<typename S::read>();
    self.template fill_tables<typename S::write>();
    for (unsigned tile = block.index().x; tile < S::tiles; tile += block.grid().x) {
      self.begin_ = tile_begin<S>::of(tile, src, dst);
      if (S::has_tables || tile != block.index().x) block.sync();
      self.fetch_target(block);
      if (self.begin_.is_whole && self.is_inside(src)) self.template move<false>(block);
      else self.template move<true>(block);
    }
  }

 private:
  static constexpr int element = S::element;
  static constexpr int spans = 2;  // of cuda_fetch
  static constexpr int read_bytes = S::read::vector * element, write_bytes = S::write::vector * element;
  using loads = source_loads<S>;
  using offset = typename S::offset;  // of a row from the tile's begin, in bytes

  using row = tile_row<offset>;

  TILEWRIGHT_FN tile_copy(int thread, unsigned char* shared) : thread_(thread), image_(shared + S::lead) {}

  /// One path from the loads to the stores for each kind of tile: with the barrier behind both kinds of loads, what is known of a
  /// whole tile would be worked out again for its stores (planes whose tiles are cut off took up to 1.3 times as long).
  template <bool Cut, class Block>
  TILEWRIGHT_FN void move(Block& block) const {
    read_side<Cut>();
    block.sync();
    write<Cut>();
  }

  // --- tables ---

  template <class Side>
  TILEWRIGHT_FN row* row_table() const {
    return reinterpret_cast<row*>(image_.at(Side::rows_at));
  }

  /// Tables of rows, and of the places along a row: of each access, or of each element where `place_step` is 1.
  template <class Side>
  TILEWRIGHT_FN void fill_tables() const {
    if (Side::tabled_rows)
      for (int q = thread_; q < Side::rows; q += S::threads) row_table<Side>()[q] = compute_row<Side, offset>(q);
    if (Side::tabled_places)
      for (int i = thread_; i < Side::table_length; i += S::threads)
        image_.template place_table<Side>()[image_.template entry_of<Side>(i)] =
            static_cast<unsigned short>(compute_place<Side>(i * Side::place_step));
  }

  template <class Side>
  TILEWRIGHT_FN row row_of(int q) const {
    return Side::tabled_rows ? row_table<Side>()[q] : compute_row<Side, offset>(q);
  }

  // --- where the tile is ---

  /// May the accesses that hold the tile's bytes be read whole?
  TILEWRIGHT_FN bool is_inside(void const* src) const {
    if constexpr (!S::read::shifted) return true;
    address const begin = reinterpret_cast<address>(src);
    constexpr address unit = read_bytes == 16 ? 16 : 4;  // of loads
    return (begin_.from & ~(unit - 1)) >= begin + static_cast<address>(S::src_low) &&
           begin_.from + static_cast<address>(S::src_span + read_bytes) + unit <=
               begin + static_cast<address>(S::src_high);
  }

  template <class Side>
  TILEWRIGHT_FN bool row_exists(int q) const {
    return begin_.template row_exists<Side>(q);
  }
  template <class Side, bool Cut>
  TILEWRIGHT_FN int length() const {
    return begin_.template length<Side, Cut>();
  }

  struct position {
    int row, access;
    bool exists;
  };
  /// How many accesses a thread has.
  template <class Side>
  TILEWRIGHT_FN static int count_of() {
    int const rows_at_once = S::threads / Side::accesses;
    if (Side::lanes != Side::accesses) {
      int const rows = (Side::rows + Side::row_lanes - 1) / Side::row_lanes * Side::row_lanes;
      return (rows * Side::accesses + S::threads - 1) / S::threads;
    }
    if (rows_at_once == 0) return Side::rows * ((Side::accesses + S::threads - 1) / S::threads);
    return (Side::rows + rows_at_once - 1) / (rows_at_once > 0 ? rows_at_once : 1);
  }
  /// Access n of the thread. Threads have the accesses of as many rows as there are threads for, then of the next rows; or,
  /// where `lanes` says so, so many accesses of row_lanes rows and then the next ones.
  template <class Side>
  TILEWRIGHT_FN position position_of(int n) const {
    auto const thread = static_cast<unsigned>(thread_), threads = static_cast<unsigned>(S::threads),
               accesses = static_cast<unsigned>(Side::accesses), step = static_cast<unsigned>(n);
    unsigned at = 0, access = 0;
    bool exists = true;
    if (Side::lanes != Side::accesses) {
      unsigned const lanes = Side::lanes, rows = Side::row_lanes, groups = accesses / lanes;
      unsigned const item = thread + step * threads, group = item / (lanes * rows);
      at = group / groups * rows + item / lanes % rows;
      access = group % groups * lanes + item % lanes;
    } else if (accesses <= threads) {
      unsigned const rows_at_once = threads / accesses > 0 ? threads / accesses : 1;
      at = thread / accesses + step * rows_at_once;
      access = thread % accesses;
      exists = rows_at_once * accesses == threads || thread < rows_at_once * accesses;
    } else {
      unsigned const steps = (accesses + threads - 1) / threads;
      at = step / steps;
      access = thread + step % steps * threads;
      exists = accesses % threads == 0 || access < accesses;
    }
    return {static_cast<int>(at), static_cast<int>(access), exists && static_cast<int>(at) < Side::rows};
  }

  // --- the destination's sectors ---

  /// Where rows of the destination end before a gap, nothing else fills up their last sector, nor their first one. Memory would
  /// have to read such a sector when the cache gives it up; fetched before, it is whole there.
  template <class Block>
  TILEWRIGHT_FN void fetch_target(Block& block) const {
    if (S::fetch == 0 || !(begin_.begins_rows || begin_.ends_rows)) return;
    if (S::fetch == spans) fetch_spans(block);
    else fetch_sectors(block);
  }

  template <class Block>
  TILEWRIGHT_FN void fetch_sectors(Block& block) const {
    using Side = typename S::write;
    TILEWRIGHT_UNROLL_BY(1)
    for (int item = thread_; item < 2 * Side::rows; item += S::threads) {
      int const q = item / 2;
      bool const is_end = item % 2 != 0;
      if (!(is_end ? begin_.ends_rows : begin_.begins_rows) || (!begin_.is_whole && !row_exists<Side>(q))) continue;
      address const begin = begin_.to + static_cast<address>(row_of<Side>(q).at), end = begin + row_bytes();
      if ((is_end ? end : begin) % S::sector != 0)
        fetch(block, reinterpret_cast<void const*>(is_end ? end - 1 : begin), true);
    }
  }

  /// All lines from the first of the rows that differ in their first mode to the last one.
  template <class Block>
  TILEWRIGHT_FN void fetch_spans(Block& block) const {
    using Side = typename S::write;
    auto const m = Side::row_mode(0);
    long long const step = m.step, bytes = (m.extent - 1) * step + Side::run_length * element;
    int const lines = static_cast<int>((bytes - 1) / S::memory_line) + 2;
    int const count = m.limit >= 0 ? begin_.left[m.limit < 0 ? 0 : m.limit] : m.extent;
    TILEWRIGHT_UNROLL_BY(1)
    for (int item = thread_; item < Side::rows / m.extent * lines; item += S::threads) {
      int const q = item / lines * m.extent;
      if (!begin_.is_whole && !row_exists<Side>(q)) continue;
      address const begin = begin_.to + static_cast<address>(row_of<Side>(q).at),
                    end = begin + static_cast<address>((count - 1) * step) + row_bytes(),
                    at = begin / S::memory_line * S::memory_line + static_cast<address>(item % lines * S::memory_line);
      if (at < end) fetch(block, reinterpret_cast<void const*>(at > begin ? at : begin), false);
    }
  }

  TILEWRIGHT_FN address row_bytes() const {
    using Side = typename S::write;
    return static_cast<address>((begin_.is_whole ? length<Side, false>() : length<Side, true>()) * element);
  }

  // --- reading ---

  template <bool Cut>
  TILEWRIGHT_FN void read_side() const {
    if constexpr (S::read::packed > 1) read_packed<Cut>();
    else read<Cut>();
  }

  template <bool Cut>
  TILEWRIGHT_FN void read() const {
    using Side = typename S::read;
    int const count = count_of<Side>();
    TILEWRIGHT_UNROLL_BY(1)
    for (int first = 0; first < count; first += Side::at_once) {
      bundle<read_bytes> held[Side::at_once];
      int place[Side::at_once];
      TILEWRIGHT_UNROLL
      for (int n = 0; n < Side::at_once; ++n) {
        place[n] = -1;
        // Loads are never under a condition, or each would wait for its store: what does not exist is the tile's first.
        address at = begin_.from;
        int bytes_left = 0;
        position const p = position_of<Side>(first + n);
        bool exists = p.exists;
        if constexpr (Cut) exists = exists && row_exists<Side>(p.row) && p.access * Side::vector < length<Side, Cut>();
        if (exists) {
          row const r = row_of<Side>(p.row);
          at = begin_.from +
               static_cast<address>(r.at + static_cast<offset>(p.access) * (Side::vector * Side::run_step));
          place[n] = r.place + place_of_access(p.access);
          bytes_left = (length<Side, Cut>() - p.access * Side::vector) * element;
        }
        held[n] = loads::template load<Cut>(at, exists ? bytes_left : Side::shifted ? element : 0);
      }
      TILEWRIGHT_UNROLL
      for (int n = 0; n < Side::at_once; ++n)
        if (place[n] >= 0) put(place[n], held[n]);
    }
  }

  /// The accesses at one place of `packed` rows, transposed: a word of the tile has an element of each row, which follow each
  /// other in the destination. What is beyond the last row fills its word up; there is room for it.
  template <bool Cut>
  TILEWRIGHT_FN void read_packed() const {
    using Side = typename S::read;
    constexpr int packed = Side::packed;
    int const count = count_of<Side>(), groups = Side::row_mode(0).extent, pitch = Side::run_mode(0).place;
    int const rows = Cut && Side::packed_limit >= 0 ? begin_.left[Side::packed_limit < 0 ? 0 : Side::packed_limit]
                                                    : Side::packed_extent;
    TILEWRIGHT_UNROLL_BY(1)
    for (int first = 0; first < count; first += Side::at_once) {
      bundle<read_bytes> held[Side::at_once][packed];
      int place[Side::at_once], columns[Side::at_once];
      TILEWRIGHT_UNROLL
      for (int n = 0; n < Side::at_once; ++n) {
        address at = begin_.from;
        place[n] = columns[n] = 0;
        position const p = position_of<Side>(first + n);
        int const x = p.access * Side::vector, left = length<Side, Cut>() - x,
                  rows_left = rows - (Side::row_modes > 1 ? p.row % groups : p.row) * packed;
        bool exists = p.exists && left > 0;
        if constexpr (Cut) exists = exists && rows_left > 0 && row_exists<Side>(p.row);
        if (exists) {
          row const r = row_of<Side>(p.row);
          at = begin_.from + static_cast<address>(r.at + static_cast<offset>(x) * element);
          place[n] = r.place + x * pitch;
          columns[n] = left;
        }
        int const bytes_left = exists ? left * element : Side::shifted ? element : 0;
        TILEWRIGHT_UNROLL
        for (int j = 0; j < packed; ++j) {
          bool const is_row = exists && ((!Cut && Side::packed_extent % packed == 0) || j < rows_left);
          held[n][j] =
              loads::template load<Cut>(is_row ? at + static_cast<address>(j * Side::packed_step) : at, bytes_left);
        }
      }
      TILEWRIGHT_UNROLL
      for (int n = 0; n < Side::at_once; ++n) put_packed(place[n], pitch, columns[n], held[n]);
    }
  }

  /// The first `columns` of what was read of `packed` rows, each a word, `pitch` bytes apart.
  template <int Packed>
  TILEWRIGHT_FN void put_packed(int place, int pitch, int columns, bundle<read_bytes> const (&held)[Packed]) const {
    TILEWRIGHT_UNROLL
    for (int w = 0; w < read_bytes / 4; ++w) {
      bundle<4> in[Packed], out[Packed];
      TILEWRIGHT_UNROLL
      for (int j = 0; j < Packed; ++j) in[j].words[0] = held[j].words[w];
      transpose_bundles<element, Packed>(in, out);
      TILEWRIGHT_UNROLL
      for (int i = 0; i < Packed; ++i)
        if (w * Packed + i < columns) store_words<4>(image_.at(place + (w * Packed + i) * pitch), out[i]);
    }
  }

  TILEWRIGHT_FN int place_of_access(int access) const {
    using Side = typename S::read;
    if (Side::counted) return compute_place<Side>(access * Side::vector);
    if (!Side::tabled_places) return access * Side::vector * Side::run_mode(0).place;
    int const period = Side::period / Side::vector;
    return image_.template place_table<Side>()[access % period] + access / period * Side::period_place;
  }

  template <int Bytes>
  TILEWRIGHT_FN void put(int place, bundle<Bytes> const& held) const {
    constexpr int width = S::store_bytes < Bytes ? S::store_bytes : Bytes;
    if constexpr (width == Bytes) {
      store_words<Bytes>(image_.at(place), held);
    } else {
      TILEWRIGHT_UNROLL
      for (int i = 0; i < Bytes / width; ++i) {
        bundle<width> part;
        TILEWRIGHT_UNROLL
        for (int w = 0; w < width / 4; ++w) part.words[w] = held.words[i * (width / 4) + w];
        store_words<width>(image_.at(place + i * width), part);
      }
    }
  }

  // --- writing ---

  template <bool Cut>
  TILEWRIGHT_FN void write() const {
    using Side = typename S::write;
    int const count = count_of<Side>();
    TILEWRIGHT_UNROLL_BY(S::write::at_once)
    for (int n = 0; n < count; ++n) {
      position const p = position_of<Side>(n);
      if (!p.exists) continue;
      if constexpr (Cut)
        if (!row_exists<Side>(p.row)) continue;
      row const r = row_of<Side>(p.row);
      if constexpr (Side::shifted) {
        write_shifted(begin_.to + static_cast<address>(r.at), begin_.shift + r.place, p.access, length<Side, Cut>());
      } else {
        address const to =
            begin_.to + static_cast<address>(r.at + static_cast<offset>(p.access) * (Side::vector * Side::run_step));
        int const left = length<Side, Cut>() - p.access * Side::vector;
        if (!Cut || left >= Side::vector)
          store_words<write_bytes>(reinterpret_cast<void*>(to), image_.access(begin_.shift + r.place, p.access));
        else write_part(to, begin_.shift + r.place, p.access, left);
      }
    }
    if constexpr (Side::shifted) write_ends<Cut>();
  }

  /// The first `count` elements of an access, one by one: where the last tile's rows end.
  TILEWRIGHT_FN void write_part(address to, int place, int access, int count) const {
    using Side = typename S::write;
    int at[Side::vector];
    image_.places_of_access(access, at);
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Side::vector; ++i)
      if (i < count)
        store_words<element>(reinterpret_cast<void*>(to + static_cast<address>(i * element)),
                             load_words<element>(image_.at(place + at[i])));
  }

  /// Elements of a row before its first whole access.
  TILEWRIGHT_FN static int head_of(address begin, int row_length) {
    int const lead = static_cast<int>(begin % write_bytes) / element, head = lead == 0 ? 0 : S::write::vector - lead;
    return head < row_length ? head : row_length;
  }

  /// Whole access `access` of a row that begins anywhere, aligned in memory.
  TILEWRIGHT_FN void write_shifted(address begin, int place, int access, int row_length) const {
    constexpr int count = S::write::vector;
    int const x = head_of(begin, row_length) + access * count;
    if (x + count > row_length) return;
    store_words<write_bytes>(reinterpret_cast<void*>(begin + static_cast<address>(x * element)),
                             image_.template gather<count>(place, x));
  }

  /// What is left of such rows at both ends, an element for each thread: a thread with several would keep its warp waiting.
  template <bool Cut>
  TILEWRIGHT_FN void write_ends() const {
    using Side = typename S::write;
    constexpr int count = Side::vector, ends = 2 * count;
    TILEWRIGHT_UNROLL_BY(1)
    for (int item = thread_; item < Side::rows * ends; item += S::threads) {
      int const q = item / ends, i = item % ends;
      if constexpr (Cut)
        if (!row_exists<Side>(q)) continue;
      row const r = row_of<Side>(q);
      address const begin = begin_.to + static_cast<address>(r.at);
      int const all = length<Side, Cut>(), head = head_of(begin, all), body = (all - head) / count * count;
      int const x = i < count ? i : head + body + i - count;
      if (x >= (i < count ? head : all)) continue;
      store_words<element>(reinterpret_cast<void*>(begin + static_cast<address>(x * element)),
                           load_words<element>(image_.at(begin_.shift + r.place + image_.place_of(x))));
    }
  }

  int thread_;
  tile_image<S> image_;
  tile_begin<S> begin_{};
};

}  // namespace tilewright::kernels
