// Transposes of rows and columns of less than a line, which leave most of a vector unused: how the columns of few rows are stored,
// where rows may be read, and rows that are read whole. Compiled once for each instruction set.
#include <hwy/highway.h>

#include "engine/cpu/fetcher.hpp"
#include "engine/cpu/vector_blocks-inl.hpp"

#include <type_traits>

#if defined(TILEWRIGHT_ENGINE_CPU_SHORT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILEWRIGHT_ENGINE_CPU_SHORT_ROWS_INL
#undef TILEWRIGHT_ENGINE_CPU_SHORT_ROWS_INL
#else
#define TILEWRIGHT_ENGINE_CPU_SHORT_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// Stores columns [begin, end) of blocks whose few rows have been interleaved: a block holds E / Rows columns at a time, of Rows units
/// each, of which `used` bytes are stored: more than half of them. Column c goes to out + column[c].
template <int Unit, int Rows, class D, class V>
HWY_INLINE void put_columns(D d, V const (&v)[Rows], byte* out, std::int64_t const* column, std::int64_t used,
                            std::int64_t begin, std::int64_t end) {
  constexpr int E = 16 / Unit, bytes = Rows * Unit, half = bytes / 2, pieces = E / Rows;
  using piece = hwy::UnsignedFromSize<bytes>;
  for_each_block<Rows>(d, v, [=](auto const block, auto const part, int number, int i) HWY_ATTR {
    (void)block;
    hn::FixedTag<piece, 16 / bytes> const in_pieces;
    auto const all = hn::BitCast(in_pieces, part);
    for (int j = 0; j < pieces; ++j) {
      std::int64_t const c = number * E + i * pieces + j;
      if (c < begin || c >= end) continue;
      piece const value = hn::ExtractLane(all, static_cast<std::size_t>(j));
      byte* const to = out + column[c];
      if (used == bytes) {
        std::memcpy(to, &value, bytes);
        continue;
      }
      auto const last = static_cast<piece>(value >> (8 * (used - half)));  // two stores that may overlap
      std::memcpy(to, &value, half);
      std::memcpy(to + used - half, &last, half);
    }
  });
}

/// A whole line's columns from `at` on, of rows that are half a block at most, which are in `lines`.
template <int Unit, int Rows>
HWY_INLINE void transpose_half_rows(transpose_tile const& t, byte const* lines, std::int64_t first, std::int64_t rows,
                                    std::int64_t at) {
  using T = lane_of<Unit>;
  constexpr int E = 16 / Unit;
  vector_tag<T> const d;
  auto const vector = static_cast<std::int64_t>(hn::Lanes(d) * sizeof(T));
  for (std::int64_t k = 0; k < line; k += vector) {
    hn::Vec<decltype(d)> v[Rows];
    for (int i = 0; i < Rows; ++i)
      v[i] = hn::Load(d, reinterpret_cast<T const*>(lines + std::min<std::int64_t>(i, rows - 1) * line + k));
    transpose_blocks<T, Rows>(d, v);
    put_columns<Unit, Rows>(d, v, t.dst + first * Unit, t.columns + (at + k) / Unit, rows * Unit, 0, vector / 16 * E);
  }
}

/// Calls use(constant) with the rows that are interleaved together where there are so few: the next power of two. False where a block
/// would be more than half full.
template <int Unit, class Use>
HWY_INLINE bool with_few_rows(std::int64_t rows, Use const& use) {
  constexpr int E = 16 / Unit;
  if constexpr (E >= 4)
    if (rows == 2) return use(std::integral_constant<int, 2>()), true;
  if constexpr (E >= 8)
    if (rows > 2 && rows <= 4) return use(std::integral_constant<int, 4>()), true;
  if constexpr (E >= 16)
    if (rows > 4 && rows <= 8) return use(std::integral_constant<int, 8>()), true;
  return false;
}

/// Transposes and stores blocks of 16 bytes of a group's rows from `row` on: v[i] has those of rows i, i + E, i + 2 E … `column`: where
/// the columns of the block start, of which those of [begin, end) are stored, `used` bytes each.
template <int Unit, class D, class V>
HWY_INLINE void transpose_group(transpose_tile const& t, D d, V (&v)[16 / Unit], std::int64_t row, std::int64_t used,
                                std::int64_t const* column, int begin, int end) {
  using T = hn::TFromD<D>;
  constexpr int E = 16 / Unit;
  transpose_blocks<T, E>(d, v);
  byte* const out = t.dst + row * Unit;
  if (t.streaming) {
    for (int i = begin; i < end; ++i) hn::Stream(v[i], d, reinterpret_cast<T*>(out + column[i]));
  } else if (auto const vector = static_cast<std::int64_t>(hn::Lanes(d) * sizeof(T)); used == vector || t.slack) {
    for (int i = begin; i < end; ++i) hn::StoreU(v[i], d, reinterpret_cast<T*>(out + column[i]));
  } else {
#if HWY_MAX_BYTES == 64
    for (int i = begin; i < end; ++i) store_first(d, v[i], out + column[i], std::min(used, line));
#else
    // Until the last columns, what a vector has too much is written again by the columns that follow.
    byte const* const last = t.columns_follow ? t.dst + t.columns[t.column_count - 1] + t.row_count * Unit : nullptr;
    HWY_ALIGN_MAX byte whole[line];
    for (int i = begin; i < end; ++i) {
      byte* const to = out + column[i];
      if (last != nullptr && vector <= last - to) {
        hn::StoreU(v[i], d, reinterpret_cast<T*>(to));
        continue;
      }
      hn::Store(v[i], d, reinterpret_cast<T*>(whole));
      copy_short(to, whole, std::min(used, line));
    }
#endif
  }
}

/// Blocks of 16 bytes of rows of less than a line, from byte k on. The last of a row that has more than a block begins earlier, so that
/// it ends with the row; its first columns are those of the block before.
struct row_block {
  std::int64_t at;  // byte of the row
  int begin, end;   // of its columns, those that no block before has
};
template <int Unit>
HWY_INLINE row_block block_of(std::int64_t k, std::int64_t bytes) {
  std::int64_t const at = bytes >= 16 ? std::min(k, bytes - 16) : k;
  return {at, static_cast<int>((k - at) / Unit), static_cast<int>(std::min<std::int64_t>(16, bytes - at) / Unit)};
}

/// May blocks of 16 bytes of `count` rows from `first` on be read where the rows are?
inline bool are_readable(transpose_tile const& t, std::int64_t bytes, std::int64_t first, std::int64_t count) {
  return bytes >= 16 || t.unreadable[first + count] == t.unreadable[first];
}

/// Where rows of less than a line are read: where they are, but for those behind which nothing may be read, which are copied to `lines`.
/// After the last row it comes again.
/// pre: where rows have less than a block, t.unreadable says behind which may be read
template <int Count>
HWY_INLINE void find_rows(transpose_tile const& t, std::int64_t bytes, byte* lines, byte const* (&rows)[Count]) {
  std::int64_t const count = t.row_count;
  for (std::int64_t r = 0; r < Count; ++r) rows[r] = t.src + t.rows[std::min(r, count - 1)];
  if (are_readable(t, bytes, 0, count)) return;
  for (std::int64_t r = 0; r < count; ++r) {
    if (are_readable(t, bytes, r, 1)) continue;
    copy_short(lines + r * line, rows[r], bytes);
    rows[r] = lines + r * line;
  }
  std::fill(rows + count, rows + Count, rows[count - 1]);
}

/// All columns, which have less than a line in all, of rows that do not fill a vector.
/// A function of its own, so that its registers are not those of longer transposes.
template <int Unit, class D>
HWY_NOINLINE void transpose_few_rows(transpose_tile const& t, D d, std::int64_t bytes, byte* lines) {
  using T = hn::TFromD<D>;
  constexpr int E = 16 / Unit, group = static_cast<int>(hn::MaxLanes(D()) * sizeof(T)) / Unit;
  byte const* rows[group];
  find_rows(t, bytes, lines, rows);
  hn::FixedTag<T, 16 / sizeof(T)> const in_block;
  for (std::int64_t k = 0; k < bytes; k += 16) {
    row_block const block = block_of<Unit>(k, bytes);
    hn::Vec<D> v[E];
    for (int i = 0; i < E; ++i)
      v[i] = joined_blocks(d, [&](int b) HWY_ATTR {
        return hn::LoadU(in_block, reinterpret_cast<T const*>(rows[b * E + i] + block.at));
      });
    transpose_group<Unit>(t, d, v, 0, t.row_count * Unit, t.columns + block.at / Unit, block.begin, block.end);
  }
}

/// The same of rows that are half a block at most, of which Rows are interleaved.
template <int Unit, int Rows>
HWY_NOINLINE void transpose_fewest_rows(transpose_tile const& t, std::int64_t bytes, byte* lines) {
  using T = lane_of<Unit>;
  hn::FixedTag<T, 16 / sizeof(T)> const d;
  byte const* rows[Rows];
  find_rows(t, bytes, lines, rows);
  for (std::int64_t k = 0; k < bytes; k += 16) {
    row_block const block = block_of<Unit>(k, bytes);
    hn::Vec<decltype(d)> v[Rows];
    for (int i = 0; i < Rows; ++i) v[i] = hn::LoadU(d, reinterpret_cast<T const*>(rows[i] + block.at));
    transpose_blocks<T, Rows>(d, v);
    put_columns<Unit, Rows>(d, v, t.dst, t.columns + block.at / Unit, t.row_count * Unit, block.begin, block.end);
  }
}

#if HWY_MAX_BYTES == 64
/// All rows' bytes [at, at + bytes), of which a vector of Bytes has one row's: its blocks hold columns once they are transposed, which are
/// stored one by one. `Partial`: the rows do not fill a block, else they do.
/// pre: bytes <= Bytes. What is written may be written again.
template <int Unit, int Bytes, bool Partial>
HWY_NOINLINE void transpose_row_blocks(transpose_tile const& t, std::int64_t at, std::int64_t bytes) {
  using T = lane_of<Unit>;
  constexpr int E = 16 / Unit;
  hn::FixedTag<T, Bytes / sizeof(T)> const d;
  hn::FixedTag<T, 16 / sizeof(T)> const in_block;
  auto const read = hn::FirstN(d, static_cast<std::size_t>(bytes) / sizeof(T));
  std::int64_t const count = t.row_count, columns = bytes / Unit;
  auto const used = hn::FirstN(in_block, static_cast<std::size_t>(Partial ? count * Unit : 16) / sizeof(T));
  std::int64_t const* const column = t.columns + at / Unit;
  byte const* const src = t.src + at;
  for (std::int64_t a = 0; a < count; a += E) {
    std::int64_t const row = Partial ? 0 : std::min(a, count - E);  // the last rows again
    hn::Vec<decltype(d)> v[E];
    for (int i = 0; i < E; ++i) {
      std::int64_t const from = t.rows[Partial ? std::min<std::int64_t>(i, count - 1) : row + i];
      v[i] = hn::MaskedLoad(read, d, reinterpret_cast<T const*>(src + from));
    }
    transpose_blocks<T, E>(d, v);
    byte* const out = t.dst + row * Unit;
    for_each_block<E>(d, v, [=](auto const block, auto const part, int number, int i) HWY_ATTR {
      if (number * E + i >= columns) return;
      T* const to = reinterpret_cast<T*>(out + column[number * E + i]);
      if constexpr (Partial) hn::BlendedStore(part, used, block, to);
      else hn::StoreU(part, block, to);
    });
  }
}

/// The same of bytes [at, at + bytes), a line at most, of rows of `all` bytes: in vectors no longer than that takes.
template <int Unit, bool Partial>
HWY_INLINE void transpose_row_part(transpose_tile const& t, std::int64_t at, std::int64_t bytes, std::int64_t all) {
  auto const from = [=](std::int64_t whole) { return std::clamp<std::int64_t>(all - whole, 0, at); };  // columns again
  if (bytes > line / 2) transpose_row_blocks<Unit, 64, Partial>(t, from(line), std::min(all, line));
  else if (bytes > 16) transpose_row_blocks<Unit, 32, Partial>(t, from(line / 2), std::min(all, line / 2));
  else transpose_row_blocks<Unit, 16, Partial>(t, from(16), std::min<std::int64_t>(all, 16));
}

/// Are rows read best as they are, a vector each, and columns stored block by block? Not where few rows have short columns, of which a
/// vector holds several, nor where lines of the columns would have to leave the nearest cache between two blocks.
template <int Unit>
bool reads_rows_whole(transpose_tile const& t, std::int64_t all_bytes) {
  if (t.streaming || all_bytes <= 8 || Unit > 8 || t.row_count <= 8 / Unit) return false;
  return std::abs(t.columns[t.column_count - 1] - t.columns[0]) + t.row_count * Unit <= t.tuning.near_columns_bytes;
}

template <int Unit>
void transpose_whole_rows(transpose_tile const& t, std::int64_t all_bytes, fetcher& ahead) {
  if (all_bytes < line) ahead.short_rows(t.rows, static_cast<int>(t.row_count), all_bytes);
  for (std::int64_t at = 0; at < all_bytes; at += line) {
    std::int64_t const bytes = std::min(line, all_bytes - at);
    if (all_bytes >= line) ahead.steps(t.src + at, t.rows, static_cast<int>(t.row_count));
    if (t.row_count < 16 / Unit) transpose_row_part<Unit, true>(t, at, bytes, all_bytes);
    else transpose_row_part<Unit, false>(t, at, bytes, all_bytes);
  }
}
#endif

#endif
}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
