// The vector kernels. Transposing works on blocks of 16 bytes: E units of each of E rows are interleaved log2(E) times,
// and a vector of several blocks holds the same columns of several groups of E rows, so that what comes out is
// contiguous in a destination row, as long as the vector.
#include "engine/cpu/kernels.hpp"

#include "engine/cpu/fetcher.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#define HWY_TARGET_INCLUDE "engine/cpu/kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <int Unit>
struct lane_of;
template <>
struct lane_of<1> {
  using type = std::uint8_t;
};
template <>
struct lane_of<2> {
  using type = std::uint16_t;
};
template <>
struct lane_of<4> {
  using type = std::uint32_t;
};
template <>
struct lane_of<8> {
  using type = std::uint64_t;
};
template <>
struct lane_of<16> {
  using type = std::uint64_t;
};

constexpr std::int64_t line = 64;

template <class T>
using vector_tag = hn::CappedTag<T, line / sizeof(T)>;

#if HWY_TARGET == HWY_SCALAR  // no vectors of 16 bytes: element by element

template <int Unit>
void transpose_units(transpose_tile const& t) {
  for (std::int64_t c = 0; c < t.column_count; ++c)
    for (std::int64_t r = 0; r < t.row_count; ++r)
      std::memcpy(t.dst + t.columns[c] + r * Unit, t.src + t.rows[r] + c * Unit, Unit);
}

HWY_INLINE void copy_lines(byte* dst, byte const* src, std::int64_t count) {
  std::memcpy(dst, src, static_cast<std::size_t>(count));
}
HWY_INLINE void copy_lines_ahead(byte* dst, byte const* src, std::int64_t count, byte const*) {
  copy_lines(dst, src, count);
}
HWY_INLINE void copy_short(byte* dst, byte const* src, std::int64_t count) { copy_lines(dst, src, count); }

#else

/// The 16 bytes at p, p + step, p + 2 step … as the blocks of one vector.
template <class T, class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, byte const* p, int step) {
  hn::FixedTag<T, 16 / sizeof(T)> const block;
  auto const at = [&](int k) { return hn::Load(block, reinterpret_cast<T const*>(p + k * step)); };
#if HWY_MAX_BYTES == 16
  (void)d, (void)step;
  return at(0);
#else
  hn::FixedTag<T, 32 / sizeof(T)> const two;
  auto const low = hn::Combine(two, at(1), at(0));
#if HWY_MAX_BYTES == 32
  (void)d;
  return low;
#else
  return hn::Combine(d, hn::Combine(two, at(3), at(2)), low);
#endif
#endif
}

template <class T, int E, class D, class V>
HWY_INLINE void transpose_blocks(D d, V (&v)[E]) {
  for (int step = 1; step < E; step *= 2) {
    V out[E];
    for (int i = 0; i < E / 2; ++i) {
      out[2 * i] = hn::InterleaveLower(d, v[i], v[i + E / 2]);
      out[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + E / 2]);
    }
    for (int i = 0; i < E; ++i) v[i] = out[i];
  }
}

/// pre: 0 <= count
HWY_INLINE void copy_short(byte* dst, byte const* src, std::int64_t count) {
  auto const twice = [&](auto const d, std::int64_t n) {  // n <= count <= 2n: two vectors that may overlap
    auto const low = hn::LoadU(d, src), high = hn::LoadU(d, src + count - n);
    hn::StoreU(low, d, dst);
    hn::StoreU(high, d, dst + count - n);
  };
#if HWY_MAX_BYTES >= 32
  if (count >= 32 && count <= 64) return twice(hn::FixedTag<byte, 32>(), 32);
#endif
  if (count >= 16 && count <= 32) return twice(hn::FixedTag<byte, 16>(), 16);
  if (count >= 8 && count <= 16) return twice(hn::FixedTag<byte, 8>(), 8);
  if (count >= 4 && count <= 8) return twice(hn::FixedTag<byte, 4>(), 4);
  std::memcpy(dst, src, static_cast<std::size_t>(count));
}

/// Up to a line of each row next to one another. A row's line is read in one go, so that rows that share a set of the
/// first-level cache cannot throw each other out half-read.
HWY_INLINE void gather_lines(byte* lines, transpose_tile const& t, std::int64_t first_row, std::int64_t row_count,
                             std::int64_t at, std::int64_t bytes, fetcher& ahead) {
  byte const* const from = t.src + at;
  std::int64_t const* const rows = t.rows + first_row;
  if (bytes == line) {
    vector_tag<byte> const d;
    auto const step = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t r = 0; r < row_count; ++r, lines += line) {
      ahead.step(from + rows[r]);
      for (std::int64_t k = 0; k < line; k += step) hn::Store(hn::LoadU(d, from + rows[r] + k), d, lines + k);
    }
  } else {
    for (std::int64_t r = 0; r < row_count; ++r, lines += line) {
      ahead.step(from + rows[r]);
      copy_short(lines, from + rows[r], bytes);
    }
  }
}

/// Calls store(block of v[i], its number, i) for each block of 16 bytes: the first of all vectors, then the second.
template <int E, class D, class V, class Store>
HWY_INLINE void for_each_block(D d, V const (&v)[E], Store const& store, int first = 0) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) <= 16) {
    for (int i = 0; i < E; ++i) store(d, v[i], first, i);
  } else {
    hn::Half<D> const half;
    constexpr int blocks = static_cast<int>(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) / 32);
    hn::Vec<hn::Half<D>> part[E];
    for (int i = 0; i < E; ++i) part[i] = hn::LowerHalf(half, v[i]);
    for_each_block<E>(half, part, store, first);
    for (int i = 0; i < E; ++i) part[i] = hn::UpperHalf(half, v[i]);
    for_each_block<E>(half, part, store, first + blocks);
  }
}

/// Rows of fewer bytes leave most of a vector unused if its blocks hold rows: they hold columns, and are stored one by one.
constexpr std::int64_t short_row = 48;

/// The first `used` bytes of a block, which has 16: two stores that may overlap.
class part_store {
 public:
  explicit part_store(std::int64_t used) : used_(used) {
    HWY_ALIGN_MAX byte index[16];
    for (std::int64_t i = 0; i < 16; ++i) index[i] = static_cast<byte>(std::min<std::int64_t>(15, used - size() + i));
    index_ = hn::Load(hn::FixedTag<byte, 16>(), index);
  }
  template <class V>
  HWY_INLINE void put(byte* to, V block) const {
    if (size() == 8) both<std::uint64_t>(to, block);
    else if (size() == 4) both<std::uint32_t>(to, block);
    else if (size() == 2) both<std::uint16_t>(to, block);
    else both<byte>(to, block);
  }

 private:
  std::int64_t size() const { return used_ >= 8 ? 8 : used_ >= 4 ? 4 : used_ >= 2 ? 2 : 1; }
  template <class T, class V>
  HWY_INLINE void both(byte* to, V block) const {
    hn::FixedTag<byte, 16> const bytes;
    hn::FixedTag<T, 16 / sizeof(T)> const d;
    auto const whole = hn::BitCast(bytes, block);
    T const first = hn::GetLane(hn::BitCast(d, whole));
    T const last = hn::GetLane(hn::BitCast(d, hn::TableLookupBytes(whole, index_)));
    std::memcpy(to, &first, sizeof(T));
    std::memcpy(to + used_ - static_cast<std::int64_t>(sizeof(T)), &last, sizeof(T));
  }
  std::int64_t used_;
  hn::Vec<hn::FixedTag<byte, 16>> index_;
};

/// A whole line's columns from `at` on, of `rows` rows from `first` on, which are in `lines`. A line that was put together
/// from shorter pieces would have to wait in the store buffer.
template <int Unit>
HWY_INLINE void transpose_short_rows(transpose_tile const& t, byte const* lines, std::int64_t first, std::int64_t rows,
                                     std::int64_t at) {
  using T = typename lane_of<Unit>::type;
  constexpr int E = 16 / Unit;
  vector_tag<T> const d;
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d) * sizeof(T));
  using V = hn::Vec<decltype(d)>;
  std::int64_t const used = std::min<std::int64_t>(16, rows * Unit);
  part_store const parts(used);
  // Before it, what a block has too much is written again by the columns that follow.
  byte const* const exact = t.columns_follow ? t.dst + t.columns[t.column_count - 1] + used - 15 : nullptr;
  for (std::int64_t k = 0; k < line; k += vector) {
    std::int64_t const* const column = t.columns + (at + k) / Unit;
    for (std::int64_t a = 0; a < rows; a += E) {
      std::int64_t const from = a + E <= rows ? a : std::max<std::int64_t>(0, rows - E);  // the last rows again
      V v[E];
      for (int i = 0; i < E; ++i) v[i] = hn::Load(d, reinterpret_cast<T const*>(lines + (from + i) * line + k));
      transpose_blocks<T, E>(d, v);
      byte* const out = t.dst + (first + from) * Unit;
      if (used == 16) {
        for (int i = 0; i < E; ++i) {
          V const one[1] = {v[i]};
          for_each_block<1>(d, one, [=](auto const block, auto const part, int number, int) HWY_ATTR {
            hn::StoreU(part, block, reinterpret_cast<T*>(out + column[number * E + i]));
          });
        }
        continue;
      }
      for_each_block<E>(d, v, [=](auto const block, auto const part, int number, int i) HWY_ATTR {
        byte* const to = out + column[number * E + i];
        if (to < exact) hn::StoreU(part, block, reinterpret_cast<T*>(to));
        else parts.put(to, part);
      });
    }
  }
}

#if HWY_MAX_BYTES == 64
/// A whole line's columns from `at` on, of all rows. Each line of the source is one vector, which is read once.
/// pre: the rows fill a vector
template <int Unit, bool Streaming>
HWY_INLINE void transpose_lines(transpose_tile const& t, std::int64_t at, fetcher& ahead) {
  using T = typename lane_of<Unit>::type;
  constexpr int E = 16 / Unit;  // a vector has 4 blocks of E columns
  vector_tag<T> const d;
  using V = hn::Vec<decltype(d)>;
  byte const* const src = t.src + at;
  std::int64_t const* const column = t.columns + at / Unit;
  std::int64_t const count = t.row_count;
  for (std::int64_t r = 0; r < count; r += 4 * E) {
    std::int64_t const first = std::min(r, count - 4 * E);  // the last rows again
    std::int64_t const* const rows = t.rows + first;
    ahead.steps(src, rows, 4 * E);
    auto const read = [=](V(&v)[E], int row) HWY_ATTR {
      for (int i = 0; i < E; ++i) v[i] = hn::LoadU(d, reinterpret_cast<T const*>(src + rows[row + i]));
      transpose_blocks<T, E>(d, v);
    };
    V a[E], b[E], c[E], e[E];  // block k of each vector i: column k E + i
    read(a, 0);
    read(b, E);
    read(c, 2 * E);
    read(e, 3 * E);
    byte* const out = t.dst + first * Unit;
    for (int i = 0; i < E; ++i) {
      auto const put = [=](int k, V v) HWY_ATTR {
        T* const to = reinterpret_cast<T*>(out + column[k * E + i]);
        if constexpr (Streaming) hn::Stream(v, d, to);
        else hn::StoreU(v, d, to);
      };
      V const low = hn::ConcatLowerLower(d, c[i], a[i]), high = hn::ConcatUpperUpper(d, c[i], a[i]);  // a0 a1 c0 c1
      V const other = hn::ConcatLowerLower(d, e[i], b[i]), upper = hn::ConcatUpperUpper(d, e[i], b[i]);
      put(0, hn::OddEvenBlocks(hn::SwapAdjacentBlocks(other), low));
      put(1, hn::OddEvenBlocks(other, hn::SwapAdjacentBlocks(low)));
      put(2, hn::OddEvenBlocks(hn::SwapAdjacentBlocks(upper), high));
      put(3, hn::OddEvenBlocks(upper, hn::SwapAdjacentBlocks(high)));
    }
  }
}
#else
/// The same of units so long that a block has few: a vector has one or two blocks.
template <int Unit, bool Streaming>
HWY_INLINE void transpose_lines(transpose_tile const& t, std::int64_t at, fetcher& ahead) {
  using T = typename lane_of<Unit>::type;
  constexpr int E = 16 / Unit, vector = HWY_MAX_BYTES < 32 ? 16 : 32, blocks = vector / 16;
  constexpr int step = Streaming ? 4 * E : blocks * E;  // rows: a line of each column where it goes past the caches
  vector_tag<T> const d;
  using V = hn::Vec<decltype(d)>;
  byte const* const src = t.src + at;
  std::int64_t const count = t.row_count;
  auto const put = [](byte* to, V v) HWY_ATTR {
    if constexpr (Streaming) hn::Stream(v, vector_tag<T>(), reinterpret_cast<T*>(to));
    else hn::StoreU(v, vector_tag<T>(), reinterpret_cast<T*>(to));
  };
  for (std::int64_t r = 0; r < count; r += step) {
    std::int64_t const first = std::min(r, count - step);  // the last rows again
    std::int64_t const* const rows = t.rows + first;
    ahead.steps(src, rows, step);
    for (int k = 0; k < line; k += vector) {
      std::int64_t const* const column = t.columns + (at + k) / Unit;
      for (int q = 0; q < step; q += blocks * E) {
        byte* const out = t.dst + (first + q) * Unit;
        auto const read = [=](V(&v)[E], int row) HWY_ATTR {
          vector_tag<T> const tag;
          for (int i = 0; i < E; ++i) v[i] = hn::LoadU(tag, reinterpret_cast<T const*>(src + k + rows[q + row + i]));
          transpose_blocks<T, E>(tag, v);
        };
        V a[E];
        read(a, 0);
#if HWY_MAX_BYTES < 32
        for (int i = 0; i < E; ++i) put(out + column[i], a[i]);
#else
        V b[E];
        read(b, E);
        for (int i = 0; i < E; ++i) {
          put(out + column[i], hn::ConcatLowerLower(d, b[i], a[i]));
          put(out + column[E + i], hn::ConcatUpperUpper(d, b[i], a[i]));
        }
#endif
      }
    }
  }
}
#endif

/// Transposes and stores blocks of 16 bytes of a group's rows from `row` on: v[i] has those of rows i, i + E, i + 2 E … `column`: where
/// the columns of the block start, of which `columns` are stored, `used` bytes of each.
template <int Unit, class D, class V>
HWY_INLINE void transpose_group(transpose_tile const& t, D d, V (&v)[16 / Unit], std::int64_t row, std::int64_t used,
                                std::int64_t const* column, int columns) {
  using T = hn::TFromD<D>;
  constexpr int E = 16 / Unit;
  transpose_blocks<T, E>(d, v);
  byte* const out = t.dst + row * Unit;
  if (t.streaming) {
    for (int i = 0; i < columns; ++i) hn::Stream(v[i], d, reinterpret_cast<T*>(out + column[i]));
  } else if (used == static_cast<std::int64_t>(hn::Lanes(d) * sizeof(T)) || t.slack) {
    for (int i = 0; i < columns; ++i) hn::StoreU(v[i], d, reinterpret_cast<T*>(out + column[i]));
  } else {
    HWY_ALIGN_MAX byte whole[line];
    for (int i = 0; i < columns; ++i) {
      hn::Store(v[i], d, reinterpret_cast<T*>(whole));
      copy_short(out + column[i], whole, used);
    }
  }
}

/// Up to a line's columns from `at` on, from byte `skip` of it, of `rows` rows from `first` on, which are in `lines`.
template <int Unit>
HWY_INLINE void transpose_gathered(transpose_tile const& t, byte const* lines, std::int64_t first, std::int64_t rows,
                                   std::int64_t at, std::int64_t skip, std::int64_t bytes) {
  using T = typename lane_of<Unit>::type;
  constexpr int E = 16 / Unit;
  vector_tag<T> const d;
  int const group = static_cast<int>(hn::Lanes(d) * sizeof(T)) / Unit;
  constexpr int per_line = static_cast<int>(line) / (HWY_MAX_BYTES < 64 ? HWY_MAX_BYTES : 64);  // vectors
  auto const load = [&](hn::Vec<decltype(d)>(&v)[E], std::int64_t from, std::int64_t k) HWY_ATTR {
    vector_tag<T> const tag;
    for (int i = 0; i < E; ++i) v[i] = load_blocks<T>(tag, lines + (from + i) * line + k, E * static_cast<int>(line));
  };
  for (std::int64_t k = skip; k < bytes; k += 16) {
    int const columns = static_cast<int>(std::min<std::int64_t>(E, (bytes - k) / Unit));
    std::int64_t const* const column = t.columns + (at + k) / Unit;
    std::int64_t a = 0;
    // What goes past the caches is written a line at a time: few lines may be open.
    for (; per_line > 1 && t.streaming && a + per_line * group <= rows; a += per_line * group) {
      hn::Vec<decltype(d)> v[per_line][E];
      for (int p = 0; p < per_line; ++p) {
        load(v[p], a + p * group, k);
        transpose_blocks<T, E>(d, v[p]);
      }
      byte* const out = t.dst + (first + a) * Unit;
      for (int i = 0; i < columns; ++i)
        for (int p = 0; p < per_line; ++p)
          hn::Stream(v[p][i], d, reinterpret_cast<T*>(out + column[i] + p * group * Unit));
    }
    for (; a < rows; a += group) {
      // The last rows again, if they do not fill a vector; fewer than that leave part of it unused.
      std::int64_t const from = a + group <= rows ? a : std::max<std::int64_t>(0, rows - group);
      hn::Vec<decltype(d)> v[E];
      load(v, from, k);
      transpose_group<Unit>(t, d, v, first + from, std::min<std::int64_t>(group, rows) * Unit, column, columns);
    }
  }
}

/// The 16 bytes at src of rows 0, E, 2 E … as the blocks of one vector.
template <int Unit, class D>
HWY_INLINE hn::Vec<D> load_rows(D d, byte const* src, std::int64_t const* rows) {
  using T = typename lane_of<Unit>::type;
  constexpr int E = 16 / Unit;
  hn::FixedTag<T, 16 / sizeof(T)> const block;
  auto const at = [&](int k) HWY_ATTR { return hn::LoadU(block, reinterpret_cast<T const*>(src + rows[k * E])); };
#if HWY_MAX_BYTES == 16
  (void)d;
  return at(0);
#else
  hn::FixedTag<T, 32 / sizeof(T)> const two;
  auto const low = hn::Combine(two, at(1), at(0));
#if HWY_MAX_BYTES == 32
  (void)d;
  return low;
#else
  return hn::Combine(d, hn::Combine(two, at(3), at(2)), low);
#endif
#endif
}

/// All columns, which have less than a line in all, of all rows. Rows are read where they are, except for those behind which nothing
/// may be read.
/// pre: the rows fill a vector
template <int Unit>
HWY_INLINE void transpose_short_columns(transpose_tile const& t, std::int64_t bytes, byte* lines, fetcher& ahead) {
  using T = typename lane_of<Unit>::type;
  constexpr int E = 16 / Unit;
  vector_tag<T> const d;
  int const group = static_cast<int>(hn::Lanes(d) * sizeof(T)) / Unit;
  for (std::int64_t a = 0; a < t.row_count; a += group) {
    std::int64_t const first = std::min(a, t.row_count - group);  // the last rows again
    if (bytes % 16 != 0 && t.unreadable[first + group] != t.unreadable[first]) {
      gather_lines(lines, t, first, group, 0, bytes, ahead);
      transpose_gathered<Unit>(t, lines, first, group, 0, 0, bytes);
      continue;
    }
    std::int64_t const* const rows = t.rows + first;
    ahead.short_rows(rows, group, bytes);
    for (std::int64_t k = 0; k < bytes; k += 16) {
      hn::Vec<decltype(d)> v[E];
      for (int i = 0; i < E; ++i) v[i] = load_rows<Unit>(d, t.src + k, rows + i);
      transpose_group<Unit>(t, d, v, first, group * Unit, t.columns + k / Unit,
                            static_cast<int>(std::min<std::int64_t>(E, (bytes - k) / Unit)));
    }
  }
}

/// Do lines of so many rows throw each other out of the nearest cache, whose sets repeat after a page?
bool share_a_set(transpose_tile const& t, std::int64_t rows) {
  constexpr std::int64_t page = 4096, few = 4;
  std::int64_t found = 0;
  for (std::int64_t r = 1; r < std::min(rows, t.row_count); ++r)
    found += ((t.rows[r] - t.rows[0]) & (page - 1)) < line ? 1 : 0;
  return found >= few;
}

template <int Unit>
void transpose_units(transpose_tile const& t) {
  using T = typename lane_of<Unit>::type;
  constexpr std::int64_t room = 128;  // rows that `lines` has room for: 8 kB
  int const group = static_cast<int>(hn::Lanes(vector_tag<T>()) * sizeof(T)) / Unit;  // rows in one vector
  // Gathered at once: whole vectors, so that batches of whole lines are written as whole lines.
  std::int64_t const max_rows = std::clamp<std::int64_t>(t.tuning.gathered_rows, group, room) / group * group;
  // Are there registers for a block of each row and for what comes of them? Lines that take two vectors have to stay, and
  // of those that go past the caches few may be open at a time.
  bool const has_registers = HWY_MAX_BYTES == 64 || (Unit >= (t.streaming ? 8 : 4) && !share_a_set(t, 64 / Unit));
  HWY_ALIGN_MAX byte lines[room * line];
  fetcher ahead(t, t.column_count * Unit);
  std::int64_t const all_bytes = t.column_count * Unit;
  if (all_bytes < line && t.row_count >= group && (all_bytes % 16 == 0 || t.unreadable != nullptr))
    return transpose_short_columns<Unit>(t, all_bytes, lines, ahead);
  for (std::int64_t at = 0; at < all_bytes; at += line) {
    std::int64_t const bytes = std::min(line, all_bytes - at);
    if (has_registers && t.row_count >= group && all_bytes >= line && bytes > line / 2) {
      std::int64_t const from = std::min(at, all_bytes - line);  // the last columns again
      if (t.streaming) transpose_lines<Unit, true>(t, from, ahead);
      else transpose_lines<Unit, false>(t, from, ahead);
      continue;
    }
    // What is left of a row is the end of a whole line.
    bool const is_rest = bytes < line && all_bytes >= line && t.row_count * Unit < short_row && !t.slack;
    std::int64_t const start = is_rest ? all_bytes - line : at, skip = (at - start) / 16 * 16;
    for (std::int64_t batch = 0; batch < t.row_count; batch += max_rows) {
      // The last batch begins earlier if it would not fill a vector. So part of a vector is left unused only where all
      // rows of the tile are fewer than that, and there is one batch, whose columns are written in their order.
      std::int64_t const first = std::min(batch, std::max<std::int64_t>(0, t.row_count - group));
      std::int64_t const rows = std::min(max_rows, t.row_count - first);
      gather_lines(lines, t, first, rows, start, all_bytes - start < line ? bytes : line, ahead);
      if (t.row_count * Unit < short_row && all_bytes - start >= line && !t.streaming) {
        transpose_short_rows<Unit>(t, lines, first, rows, start);
        continue;
      }
      transpose_gathered<Unit>(t, lines, first, rows, start, skip, is_rest ? line : bytes);
    }
  }
}

/// pre: dst is aligned to lines, count is a multiple of them
HWY_INLINE void copy_lines(byte* dst, byte const* src, std::int64_t count) {
  vector_tag<byte> const d;
  auto const step = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < count; i += step) hn::Stream(hn::LoadU(d, src + i), d, dst + i);
}
/// The same, while what is at `next` is fetched.
HWY_INLINE void copy_lines_ahead(byte* dst, byte const* src, std::int64_t count, byte const* next) {
  vector_tag<byte> const d;
  auto const step = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < count; i += line) {
    hwy::Prefetch(next + i);
    for (std::int64_t k = i; k < i + line; k += step) hn::Stream(hn::LoadU(d, src + k), d, dst + k);
  }
}

#endif

/// Unit 16 needs no interleaving: E is 1, and a block is a unit.
void transpose_any(transpose_tile const& t, int unit) {
  switch (unit) {
    case 1: return transpose_units<1>(t);
    case 2: return transpose_units<2>(t);
    case 4: return transpose_units<4>(t);
    case 8: return transpose_units<8>(t);
    default: return transpose_units<16>(t);
  }
}

void copy_one_run(byte* dst, byte const* src, std::int64_t count, bool streaming, std::int64_t streamed) {
  if (!streaming || count < std::max(line, streamed)) {
    if (count <= 32) return copy_short(dst, src, count);
    std::memcpy(dst, src, static_cast<std::size_t>(count));
    return;
  }
  auto const head = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(dst) & (line - 1));
  std::memcpy(dst, src, static_cast<std::size_t>(head));
  std::int64_t const lines = (count - head) / line * line;
  copy_lines(dst + head, src + head, lines);
  std::memcpy(dst + head + lines, src + head + lines, static_cast<std::size_t>(count - head - lines));
}

/// Short units are fetched as transpose() does it. Of a long one the processor's prefetcher needs the beginning only, so the
/// next tile's is fetched along with the copying, line by line.
void copy_all_units(transpose_tile const& t, std::int64_t unit, std::int64_t column_step) {
  bool const is_long = unit >= t.tuning.fetched_unit_bytes;
  bool const lines_alone = t.streaming && unit % line == 0 && reinterpret_cast<std::uintptr_t>(t.dst) % line == 0;
  fetcher ahead(t, column_step == unit ? unit * t.column_count : unit);
  for (std::int64_t c = 0; c < t.column_count; ++c) {
    byte* dst = t.dst + t.columns[c];
    bool const whole_lines = lines_alone && t.columns[c] % line == 0;
    for (std::int64_t r = 0; r < t.row_count; ++r, dst += unit) {
      byte const* const from = t.src + t.rows[r] + c * column_step;
      if (is_long && whole_lines && t.next != nullptr) {
        copy_lines_ahead(dst, from, unit, t.next + t.rows[r] + c * column_step);
        continue;
      }
      if (!is_long)
        for (std::int64_t k = 0; k < unit; k += line) ahead.step(from + k);
      if (whole_lines) copy_lines(dst, from, unit);
      else if (unit <= 32) copy_short(dst, from, unit);
      else copy_one_run(dst, from, unit, t.streaming, t.tuning.streamed_copy_bytes);
    }
  }
}

char const* name_of_target() { return hwy::TargetName(HWY_TARGET); }
int bytes_of_vector() { return static_cast<int>(hn::Lanes(vector_tag<byte>())); }

}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewright::cpu_engine {
namespace {

HWY_EXPORT(transpose_any);
HWY_EXPORT(copy_one_run);
HWY_EXPORT(copy_all_units);
HWY_EXPORT(bytes_of_vector);
HWY_EXPORT(name_of_target);

}  // namespace

void transpose(transpose_tile const& tile, int unit) { HWY_DYNAMIC_DISPATCH(transpose_any)(tile, unit); }
void copy_run(byte* dst, byte const* src, std::int64_t count, bool streaming, std::int64_t streamed) {
  HWY_DYNAMIC_DISPATCH(copy_one_run)(dst, src, count, streaming, streamed);
}
void copy_units(transpose_tile const& tile, std::int64_t unit, std::int64_t column_step) {
  HWY_DYNAMIC_DISPATCH(copy_all_units)(tile, unit, column_step);
}
void fence() { hwy::FlushStream(); }
int vector_bytes() { return HWY_DYNAMIC_DISPATCH(bytes_of_vector)(); }
std::vector<std::int32_t> unreadable_rows(std::vector<std::int64_t> const& rows, std::int64_t bytes) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] > rows[b]; });
  std::vector<std::int32_t> out(rows.size() + 1, 0);
  std::int64_t end = rows[order[0]] + bytes;  // of the bytes that may be read
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::int64_t const row = rows[order[i]];
    if (i > 0 && rows[order[i - 1]] >= row + bytes + 64) end = row + bytes;
    out[order[i] + 1] = row + (bytes + 15) / 16 * 16 > end ? 1 : 0;
  }
  std::partial_sum(out.begin(), out.end(), out.begin());
  return out;
}

char const* instruction_set() { return HWY_DYNAMIC_DISPATCH(name_of_target)(); }

}  // namespace tilewright::cpu_engine
#endif  // HWY_ONCE
