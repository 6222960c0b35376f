// Fetching along with other work: which lines, and how many at a step.
#pragma once

#include <hwy/base.h>
#include <cstdint>

namespace tilewright::cpu_engine {

using byte = std::uint8_t;

/// Memory that is fetched into the second-level cache along with other work: the lines of spans of `span_bytes` bytes at base + spans[i].
struct fetch_list {
  byte const* base = nullptr;  // null: nothing
  std::int64_t const* spans = nullptr;
  std::int64_t span_count = 0;
  std::int64_t span_bytes = 0;
  std::int64_t lines_a_step = 1;
};

/// Fetches the next lines of a list at each step.
class fetch_cursor {
 public:
  explicit fetch_cursor(fetch_list const& list)
      : span_(list.spans),
        base_(list.base),
        left_(list.base == nullptr ? 0 : list.span_count),
        bytes_(list.span_bytes),
        lines_(list.lines_a_step) {
    if (left_ > 0) at_ = base_ + *span_, end_ = at_ + bytes_;
  }
  HWY_INLINE void step() {
    for (std::int64_t k = 0; k < lines_ && left_ > 0; ++k) {
      // Into the second level: a line buffer of the first would be held until the line is there, and streaming stores
      // need those.
      __builtin_prefetch(at_, 0, 2);
      at_ += 64;
      if (at_ < end_) continue;
      if (--left_ == 0) return;
      at_ = base_ + *++span_;
      end_ = at_ + bytes_;
    }
  }

 private:
  std::int64_t const* span_;
  byte const* base_;
  std::int64_t left_, bytes_, lines_;
  byte const* at_ = nullptr;
  byte const* end_ = nullptr;
};

}  // namespace tilewright::cpu_engine
