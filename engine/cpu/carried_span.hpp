// Spans that follow each other in the destination, each put together in the same buffer: whole lines go past the caches, and
// what a span leaves of its last line is written with the next span. So no line is written in parts, which would have to be read.
#pragma once

#include "engine/cpu/kernels.hpp"

#include <algorithm>
#include <cstring>

namespace tilewright::cpu_engine {

class carried_span {
 public:
  static constexpr std::int64_t room = 64;  // bytes before the span in its buffer, where those that are left wait

  /// Writes `span` to dst, but for what it leaves of a line if the next call `goes_on` at dst + count.
  /// pre: after a call that goes on, dst is where that span ended and `span` the same buffer
  void write(byte* dst, byte* span, std::int64_t count, bool goes_on, std::int64_t streamed) {
    byte* from = span - left_;
    byte* to = dst - left_;
    std::int64_t bytes = left_ + count;
    left_ = 0;
    if (!goes_on) return copy_run(to, from, bytes, true, streamed);
    std::int64_t const head =
        std::min(bytes, static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(to) & (line - 1)));
    std::memcpy(to, from, static_cast<std::size_t>(head));
    from += head, to += head, bytes -= head;
    std::int64_t const whole = bytes / line * line;
    copy_run(to, from, whole, true, line);
    left_ = bytes - whole;
    std::memmove(span - left_, from + whole, static_cast<std::size_t>(left_));
  }

 private:
  static constexpr std::int64_t line = 64;
  static_assert(room >= line);
  std::int64_t left_ = 0;  // bytes right before the span
};

}  // namespace tilewright::cpu_engine
