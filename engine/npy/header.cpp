// From a header's text to sizes and a layout; and the header as NumPy writes it.
#include "engine/npy/header_reader.hpp"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::size_t alignment = 64;           // of the data in the file, in bytes
constexpr std::size_t max_digits_of_axis = 21;  // NumPy leaves room for the growing axis to reach this many
constexpr std::size_t axes_capacity = int_tree::leaf_capacity;
constexpr std::size_t longest_of_version_1 = 65535;

struct sizes {
  std::int64_t elements = 0, bytes = 0;
};

/// error: npy_error at the byte `at`
sizes sizes_of(npy_header const& header, std::int64_t element_bytes, std::size_t at) {
  if (header.shape.size() > axes_capacity)
    throw npy_error("the array has " + std::to_string(header.shape.size()) + " axes; at most 64 are read", at);
  for (std::int64_t const extent : header.shape)
    if (extent < 0) throw npy_error("the extent " + std::to_string(extent) + " is negative", at);
  if (std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end()) return {};
  long long elements = 1, bytes = 0;
  bool fits = true;
  for (std::int64_t const extent : header.shape) fits = fits && math::multiply(elements, extent, elements);
  if (!fits || !math::multiply(elements, element_bytes, bytes))
    throw npy_error("the shape " + npy::text_of_shape(header.shape) + " of elements of " +
                        std::to_string(element_bytes) + " bytes needs more than 2^63 bytes",
                    at);
  return {elements, bytes};
}

/// In Latin-1, where that has all characters.
std::string latin_text(std::string const& utf8, bool& fits) {
  std::string out;
  fits = true;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    auto const code = static_cast<unsigned char>(utf8[i]);
    if (code < 0x80) {
      out += utf8[i];
      continue;
    }
    fits = fits && code < 0xc4 && i + 1 < utf8.size();
    if (!fits) return {};
    out += static_cast<char>((code & 0x03) << 6 | (static_cast<unsigned char>(utf8[++i]) & 0x3f));
  }
  return out;
}

/// Magic, version, length and the text, padded.
std::string framed(std::string text, int version) {
  std::size_t const before = version == 1 ? 10 : 12;
  std::size_t const without_blanks = before + text.size() + 1;
  // NumPy pads a header that is aligned already by 64 more.
  text += std::string(alignment - without_blanks % alignment, ' ') + '\n';
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  for (std::size_t i = 8, length = text.size(); i < before; ++i, length >>= 8) out += static_cast<char>(length & 0xff);
  return out + text;
}

}  // namespace

layout_value layout_of(npy_header const& header) {
  (void)sizes_of(header, 1, 0);
  if (header.shape.empty()) return layout_value(leaf_tree(constant_leaf(1)));
  layout_value out{};
  out.open(static_cast<int>(header.shape.size()));
  for (std::int64_t const extent : header.shape) out.add_leaf(constant_leaf(extent));
  long long stride = 1;
  for (int i = 0; i < out.leaves; ++i) {
    int const axis = header.fortran_order ? i : out.leaves - 1 - i;
    out.stride[axis] = constant_leaf(stride);
    // With an extent of 0 there are no elements, and strides of the other axes may be anything that does not overflow.
    if (!math::multiply(stride, std::max(1LL, out.shape[axis].number), stride)) stride = 0;
  }
  return out;
}

npy_array read_npy_header(std::span<std::byte const> head) {
  npy::header_text const text = npy::find_header_text(head);
  npy::header_values values = npy::read_header_text(text);
  npy_array out;
  out.header = std::move(values.header);
  out.element = std::move(values.element);
  out.version = text.version;
  try {
    sizes const s = sizes_of(out.header, out.element.bytes, values.shape_at);
    out.elements = s.elements;
    out.data_bytes = s.bytes;
  } catch (npy_error const& e) {
    npy::fail(e.what(), values.shape_at);
  }
  out.data_begin = static_cast<std::int64_t>(text.begin + text.text.size());
  return out;
}

npy_array read_npy(std::span<std::byte const> head, std::int64_t file_bytes) {
  npy_array out = read_npy_header(head);
  std::int64_t const there = file_bytes - out.data_begin;
  if (there == out.data_bytes) return out;
  std::string const sentence = "the header declares " + std::to_string(out.data_bytes) + " bytes of data, " +
                               npy::text_of_shape(out.header.shape) + " of " + out.header.descr +
                               ", and the file has " + (there == 0 ? "none" : std::to_string(there));
  if (there < out.data_bytes)
    npy::fail(sentence + "; the file is incomplete: its data begins", static_cast<std::size_t>(out.data_begin));
  npy::fail(sentence + "; what follows the array begins", static_cast<std::size_t>(out.data_begin + out.data_bytes));
}

std::string write_npy_header(npy_header const& header, int version) {
  if (version < 0 || version > 3)
    throw npy_error("versions 1, 2 and 3 of the format are written, not " + std::to_string(version), 0);
  npy::parsed_descr const descr = npy::parse_descr(header.descr);
  if (header.descr.find('\'') != std::string::npos && header.descr.front() != '[')
    throw npy_error("the element type '" + header.descr + "' has a quote in it", 0);
  (void)sizes_of(header, descr.element.bytes, 0);
  bool const is_list = descr.text.front() == '[';
  std::string text = "{'descr': " + (is_list ? descr.text : "'" + descr.text + "'") +
                     ", 'fortran_order': " + (header.fortran_order ? "True" : "False") +
                     ", 'shape': " + npy::text_of_shape(header.shape) + ", }";
  if (!header.shape.empty()) {
    std::int64_t const growing = header.fortran_order ? header.shape.back() : header.shape.front();
    text += std::string(max_digits_of_axis - std::to_string(growing).size(), ' ');
  }
  bool is_latin = true;
  std::string const latin = latin_text(text, is_latin);
  if (version == 3 || (version == 0 && !is_latin)) return framed(text, 3);
  if (!is_latin)
    throw npy_error("version " + std::to_string(version) +
                        " of the format cannot hold the names of the fields, which are not Latin-1; version 3 can",
                    0);
  if (version == 2) return framed(latin, 2);
  std::string const first = framed(latin, 1);
  if (first.size() - 10 <= longest_of_version_1) return first;
  if (version == 0) return framed(latin, 2);
  throw npy_error(
      "version 1 of the format cannot hold a header of " + std::to_string(first.size() - 10) + " bytes; version 2 can",
      0);
}

}  // namespace tilewright
