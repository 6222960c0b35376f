// The two steps of reading a .npy header: find its text behind magic, version and length; read the Python dictionary
// that the text is.
#pragma once

#include "tilewright/engine/npy.hpp"

#include <string_view>

namespace tilewright::npy {

/// The dictionary's text and where it begins in the file.
struct header_text {
  std::string text;
  std::size_t begin = 0;
  bool is_latin = true;  // versions 1.0 and 2.0, which Python 2 may have written
};

/// Where in the file the values begin, for messages.
struct places {
  std::size_t descr = 0;
  std::size_t shape = 0;
};

/// error: npy_error "SENTENCE at byte AT"
[[noreturn]] void fail(std::string const& sentence, std::size_t at);

/// error: npy_error
header_text find_header_text(std::span<std::byte const> head, std::int64_t file_bytes);

/// {'descr': STRING, 'fortran_order': BOOL, 'shape': TUPLE}: these three keys, once each, in any order.
/// error: npy_error
npy_header read_header_text(header_text const& text, places& at);

/// "(2, 3)", "(5,)", "()": as Python writes a tuple.
std::string text_of_shape(std::vector<std::int64_t> const& shape);

}  // namespace tilewright::npy
