// Reads the Python dictionary of a .npy header, which any program may have written: each departure from the format is
// one sentence with the byte of the file where it is.
#include "engine/npy/header_reader.hpp"

#include <algorithm>
#include <array>

namespace tilewright::npy {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::array<char const*, 3> keys{"descr", "fortran_order", "shape"};

/// A byte of a binary file, for a sentence.
std::string shown(unsigned code) {
  return code >= 0x20 && code < 0x7f ? std::string("'") + static_cast<char>(code) + "'"
                                     : "byte value " + std::to_string(code);
}

parsed_descr read_descr(python_text& in, std::string_view text, bool is_latin) {
  if (in.peek() == '[') {
    std::size_t position = in.position();
    parsed_descr out = parse_fields(text, position, is_latin);
    in = python_text(text, position, is_latin);
    return out;
  }
  python_text::string_token const found = in.read_string_token("the element type");
  if (!found.is_plain)
    in.refuse_at("expected a type string of printable ASCII characters, found " + found.token, found.begin);
  try {
    return parse_type_string(found.content);
  } catch (npy_error const& e) {
    in.refuse_at(e.what(), found.begin + e.position());
  }
}

bool read_bool(python_text& in) {
  if (in.accept_word("True")) return true;
  if (in.accept_word("False")) return false;
  in.refuse("expected True or False, found " + in.found());
}

/// post: positions are those in the text
header_values read_dictionary(std::string_view text, bool is_latin) {
  python_text in(text, 0, is_latin);
  header_values out;
  std::array<bool, keys.size()> found{};
  in.expect('{', "to begin the dictionary");
  while (in.peek() != '}') {
    std::size_t const key_at = in.position();
    std::string const key = in.read_string_token("a key").content;
    auto const which = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    if (which == keys.size())
      in.refuse_at("the key '" + key + "' is unknown; the keys are 'descr', 'fortran_order' and 'shape'", key_at);
    if (found[which]) in.refuse_at("the key '" + key + "' is given twice", key_at);
    found[which] = true;
    in.expect(':', "after the key '" + key + "'");
    in.skip_blanks();
    if (which == 0) {
      parsed_descr descr = read_descr(in, text, is_latin);
      out.header.descr = std::move(descr.text);
      out.element = std::move(descr.element);
    }
    if (which == 1) out.header.fortran_order = read_bool(in);
    if (which == 2) out.shape_at = in.position(), out.header.shape = in.read_tuple();
    if (in.peek() != '}') in.expect(',', "or '}' after the value of '" + key + "'");
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!found[i]) in.refuse(std::string("the key '") + keys[i] + "' is missing");
  in.expect('}', "to end the dictionary");
  in.skip_blanks();
  if (!in.at_end()) in.refuse("expected blanks after the dictionary, found " + in.found());
  return out;
}

}  // namespace

void fail(std::string const& sentence, std::size_t at) {
  throw npy_error(sentence + " at byte " + std::to_string(at), at);
}

header_text find_header_text(std::span<std::byte const> head) {
  auto const byte_at = [&](std::size_t i) { return static_cast<unsigned>(head[i]); };
  auto const need = [&](std::size_t bytes, char const* what) {
    if (head.size() < bytes)
      throw npy_error("the file has " + std::to_string(head.size()) + " bytes and ends inside " + what +
                          ", which has its last at byte " + std::to_string(bytes - 1),
                      head.size());
  };
  for (std::size_t i = 0; i < std::min(magic.size(), head.size()); ++i)
    if (static_cast<char>(head[i]) != magic[i])
      fail("a .npy file begins with \\x93NUMPY, and this one has " + shown(byte_at(i)), i);
  need(8, "the version of its format");
  unsigned const major = byte_at(6), minor = byte_at(7);
  if (major < 1 || major > 3 || minor != 0)
    fail("versions 1.0, 2.0 and 3.0 of the format are read, and this file has version " + std::to_string(major) + "." +
             std::to_string(minor),
         6);
  std::size_t const begin = major == 1 ? 10 : 12;
  need(begin, "the length of its header");
  std::size_t length = 0;
  for (std::size_t i = begin; i-- > 8;) length = length << 8 | byte_at(i);
  if (length > npy_longest_header - begin)
    fail("headers of up to " + std::to_string(npy_longest_header - begin) +
             " bytes are read, and this file has one of " + std::to_string(length),
         8);
  need(begin + length, "its header");
  return {std::string(reinterpret_cast<char const*>(head.data()) + begin, length), begin, static_cast<int>(major)};
}

header_values read_header_text(header_text const& text) {
  try {
    header_values out = read_dictionary(text.text, text.version < 3);
    out.shape_at += text.begin;
    return out;
  } catch (npy_error const& e) {
    fail(e.what(), text.begin + e.position());
  }
}

}  // namespace tilewright::npy
