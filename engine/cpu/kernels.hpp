// What a thread does with one tile, compiled for every instruction set that Highway knows and chosen at run time. All
// offsets and pitches are in bytes. The rows of a tile follow each other in the destination, and a table says where
// each is in the source; the columns follow each other in the source, and a table says where each is in the destination.
#pragma once

#include "tilewright/plan/cpu_tuning.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewright::cpu_engine {

using byte = std::uint8_t;

/// A tile of units, rows × columns: unit (r, c) comes from src + rows[r] + c * unit and goes to dst + columns[c] + r * unit.
/// The source is contiguous along c and the destination along r, so the kernel transposes.
struct transpose_tile {
  byte const* src = nullptr;
  std::int64_t const* rows = nullptr;
  std::int64_t row_count = 0;
  byte* dst = nullptr;
  std::int64_t const* columns = nullptr;
  std::int64_t column_count = 0;
  // Up to 63 bytes behind what a column writes may be overwritten, provided that the columns behind it are written later.
  // So the kernel may run over only while it writes each column once, in ascending order. pre: columns ascend
  bool slack = false;
  bool streaming =
      false;  // whole lines go past the caches; pre: all that is written is aligned to lines and whole lines
  // What is fetched meanwhile: this many bytes further on in each row; or, if 0, the tile that comes next, which is at
  // `next` (null: none).
  std::int64_t ahead = 0;
  byte const* next = nullptr;
  cpu_tuning const& tuning;
  // Of rows that are shorter than a block of 16 bytes, those behind which as much may be read as is missing: before row r there are
  // unreadable[r] others. Null: none may.
  std::int32_t const* unreadable = nullptr;
  bool columns_follow = false;  // each column starts in the destination where the one before it ends
  // A few rows are read from their first column to their last before the next ones; what is written may be written again.
  bool strips = false;
  bool last_row_first = false;  // of units that are copied as they are
};

/// pre: unit is 1, 2, 4, 8 or 16
void transpose(transpose_tile const& tile, int unit);

/// Where one of several tiles is, in bytes from where the first would be.
struct transpose_place {
  std::int64_t src = 0, dst = 0;
};
/// The tile at each place; each fetches the next one. `next`: where the source of another such set of places starts, of which the last
/// one fetches the first; null: none. Nothing is fetched unless `fetches`.
void transpose_each(transpose_tile const& tile, int unit, std::vector<transpose_place> const& places, bool fetches,
                    byte const* next);

/// transpose_tile::unreadable for rows of `bytes` bytes that start at these places: rows before each whose last block of 16 bytes
/// would reach behind the last byte to which gaps of less than a line lead.
std::vector<std::int32_t> unreadable_rows(std::vector<std::int64_t> const& rows, std::int64_t bytes);

/// Copies `count` bytes to dst; if asked for, whole lines of cpu_tuning::streamed_copy_bytes and more go past the caches. fence() makes
/// such stores visible.
void copy_run(byte* dst, byte const* src, std::int64_t count, bool streaming, cpu_tuning const& tuning);

/// Lines that are put together from pieces of `piece` bytes, a power of two: line i is at dst + (at[i] ^ low), and place j of it comes
/// from src + pieces[i * (64 / piece) + (j ^ swapped)].
struct line_list {
  static constexpr std::int64_t max_count = 16;
  std::int64_t const* at = nullptr;
  std::int32_t const* pieces = nullptr;
  std::int64_t count = 0, piece = 64, low = 0, swapped = 0;
};
/// Writes them past the caches. fence() makes such stores visible.
/// pre: the lines are aligned, and at most max_count
void stream_pieces(byte* dst, byte const* src, line_list const& lines);

/// A tile of units of any number of bytes, copied as they are; columns follow each other in the source by `column_step`.
void copy_units(transpose_tile const& tile, std::int64_t unit, std::int64_t column_step);

void fence();

/// The instruction set in use, "AVX3" or "SSE4" and so on, and the bytes of its vectors.
char const* instruction_set();
int vector_bytes();

}  // namespace tilewright::cpu_engine
