// The few pieces of Python's syntax that a .npy header is made of: strings, integers, tuples of integers, punctuation.
// Each departure is an npy_error with the position in the text.
#pragma once

#include "tilewright/engine/npy.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::npy {

class python_text {
 public:
  /// `is_latin`: the text is Latin-1, as in versions 1.0 and 2.0, which Python 2 may have written; else UTF-8.
  python_text(std::string_view text, std::size_t position, bool is_latin)
      : text_(text),
        position_(position),
        is_latin_(is_latin) {}

  std::size_t position() const { return position_; }
  bool at_end() const { return position_ >= text_.size(); }

  [[noreturn]] void refuse(std::string const& sentence) const { refuse_at(sentence, position_); }
  [[noreturn]] void refuse_at(std::string const& sentence, std::size_t position) const {
    throw npy_error(sentence, position);
  }
  /// The next character, for a sentence.
  std::string found() const;

  void skip_blanks();
  /// The next character that is not blank; '\0' at the end.
  char peek();
  bool accept(char wanted);
  /// error: npy_error "expected '(' WHERE, found ..."
  void expect(char wanted, std::string const& where);
  bool accept_word(std::string_view word);

  struct string_token {
    std::string token;    // with its quotes and escapes, in UTF-8
    std::string content;  // without its quotes
    std::size_t begin = 0;
    bool is_plain = true;  // printable ASCII without escapes
  };
  /// 'text' or "text".
  string_token read_string_token(char const* what);

  /// An integer of at most 63 bits; Python 2 wrote 3L for 3.
  std::int64_t read_integer(char const* what);
  /// (2, 3), (5,) or (): at most 64 integers.
  std::vector<std::int64_t> read_tuple();

 private:
  void read_escape(std::size_t begin);

  std::string_view text_;
  std::size_t position_;
  bool is_latin_;
};

/// "(2, 3)", "(5,)", "()": as Python writes a tuple.
std::string text_of_shape(std::vector<std::int64_t> const& shape);

}  // namespace tilewright::npy
