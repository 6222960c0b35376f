// What kernels fetch into the caches along with their work on a tile.
#pragma once

#include "engine/cpu/kernels.hpp"
#include "engine/memory_units.hpp"

#include <hwy/cache_control.h>
#include <algorithm>
#include <cstdlib>

namespace tilewright::cpu_engine {

/// Fetches one line for each that this tile uses up: further on in the same row, or the next tile's, row by row. All it counts with
/// are members of an object that nothing points to, so that they stay in registers while bytes are written.
class fetcher {
  static constexpr std::int64_t line = engine::cache_line;  // bytes of the cache's

 public:
  fetcher(transpose_tile const& t, std::int64_t run_bytes)
      : next_(t.next),
        rows_(t.rows),
        ahead_(t.ahead),
        left_(t.next == nullptr ? 0 : t.row_count),
        run_(run_bytes) {}
  HWY_INLINE void step(byte const* used) {
    if (ahead_ != 0) {
      hwy::Prefetch(used + ahead_);
      return;
    }
    if (left_ <= 0) return;
    // Into the second level: a line buffer of the first would be held until the line is there, and streaming stores need
    // those.
    byte const* const row = next_ + *rows_;
    if (at_ == 0) __builtin_prefetch(row + run_ - 1, 0, 2);  // one line more where the row starts within one
    __builtin_prefetch(row + at_, 0, 2);
    at_ += line;
    if (at_ < run_) return;
    at_ = 0, ++rows_, --left_;
  }

  /// The lines of some rows of the next tile, which are so short that several share one.
  HWY_INLINE void short_rows(std::int64_t const* rows, int count, std::int64_t bytes) const {
    if (next_ == nullptr) return;
    if (std::int64_t const reach = std::abs(rows[count - 1] - rows[0]) + bytes; reach <= count * line) {  // one span
      byte const* const first = next_ + std::min(rows[0], rows[count - 1]);
      for (std::int64_t at = 0; at < reach; at += line) __builtin_prefetch(first + at, 0, 2);
      __builtin_prefetch(first + reach - 1, 0, 2);
      return;
    }
    for (int i = 0; i < count; ++i) {
      __builtin_prefetch(next_ + rows[i], 0, 2);
      __builtin_prefetch(next_ + rows[i] + bytes - 1, 0, 2);
    }
  }
  /// The same for a line of each of some rows.
  HWY_INLINE void steps(byte const* used, std::int64_t const* rows, int count) {
    if (ahead_ == 0 && left_ <= 0) return;
    for (int i = 0; i < count; ++i) step(used + rows[i]);
  }

 private:
  byte const* next_;
  std::int64_t const* rows_;
  std::int64_t ahead_, left_, run_, at_ = 0;
};

}  // namespace tilewright::cpu_engine
