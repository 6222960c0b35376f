// Reads strings, integers and tuples as Python writes them.
#include "engine/npy/python_text.hpp"

#include <cctype>
#include <cstring>

namespace tilewright::npy {
namespace {

constexpr std::size_t max_axes = 64;

/// A byte as it can be shown in a sentence.
std::string shown(char byte) {
  auto const code = static_cast<unsigned char>(byte);
  return code >= 0x20 && code < 0x7f ? std::string("'") + byte + "'" : "byte value " + std::to_string(code);
}

/// Bytes of the UTF-8 sequence that begins with `lead`; 0 where none does.
std::size_t sequence_bytes(unsigned char lead) {
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

}  // namespace

std::string python_text::found() const { return at_end() ? "the end of the header" : shown(text_[position_]); }

void python_text::skip_blanks() {
  while (!at_end() && text_[position_] != '\0' && std::strchr(" \t\r\n", text_[position_]) != nullptr) ++position_;
}

char python_text::peek() {
  skip_blanks();
  return at_end() ? '\0' : text_[position_];
}

bool python_text::accept(char wanted) {
  if (peek() != wanted || at_end()) return false;
  ++position_;
  return true;
}

void python_text::expect(char wanted, std::string const& where) {
  if (!accept(wanted)) refuse(std::string("expected '") + wanted + "' " + where + ", found " + found());
}

bool python_text::accept_word(std::string_view word) {
  skip_blanks();
  if (text_.substr(position_, word.size()) != word) return false;
  position_ += word.size();
  return true;
}

/// pre: text_[position_] is a backslash
/// post: position_ is behind the escape
void python_text::read_escape(std::size_t begin) {
  std::size_t const at = position_++;
  if (at_end()) refuse_at("a string that begins here does not end", begin);
  char const kind = text_[position_++];
  std::size_t const digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
  bool holds = digits > 0 || std::strchr("\\'\"nrtabfv", kind) != nullptr;
  for (std::size_t i = 0; holds && i < digits; ++i, ++position_)
    holds = !at_end() && std::isxdigit(static_cast<unsigned char>(text_[position_])) != 0;
  if (!holds || kind == '\0')
    refuse_at("the escape in a string is unknown; known are \\\\, \\', \\n, \\xHH and the like", at);
}

python_text::string_token python_text::read_string_token(char const* what) {
  char const quote = peek();
  if (quote != '\'' && quote != '"') refuse(std::string("expected ") + what + " in quotes, found " + found());
  string_token out;
  std::size_t const begin = position_++;
  out.begin = position_;
  out.token = quote;
  while (!at_end() && text_[position_] != quote) {
    std::size_t const at = position_;
    auto const code = static_cast<unsigned char>(text_[at]);
    if (code == '\\') read_escape(begin);
    else if (code < 0x20 || code == 0x7f) refuse("expected a printable character in a string, found " + found());
    else position_ += 1;
    out.is_plain = out.is_plain && code != '\\' && code < 0x7f;
    if (code >= 0x80 && is_latin_) {
      out.token += static_cast<char>(0xc0 | code >> 6);
      out.token += static_cast<char>(0x80 | (code & 0x3f));
      continue;
    }
    std::size_t const bytes = code < 0x80 ? position_ - at : sequence_bytes(code);
    bool holds = bytes > 0 && at + bytes <= text_.size();
    for (std::size_t i = 1; holds && code >= 0x80 && i < bytes; ++i)
      holds = (static_cast<unsigned char>(text_[at + i]) & 0xc0) == 0x80;
    if (!holds) refuse_at("expected UTF-8 in a string, found " + shown(text_[at]), at);
    out.token += text_.substr(at, bytes);
    position_ = at + bytes;
  }
  if (at_end()) refuse_at("a string that begins here does not end", begin);
  out.content = out.token.substr(1);
  ++position_;
  out.token += quote;
  return out;
}

std::int64_t python_text::read_integer(char const* what) {
  skip_blanks();
  std::size_t const begin = position_;
  if (!at_end() && text_[position_] == '-') refuse_at("an extent cannot be negative", begin);
  long long number = 0;
  while (!at_end() && std::isdigit(static_cast<unsigned char>(text_[position_])) != 0)
    if (!math::multiply(number, 10, number) || !math::add(number, text_[position_++] - '0', number))
      refuse_at("an extent is beyond 63 bits", begin);
  if (position_ == begin) refuse(std::string("expected ") + what + ", found " + found());
  if (is_latin_ && !at_end() && text_[position_] == 'L') ++position_;
  return number;
}

std::vector<std::int64_t> python_text::read_tuple() {
  skip_blanks();
  std::vector<std::int64_t> out;
  std::size_t const begin = position_;
  expect('(', "to begin the shape");
  bool comma = true;  // in front of the next extent
  while (!accept(')')) {
    if (!comma) refuse("expected ',' or ')' in the shape, found " + found());
    if (out.size() == max_axes) refuse_at("the array has more than 64 axes", begin);
    out.push_back(read_integer("an extent or ')'"));
    comma = accept(',');
  }
  if (out.size() == 1 && !comma)
    refuse_at("the shape is a number in parentheses; a tuple of one is written (" + std::to_string(out[0]) + ",)",
              begin);
  return out;
}

std::string text_of_shape(std::vector<std::int64_t> const& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace tilewright::npy
