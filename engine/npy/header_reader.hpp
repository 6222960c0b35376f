// The two steps of reading a .npy header: find its text behind magic, version and length; read the Python dictionary
// that the text is.
#pragma once

#include "engine/npy/descr.hpp"
#include "engine/npy/python_text.hpp"

#include <string_view>

namespace tilewright::npy {

/// The dictionary's text and where it begins in the file.
struct header_text {
  std::string text;
  std::size_t begin = 0;
  int version = 1;
};

struct header_values {
  npy_header header;
  npy_element element;
  std::size_t shape_at = 0;  // in the file, for messages
};

/// error: npy_error "SENTENCE at byte AT"
[[noreturn]] void fail(std::string const& sentence, std::size_t at);

/// error: npy_error
header_text find_header_text(std::span<std::byte const> head);

/// {'descr': STRING or FIELDS, 'fortran_order': BOOL, 'shape': TUPLE}: these three keys, once each, in any order.
/// error: npy_error
header_values read_header_text(header_text const& text);

}  // namespace tilewright::npy
