// Errors are values: a code, two operands, and the sentence made of them. An operation that cannot answer returns its
// first error instead of a layout; the run-time face throws it as layout_error or hands it on as result<T>, the typed
// face prints the same words in one static_assert (algebra/diagnose.hpp).
#pragma once

#include "tilewright/base/config.hpp"

#if TILEWRIGHT_HOSTED
#include <exception>
#endif

namespace tilewright {

#define TILEWRIGHT_X(code, rule, first, second, remedy) code,
enum class errc : int {
  ok = 0,
#include "tilewright/base/error_list.def"
};
#undef TILEWRIGHT_X

/// The first thing that went wrong, with the two numbers the sentence speaks of.
struct error {
  errc code = errc::ok;
  long long first = 0;
  long long second = 0;

  TILEWRIGHT_CONSTEXPR explicit operator bool() const { return code != errc::ok; }
  friend TILEWRIGHT_CONSTEXPR bool operator==(error const&, error const&) = default;
};

/// The parts of an error's sentence: the broken rule, what the two operands are, what to do.
struct error_text {
  char const* name;
  char const* rule;
  char const* first;
  char const* second;
  char const* remedy;
};

TILEWRIGHT_CONSTEXPR error_text describe(errc code) {
  switch (code) {
    case errc::ok: return {"ok", "no error", "", "", ""};
#define TILEWRIGHT_X(code, rule, first, second, remedy) \
  case errc::code:                                      \
    return {#code, rule, first, second, remedy};
#include "tilewright/base/error_list.def"
#undef TILEWRIGHT_X
  }
  return {"unknown", "unknown error", "", "", ""};
}

#if TILEWRIGHT_HOSTED
/// An error in one sentence: rule (operands with values); remedy (page). The text is held in place: half of the time to
/// read this library's headers would go into <string> otherwise (to_string is in base/error_text.hpp).
class error_sentence {
 public:
  explicit error_sentence(error const& e) {
    error_text const parts = describe(e.code);
    add(parts.rule);
    if (e)
      add(" (", parts.first, " ", e.first, ", ", parts.second, " ", e.second, "); ", parts.remedy, " (docs/errors.md#",
          parts.name, ")");
  }
  char const* c_str() const { return text_; }

 private:
  static constexpr int capacity = 512;

  template <class... Part>
  void add(Part const&... parts) {
    (append(parts), ...);
  }
  void append(char const* text) {
    while (*text != '\0' && length_ + 1 < capacity) text_[length_++] = *text++;
  }
  void append(long long n) {
    char digits[24]{};
    int at = sizeof(digits) - 1;
    auto left = n < 0 ? 0ULL - static_cast<unsigned long long>(n) : static_cast<unsigned long long>(n);
    do digits[--at] = static_cast<char>('0' + left % 10);
    while ((left /= 10) != 0);
    if (n < 0) digits[--at] = '-';
    append(digits + at);
  }

  char text_[capacity]{};
  int length_ = 0;
};

/// What the run-time face throws; `what()` is the sentence.
class layout_error : public std::exception {
 public:
  explicit layout_error(error const& e) : cause_(e), sentence_(e) {}
  error const& cause() const { return cause_; }
  char const* what() const noexcept override { return sentence_.c_str(); }

 private:
  error cause_;
  error_sentence sentence_;
};

/// What a precondition costs in a constexpr function that returns no result: an exception, or no constant.
[[noreturn]] inline void raise(error const& e) { throw layout_error(e); }
#else
TILEWRIGHT_HOST_DEVICE inline void raise(error const&) {}
#endif

/// A value, or the error that stood in its way.
/// pre: `*r` and `r->` need `r`; `r.value()` throws layout_error instead.
template <class T>
class [[nodiscard]] result {
 public:
  TILEWRIGHT_CONSTEXPR result(T value) : value_(value) {}
  TILEWRIGHT_CONSTEXPR result(tilewright::error e) : value_{}, error_(e) {}

  TILEWRIGHT_CONSTEXPR explicit operator bool() const { return error_.code == errc::ok; }
  TILEWRIGHT_CONSTEXPR tilewright::error error() const { return error_; }
  TILEWRIGHT_CONSTEXPR T const& operator*() const { return value_; }
  TILEWRIGHT_CONSTEXPR T const* operator->() const { return &value_; }
#if TILEWRIGHT_HOSTED
  constexpr T const& value() const {
    if (error_) throw layout_error(error_);
    return value_;
  }
#endif

 private:
  T value_;
  tilewright::error error_{};
};

}  // namespace tilewright
