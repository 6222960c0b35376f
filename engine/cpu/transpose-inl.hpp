// transpose_tile's kernel: which rows are taken together and how they are read, by how long rows and columns are and how many registers
// there are. Compiled once for each instruction set.
#include <hwy/highway.h>

#include "engine/cpu/byte_blocks-inl.hpp"
#include "engine/cpu/fetcher.hpp"
#include "engine/cpu/gathered_lines-inl.hpp"
#include "engine/cpu/short_rows-inl.hpp"
#include "engine/cpu/vector_blocks-inl.hpp"

#if defined(TILEWRIGHT_ENGINE_CPU_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILEWRIGHT_ENGINE_CPU_TRANSPOSE_INL
#undef TILEWRIGHT_ENGINE_CPU_TRANSPOSE_INL
#else
#define TILEWRIGHT_ENGINE_CPU_TRANSPOSE_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // no vectors of 16 bytes: element by element

template <int Unit>
void transpose_units(transpose_tile const& t) {
  for (std::int64_t c = 0; c < t.column_count; ++c)
    for (std::int64_t r = 0; r < t.row_count; ++r)
      std::memcpy(t.dst + t.columns[c] + r * Unit, t.src + t.rows[r] + c * Unit, Unit);
}

#else

/// Rows of fewer bytes leave most of a vector unused if its blocks hold rows: they hold columns, and are stored one by one.
constexpr std::int64_t short_row = 48;

/// A whole line's columns from `at` on, of `rows` rows from `first` on, which are in `lines`. A line that was put together
/// from shorter pieces would have to wait in the store buffer.
template <int Unit>
HWY_INLINE void transpose_short_rows(transpose_tile const& t, byte const* lines, std::int64_t first, std::int64_t rows,
                                     std::int64_t at) {
  using T = lane_of<Unit>;
  constexpr int E = 16 / Unit;
  bool const is_done = with_few_rows<Unit>(
      rows, [&](auto const few) HWY_ATTR { transpose_half_rows<Unit, few()>(t, lines, first, rows, at); });
  if (is_done) return;
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
/// pre: the rows fill a vector, unless `Partial`: then they fill a part of one
template <int Unit, bool Streaming, bool Partial = false>
HWY_INLINE void transpose_lines(transpose_tile const& t, std::int64_t at, fetcher& ahead) {
  using T = lane_of<Unit>;
  constexpr int E = 16 / Unit;  // a vector has 4 blocks of E columns
  vector_tag<T> const d;
  using V = hn::Vec<decltype(d)>;
  byte const* const src = t.src + at;
  std::int64_t const* const column = t.columns + at / Unit;
  std::int64_t const count = t.row_count;
  std::int64_t clamped[4 * E];  // after the last row it comes again
  if constexpr (Partial)
    for (std::int64_t r = 0; r < 4 * E; ++r) clamped[r] = t.rows[std::min(r, count - 1)];
  auto const used = hn::FirstN(d, static_cast<std::size_t>(Partial ? count * Unit : line) / sizeof(T));
  for (std::int64_t r = 0; r < count; r += 4 * E) {
    std::int64_t const first = Partial ? 0 : std::min(r, count - 4 * E);  // the last rows again
    std::int64_t const* const rows = Partial ? clamped : t.rows + first;
    ahead.steps(src, rows, Partial ? static_cast<int>(count) : 4 * E);
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
        if constexpr (Partial) hn::BlendedStore(v, used, d, to);
        else if constexpr (Streaming) hn::Stream(v, d, to);
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
  using T = lane_of<Unit>;
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

/// Up to a line's columns from `at` on, from byte `skip` of it, of `rows` rows from `first` on, which are in `lines`.
template <int Unit>
HWY_INLINE void transpose_gathered(transpose_tile const& t, byte const* lines, std::int64_t first, std::int64_t rows,
                                   std::int64_t at, std::int64_t skip, std::int64_t bytes) {
  using T = lane_of<Unit>;
  constexpr int E = 16 / Unit;
  vector_tag<T> const d;
  int const group = static_cast<int>(hn::Lanes(d) * sizeof(T)) / Unit;
  constexpr int per_line = static_cast<int>(line) / (HWY_MAX_BYTES < 64 ? HWY_MAX_BYTES : 64);  // vectors
  auto const load = [&](hn::Vec<decltype(d)>(&v)[E], std::int64_t from, std::int64_t k) HWY_ATTR {
    vector_tag<T> const tag;
    for (int i = 0; i < E; ++i) v[i] = load_blocks(tag, lines + (from + i) * line + k, E * static_cast<int>(line));
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
      transpose_group<Unit>(t, d, v, first + from, std::min<std::int64_t>(group, rows) * Unit, column, 0, columns);
    }
  }
}

/// All columns, which have less than a line in all, of all rows. Rows are read where they are, except for those behind which nothing
/// may be read.
/// pre: the rows fill a vector; where rows have less than a block, t.unreadable says behind which may be read
template <int Unit>
HWY_INLINE void transpose_short_columns(transpose_tile const& t, std::int64_t bytes, byte* lines, fetcher& ahead) {
  using T = lane_of<Unit>;
  constexpr int E = 16 / Unit;
  vector_tag<T> const d;
  int const group = static_cast<int>(hn::Lanes(d) * sizeof(T)) / Unit;
  for (std::int64_t a = 0; a < t.row_count; a += group) {
    std::int64_t const first = std::min(a, t.row_count - group);  // the last rows again
    if (HWY_MAX_BYTES < 64 && !are_readable(t, bytes, first, group)) {
      gather_lines(lines, t, first, group, 0, bytes, ahead);
      transpose_gathered<Unit>(t, lines, first, group, 0, 0, bytes);
      continue;
    }
    std::int64_t const* const rows = t.rows + first;
    ahead.short_rows(rows, group, bytes);
    for (std::int64_t k = 0; k < bytes; k += 16) {
      row_block const block = block_of<Unit>(k, bytes);
      hn::Vec<decltype(d)> v[E];
      load_group<Unit>(d, v, t.src + block.at, rows, std::min<std::int64_t>(16, bytes));
      transpose_group<Unit>(t, d, v, first, group * Unit, t.columns + block.at / Unit, block.begin, block.end);
    }
  }
}

/// A line's columns of rows that are read where they are. Blocks of a vector hold columns, which are stored one by one.
/// pre: the rows fill a block
template <int Unit>
HWY_INLINE void transpose_near_rows(transpose_tile const& t, std::int64_t at, fetcher& ahead) {
  using T = lane_of<Unit>;
  constexpr int E = 16 / Unit;
  vector_tag<T> const d;
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d) * sizeof(T));
  using V = hn::Vec<decltype(d)>;
  ahead.steps(t.src + at, t.rows, static_cast<int>(t.row_count));
  for (std::int64_t k = at; k < at + line; k += vector)
    for (std::int64_t a = 0; a < t.row_count; a += E) {
      std::int64_t const row = std::min(a, t.row_count - E);  // the last rows again
      V v[E];
      for (int i = 0; i < E; ++i) v[i] = hn::LoadU(d, reinterpret_cast<T const*>(t.src + t.rows[row + i] + k));
      transpose_blocks<T, E>(d, v);
      byte* const out = t.dst + row * Unit;
      std::int64_t const* const column = t.columns + k / Unit;
      for_each_block<E>(d, v, [=](auto const block, auto const part, int number, int i) HWY_ATTR {
        hn::StoreU(part, block, reinterpret_cast<T*>(out + column[number * E + i]));
      });
    }
}

/// A few rows after another, each from its first column to its last: the processor's prefetcher follows few at a time, and they share
/// few sets of the nearest cache.
/// pre: columns are a line at least, the rows fill a vector; what is written may be written again
template <int Unit>
HWY_INLINE void transpose_strips(transpose_tile const& t, std::int64_t all_bytes, std::int64_t group, fetcher& ahead) {
  std::int64_t const rows = std::min(t.row_count, std::max(t.tuning.strip_rows, group) / group * group);
  transpose_tile strip = t;
  strip.row_count = rows;
  for (std::int64_t r = 0; r < t.row_count; r += rows) {
    std::int64_t const first = std::min(r, t.row_count - rows);  // the last rows again
    strip.rows = t.rows + first;
    strip.dst = t.dst + first * Unit;
    for (std::int64_t k = 0; k < all_bytes; k += line) {
      std::int64_t const at = std::min(k, all_bytes - line);  // the last columns again
      if constexpr (Unit >= 4) transpose_lines<Unit, false>(strip, at, ahead);
      else transpose_near_rows<Unit>(strip, at, ahead);
    }
  }
}

/// A line's worth of columns after the other.
/// group: rows in one vector; max_rows: that `lines` takes at a time
template <int Unit>
void transpose_columns(transpose_tile const& t, std::int64_t all_bytes, int group, std::int64_t max_rows,
                       [[maybe_unused]] bool is_by_rows, byte* lines, fetcher& ahead) {
  // Are there registers for a block of each row and for what comes of them? Lines that take two vectors have to stay, and
  // of those that go past the caches few may be open at a time.
  bool const has_registers = HWY_MAX_BYTES == 64 || (Unit >= (t.streaming ? 8 : 4) && !share_a_set(t, 64 / Unit));
  for (std::int64_t at = 0; at < all_bytes; at += line) {
    std::int64_t const bytes = std::min(line, all_bytes - at);
    if (has_registers && t.row_count >= group && all_bytes >= line && bytes > line / 2) {
      std::int64_t const from = std::min(at, all_bytes - line);  // the last columns again
      if (t.streaming) transpose_lines<Unit, true>(t, from, ahead);
      else transpose_lines<Unit, false>(t, from, ahead);
      continue;
    }
#if HWY_MAX_BYTES == 64
    if (is_by_rows) {
      ahead.steps(t.src + at, t.rows, static_cast<int>(t.row_count));
      transpose_row_part<Unit, false>(t, at, bytes, all_bytes);
      continue;
    }
    if constexpr (Unit >= 4)
      if (t.row_count * Unit > line / 2 && t.row_count < group && all_bytes >= line && !t.streaming) {
        transpose_lines<Unit, false, true>(t, std::min(at, all_bytes - line), ahead);
        continue;
      }
#endif
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

template <int Unit>
void transpose_units(transpose_tile const& t) {
  using T = lane_of<Unit>;
  constexpr std::int64_t room = 128;  // rows that `lines` has room for: 8 kB
  int const group = static_cast<int>(hn::Lanes(vector_tag<T>()) * sizeof(T)) / Unit;  // rows in one vector
  // Gathered at once: whole vectors, so that batches of whole lines are written as whole lines.
  std::int64_t const max_rows = std::clamp<std::int64_t>(t.tuning.gathered_rows, group, room) / group * group;
  HWY_ALIGN_MAX byte lines[room * line];
  fetcher ahead(t, t.column_count * Unit);
  std::int64_t const all_bytes = t.column_count * Unit;
#if HWY_MAX_BYTES == 64
  if constexpr (Unit == 1)
    if (t.row_count >= line && all_bytes >= line && !share_a_set(t, line)) return transpose_bytes(t, ahead);
#endif
  if (t.strips && all_bytes >= line && t.row_count >= group)
    return transpose_strips<Unit>(t, all_bytes, Unit >= 4 ? group : 16 / Unit, ahead);
  bool const has_blocks = all_bytes < line && (all_bytes >= 16 || t.unreadable != nullptr);
  bool is_by_rows = false;
#if HWY_MAX_BYTES == 64
  is_by_rows = reads_rows_whole<Unit>(t, all_bytes);
  if (is_by_rows && (t.row_count < group || all_bytes < line)) return transpose_whole_rows<Unit>(t, all_bytes, ahead);
#endif
  if (has_blocks && t.row_count >= group) return transpose_short_columns<Unit>(t, all_bytes, lines, ahead);
  if (has_blocks && t.row_count < group && !t.streaming) {
    ahead.short_rows(t.rows, static_cast<int>(t.row_count), all_bytes);
    bool const is_done = with_few_rows<Unit>(
        t.row_count, [&](auto const few) HWY_ATTR { transpose_fewest_rows<Unit, few()>(t, all_bytes, lines); });
    if (is_done) return;
    if (t.row_count <= 16 / Unit)
      return transpose_few_rows<Unit>(t, hn::FixedTag<T, 16 / sizeof(T)>(), all_bytes, lines);
#if HWY_MAX_BYTES == 64
    if (t.row_count <= 32 / Unit)
      return transpose_few_rows<Unit>(t, hn::FixedTag<T, 32 / sizeof(T)>(), all_bytes, lines);
#endif
    return transpose_few_rows<Unit>(t, vector_tag<T>(), all_bytes, lines);
  }
  transpose_columns<Unit>(t, all_bytes, group, max_rows, is_by_rows, lines, ahead);
}

#endif
}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
