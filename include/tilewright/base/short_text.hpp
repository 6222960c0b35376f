// Text of bounded length that allocates nothing: what error sentences are built in. Host only; <string> would take half
// of the time to read this library's headers.
#pragma once

#include "tilewright/base/config.hpp"

#if TILEWRIGHT_HOSTED

namespace tilewright {

/// Appends; what exceeds the capacity is cut off.
class short_text {
 public:
  static constexpr int capacity = 768;

  template <class... Part>
  explicit short_text(Part const&... parts) {
    add(parts...);
  }

  template <class... Part>
  short_text& add(Part const&... parts) {
    (append(parts), ...);
    return *this;
  }
  char const* c_str() const { return text_; }

 private:
  void append(char const* text) {
    while (*text != '\0' && length_ + 1 < capacity) text_[length_++] = *text++;
  }
  void append(short_text const& other) { append(other.text_); }
  void append(long long n) {
    char digits[24]{};
    int at = static_cast<int>(sizeof(digits)) - 1;
    auto left = n < 0 ? 0ULL - static_cast<unsigned long long>(n) : static_cast<unsigned long long>(n);
    do digits[--at] = static_cast<char>('0' + static_cast<int>(left % 10));
    while ((left /= 10) != 0);
    if (n < 0) digits[--at] = '-';
    append(static_cast<char const*>(digits + at));
  }

  char text_[capacity]{};
  int length_ = 0;
};

}  // namespace tilewright

#endif
