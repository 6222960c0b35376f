// Errors are values: a code, two operands, and the sentence made of them. An operation that cannot answer returns its
// first error instead of a layout; the run-time face throws it as layout_error or hands it on as result<T>, the typed
// face prints the same words in one static_assert (base/error_sentences.hpp).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/errc.hpp"
#include "tilewright/base/short_text.hpp"

#if TILEWRIGHT_HOSTED
#include <exception>
#if !TILEWRIGHT_EXCEPTIONS
#include <cstdio>
#include <cstdlib>
#endif
#endif

namespace tilewright {

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
/// An error in one sentence: rule (operands with values); remedy (page). std::string is in base/error_text.hpp.
inline short_text sentence_of(error const& e) {
  error_text const parts = describe(e.code);
  short_text out(parts.rule);
  if (e)
    out.add(" (", parts.first, " ", e.first, ", ", parts.second, " ", e.second, "); ", parts.remedy,
            " (docs/errors.md#", parts.name, ")");
  return out;
}
/// The same with operands that are no numbers, as the caller wrote them: "copy", "source (8,4)", "destination (4,8)".
inline short_text sentence_of(errc code, char const* function, short_text const& first, short_text const& second) {
  error_text const parts = describe(code);
  return short_text(function, *function == '\0' ? "" : ": ", parts.rule, " (", first, ", ", second, "); ", parts.remedy,
                    " (docs/errors.md#", parts.name, ")");
}

/// What the run-time face throws; `what()` is the sentence.
class layout_error : public std::exception {
 public:
  explicit layout_error(error const& e) : cause_(e), sentence_(sentence_of(e)) {}
  layout_error(error const& e, short_text const& sentence) : cause_(e), sentence_(sentence) {}
  error const& cause() const { return cause_; }
  char const* what() const noexcept override { return sentence_.c_str(); }

 private:
  error cause_;
  short_text sentence_;
};

/// How every part of the library reports an error: throws e, of its own class. Where a build has no exceptions
/// (-fno-exceptions), the sentence e.what() goes to standard error and the program ends by std::abort.
template <class Exception>
[[noreturn]] inline void raise_exception(Exception const& e) {
#if TILEWRIGHT_EXCEPTIONS
  throw e;
#else
  std::fprintf(stderr, "%s\n", e.what());
  std::abort();
#endif
}
[[noreturn]] inline void raise(layout_error const& e) { raise_exception(e); }
/// What a precondition costs in a constexpr function that returns no result: an exception, or no constant.
[[noreturn]] inline void raise(error const& e) { raise(layout_error(e)); }
#else
TILEWRIGHT_HOST_DEVICE inline void raise(error const&) {}
#endif

/// A value, or the error that explains why there is none.
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
    if (error_) raise(error_);
    return value_;
  }
#endif

 private:
  T value_;
  tilewright::error error_{};
};

}  // namespace tilewright
