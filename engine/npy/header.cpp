// What follows from a header: element type, sizes, layout; and the header as NumPy writes it.
#include "engine/npy/header_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace tilewright {
namespace {

constexpr std::size_t alignment = 64;            // of the data in the file, in bytes
constexpr std::size_t most_digits_of_axis = 21;  // NumPy leaves room for the growing axis to reach this many
constexpr std::size_t axes_capacity = int_tree::leaf_capacity;

struct kind_row {
  char kind;
  int bytes;
  element_type type;
};
using enum element_type;
constexpr std::array kind_rows{
    kind_row{'b', 1, boolean}, kind_row{'i', 1, i8},    kind_row{'i', 2, i16}, kind_row{'i', 4, i32},
    kind_row{'i', 8, i64},     kind_row{'u', 1, u8},    kind_row{'u', 2, u16}, kind_row{'u', 4, u32},
    kind_row{'u', 8, u64},     kind_row{'f', 2, f16},   kind_row{'f', 4, f32}, kind_row{'f', 8, f64},
    kind_row{'f', 16, b128},                                                    // an extended double in 16 bytes
    kind_row{'c', 8, c64},     kind_row{'c', 16, c128}, kind_row{'M', 8, b64},  // dates and spans of time, "M8[ns]"
    kind_row{'m', 8, b64},     kind_row{'V', 1, b8},  // bytes without a meaning for NumPy: bfloat16 and float8 arrive so
    kind_row{'V', 2, b16},     kind_row{'V', 4, b32},   kind_row{'V', 8, b64}, kind_row{'V', 16, b128},
};

[[noreturn]] void refuse_descr(std::string_view descr, std::size_t at, std::string const& why) {
  throw npy_error("the element type '" + std::string(descr) + "' " + why, at);
}

/// "[ns]" or "[25s]", as dates have it.
bool is_unit(std::string_view text) {
  return text.size() > 2 && text.front() == '[' && text.back() == ']' &&
         std::all_of(text.begin() + 1, text.end() - 1,
                     [](unsigned char ch) { return std::isalnum(ch) != 0 || ch == '/'; });
}

/// error: npy_error at the byte `at`
std::int64_t bytes_of(npy_header const& header, std::int64_t element_bytes, std::size_t at) {
  if (header.shape.size() > axes_capacity)
    throw npy_error("an array of " + std::to_string(header.shape.size()) + " axes; at most 64 are read", at);
  for (std::int64_t const extent : header.shape)
    if (extent < 0) throw npy_error("the extent " + std::to_string(extent) + " is negative", at);
  if (std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end()) return 0;
  long long bytes = element_bytes;
  for (std::int64_t const extent : header.shape) {
    if (!math::multiply(bytes, extent, bytes))
      throw npy_error("the shape " + npy::text_of_shape(header.shape) + " of elements of " +
                          std::to_string(element_bytes) + " bytes needs more than 2^63 bytes",
                      at);
  }
  return bytes;
}

}  // namespace

namespace npy {

std::string text_of_shape(std::vector<std::int64_t> const& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace npy

element_type element_type_of_descr(std::string_view descr) {
  std::size_t at = 0;
  if (at < descr.size() && std::string_view("<>|=").find(descr[at]) != std::string_view::npos) ++at;
  if (descr.substr(at) == "?") return boolean;
  if (at == descr.size()) refuse_descr(descr, at, "lacks its kind; '<f4' is a float of 4 bytes");
  char const kind = descr[at++];
  if (kind == 'O') refuse_descr(descr, at - 1, "means Python objects, which have no place in memory of their own");
  std::size_t const digits_at = at;
  long long bytes = 0;
  while (at < descr.size() && std::isdigit(static_cast<unsigned char>(descr[at])) != 0)
    if (!math::multiply(bytes, 10, bytes) || !math::add(bytes, descr[at++] - '0', bytes))
      refuse_descr(descr, digits_at, "has more digits than a size can");
  std::string_view const rest = descr.substr(at);
  if (at == digits_at) refuse_descr(descr, at, "lacks its size in bytes; '<f4' is a float of 4 bytes");
  if (!rest.empty() && !((kind == 'M' || kind == 'm') && is_unit(rest)))
    refuse_descr(descr, at, "goes on behind its size");
  for (kind_row const& row : kind_rows)
    if (row.kind == kind && row.bytes == bytes) return row.type;
  if (std::string_view("SUa").find(kind) != std::string_view::npos)
    refuse_descr(descr, digits_at - 1, "means strings; what can be moved are numbers of 1, 2, 4, 8 or 16 bytes");
  refuse_descr(descr, digits_at - 1,
               "is none that can be moved; those are bool, integers, floats and complex numbers of 1 to 16 bytes");
}

layout_value layout_of(npy_header const& header) {
  (void)bytes_of(header, 1, 0);
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

npy_array read_npy(std::span<std::byte const> head, std::int64_t file_bytes) {
  npy::header_text const text = npy::find_header_text(head, file_bytes);
  npy::places at;
  npy_array out;
  out.header = npy::read_header_text(text, at);
  try {
    out.element = element_type_of_descr(out.header.descr);
  } catch (npy_error const& e) {
    npy::fail(e.what(), at.descr + e.position());
  }
  std::int64_t const element_bytes = bits_of(out.element) / 8;
  try {
    out.data_bytes = bytes_of(out.header, element_bytes, at.shape);
  } catch (npy_error const& e) {
    npy::fail(e.what(), at.shape);
  }
  out.elements = out.data_bytes / element_bytes;
  out.data_begin = static_cast<std::int64_t>(text.begin + text.text.size());
  std::int64_t const there = file_bytes - out.data_begin;
  std::string const promise = "the header promises " + std::to_string(out.data_bytes) + " bytes of data (" +
                              npy::text_of_shape(out.header.shape) + " of '" + out.header.descr +
                              "') and the file has ";
  if (there < out.data_bytes)
    npy::fail(promise + (there == 0 ? "none" : std::to_string(there)) + "; it was cut off",
              static_cast<std::size_t>(out.data_begin));
  if (there > out.data_bytes)
    npy::fail(promise + std::to_string(there) + "; what is behind them is no part of the array",
              static_cast<std::size_t>(out.data_begin + out.data_bytes));
  return out;
}

std::string write_npy_header(npy_header const& header) {
  if (header.descr.find('\'') != std::string::npos || header.descr.find('\\') != std::string::npos)
    throw npy_error("the element type '" + header.descr + "' has a character that a type string cannot have", 0);
  (void)bytes_of(header, bits_of(element_type_of_descr(header.descr)) / 8, 0);
  std::string text = "{'descr': '" + header.descr + "', 'fortran_order': " + (header.fortran_order ? "True" : "False") +
                     ", 'shape': " + npy::text_of_shape(header.shape) + ", }";
  if (!header.shape.empty()) {
    std::int64_t const growing = header.fortran_order ? header.shape.back() : header.shape.front();
    text += std::string(most_digits_of_axis - std::to_string(growing).size(), ' ');
  }
  constexpr std::size_t before = 10;  // magic, version, length
  std::size_t const without_blanks = before + text.size() + 1;
  // NumPy pads a header that is aligned already by 64 more.
  text += std::string(alignment - without_blanks % alignment, ' ') + '\n';
  std::size_t const length = text.size();
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xff) + static_cast<char>(length >> 8) + text;
}

}  // namespace tilewright
