// Lines of rows next to one another in the nearest cache, for transposes of rows that are best not read where they are. Compiled once
// for each instruction set.
#include <hwy/highway.h>

#include "engine/cpu/fetcher.hpp"
#include "engine/cpu/vector_blocks-inl.hpp"

#if defined(TILEWRIGHT_ENGINE_CPU_GATHERED_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILEWRIGHT_ENGINE_CPU_GATHERED_LINES_INL
#undef TILEWRIGHT_ENGINE_CPU_GATHERED_LINES_INL
#else
#define TILEWRIGHT_ENGINE_CPU_GATHERED_LINES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tilewright::cpu_engine::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

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
#if HWY_MAX_BYTES == 64
      vector_tag<byte> const d;
      hn::Store(load_first(d, from + rows[r], bytes), d, lines);
#else
      copy_short(lines, from + rows[r], bytes);
#endif
    }
  }
}

/// Do lines of so many rows throw each other out of the nearest cache, whose sets repeat after a page?
HWY_INLINE bool share_a_set(transpose_tile const& t, std::int64_t rows) {
  constexpr std::int64_t page = 4096, few = 4;
  std::int64_t found = 0;
  for (std::int64_t r = 1; r < std::min(rows, t.row_count); ++r)
    found += ((t.rows[r] - t.rows[0]) & (page - 1)) < line ? 1 : 0;
  return found >= few;
}

#endif
}  // namespace tilewright::cpu_engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
