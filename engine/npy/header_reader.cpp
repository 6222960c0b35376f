// Reads the Python dictionary of a .npy header, which anybody may have written: each departure from the format is one
// sentence with the byte of the file where it stands.
#include "engine/npy/header_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

namespace tilewright::npy {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_axes = 64;

/// A byte as it can be shown in a sentence.
std::string shown(char byte) {
  auto const code = static_cast<unsigned char>(byte);
  return code >= 0x20 && code < 0x7f ? std::string("'") + byte + "'" : "byte value " + std::to_string(code);
}

class dictionary_reader {
 public:
  explicit dictionary_reader(header_text const& from) : from_(from), text_(from.text) {}

  npy_header read(places& at) {
    npy_header out;
    std::array<bool, keys.size()> found{};
    expect('{', "to begin the dictionary");
    while (peek() != '}') {
      skip_blanks();
      std::size_t const key_at = position_;
      std::string const key = read_string("a key");
      auto const which = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
      if (which == keys.size())
        refuse("unknown key '" + key + "'; the keys are 'descr', 'fortran_order' and 'shape'", key_at);
      if (found[which]) refuse("the key '" + key + "' stands there twice", key_at);
      found[which] = true;
      expect(':', "behind the key '" + key + "'");
      skip_blanks();
      if (which == 0) at.descr = place() + 1, out.descr = read_descr();
      if (which == 1) out.fortran_order = read_bool();
      if (which == 2) at.shape = place(), out.shape = read_shape();
      if (peek() != '}') expect(',', "or '}' behind the value of '" + key + "'");
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (!found[i]) refuse(std::string("the key '") + keys[i] + "' is missing", position_);
    ++position_;
    skip_blanks();
    if (position_ < text_.size()) refuse("expected blanks behind the dictionary, found " + found_text(), position_);
    return out;
  }

 private:
  static constexpr std::array<char const*, 3> keys{"descr", "fortran_order", "shape"};

  std::size_t place() const { return from_.begin + position_; }
  [[noreturn]] void refuse(std::string const& sentence, std::size_t position) const {
    fail(sentence, from_.begin + position);
  }
  std::string found_text() const {
    return position_ < text_.size() ? shown(text_[position_]) : "the end of the header";
  }
  void skip_blanks() {
    while (position_ < text_.size() && std::strchr(" \t\r\n", text_[position_]) != nullptr && text_[position_] != '\0')
      ++position_;
  }
  char peek() {
    skip_blanks();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool accept(char wanted) {
    if (peek() != wanted || position_ == text_.size()) return false;
    ++position_;
    return true;
  }
  void expect(char wanted, std::string const& where) {
    if (!accept(wanted))
      refuse(std::string("expected '") + wanted + "' " + where + ", found " + found_text(), position_);
  }

  /// 'text' or "text". Neither keys nor type strings need a backslash.
  std::string read_string(char const* what) {
    skip_blanks();
    char const quote = peek();
    if (quote != '\'' && quote != '"')
      refuse(std::string("expected ") + what + " in quotes, found " + found_text(), position_);
    std::size_t const begin = ++position_;
    while (position_ < text_.size() && text_[position_] != quote) {
      auto const code = static_cast<unsigned char>(text_[position_]);
      if (code < 0x20 || code >= 0x7f || text_[position_] == '\\')
        refuse("expected plain characters in a string, found " + found_text(), position_);
      ++position_;
    }
    if (position_ == text_.size()) refuse("a string that begins here does not end", begin - 1);
    return text_.substr(begin, position_++ - begin);
  }

  std::string read_descr() {
    if (peek() == '[' || peek() == '(')
      refuse("structured elements cannot be moved as numbers; save each field as an array of its own", position_);
    return read_string("the element type");
  }

  bool read_bool() {
    skip_blanks();
    for (bool const value : {true, false}) {
      std::string_view const word = value ? "True" : "False";
      if (std::string_view(text_).substr(position_, word.size()) != word) continue;
      position_ += word.size();
      return value;
    }
    refuse("expected True or False, found " + found_text(), position_);
  }

  /// An extent; Python 2 wrote 3L for 3.
  std::int64_t read_extent() {
    skip_blanks();
    std::size_t const begin = position_;
    if (position_ < text_.size() && text_[position_] == '-') refuse("an extent cannot be negative", begin);
    long long extent = 0;
    while (position_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[position_])) != 0)
      if (!math::multiply(extent, 10, extent) || !math::add(extent, text_[position_++] - '0', extent))
        refuse("an extent does not fit 63 bits", begin);
    if (position_ == begin) refuse("expected an extent or ')', found " + found_text(), position_);
    if (from_.is_latin && position_ < text_.size() && text_[position_] == 'L') ++position_;
    return extent;
  }

  std::vector<std::int64_t> read_shape() {
    std::vector<std::int64_t> shape;
    std::size_t const begin = position_;
    expect('(', "to begin the shape");
    bool comma = true;  // in front of the next extent
    while (!accept(')')) {
      if (!comma) refuse("expected ',' or ')' in the shape, found " + found_text(), position_);
      if (shape.size() == most_axes) refuse("an array of more than 64 axes", begin);
      shape.push_back(read_extent());
      comma = accept(',');
    }
    if (shape.size() == 1 && !comma)
      refuse("the shape is a number in parentheses; a tuple of one is written (" + std::to_string(shape[0]) + ",)",
             begin);
    return shape;
  }

  header_text const& from_;
  std::string const& text_;
  std::size_t position_ = 0;
};

}  // namespace

void fail(std::string const& sentence, std::size_t at) {
  throw npy_error(sentence + " at byte " + std::to_string(at), at);
}

header_text find_header_text(std::span<std::byte const> head, std::int64_t file_bytes) {
  auto const byte_at = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  auto const text_at = [&](std::size_t begin, std::size_t length) {
    return std::string(reinterpret_cast<char const*>(head.data()) + begin, length);
  };
  auto const need = [&](std::size_t bytes, char const* what) {
    if (head.size() < bytes)
      throw npy_error("the file has " + std::to_string(file_bytes) + " bytes and ends inside " + what +
                          ", which goes on to byte " + std::to_string(bytes),
                      head.size());
  };
  for (std::size_t i = 0; i < std::min(magic.size(), head.size()); ++i)
    if (static_cast<char>(head[i]) != magic[i])
      fail("a .npy file begins with \\x93NUMPY, and this one has " + shown(static_cast<char>(head[i])), i);
  need(8, "the version of its format");
  unsigned const major = byte_at(6), minor = byte_at(7);
  if (major < 1 || major > 3 || minor != 0)
    fail("version " + std::to_string(major) + "." + std::to_string(minor) +
             " of the format is unknown; 1.0, 2.0 and 3.0 are read; it stands",
         6);
  std::size_t const begin = major == 1 ? 10 : 12;
  need(begin, "the length of its header");
  std::size_t length = 0;
  for (std::size_t i = begin; i-- > 8;) length = length << 8 | byte_at(i);
  if (length > npy_longest_header - begin)
    fail("a header of " + std::to_string(length) + " bytes is longer than the " +
             std::to_string(npy_longest_header - begin) + " that are read; its length stands",
         8);
  need(begin + length, "its header");
  return {text_at(begin, length), begin, major < 3};
}

npy_header read_header_text(header_text const& text, places& at) { return dictionary_reader(text).read(at); }

}  // namespace tilewright::npy
