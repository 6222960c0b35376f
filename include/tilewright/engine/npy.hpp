// The header of a .npy file, NumPy's format for one array: the type of the elements, their shape and order, and the byte
// where they begin. Read from bytes and written to bytes; the caller opens and closes files.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/engine/element_type.hpp"
#include "tilewright/layout/layout_value.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// Bytes that are not a .npy header: one sentence that names the byte, and its position from the start of the file.
class npy_error : public std::runtime_error {
 public:
  npy_error(std::string const& sentence, std::size_t position) : std::runtime_error(sentence), position_(position) {}
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

struct npy_header {
  /// NumPy's type string: byte order, kind, size, such as "<f4", "|S5" or "<M8[ns]"; for structured elements the list of
  /// their fields as Python writes it, in UTF-8: "[('x', '<f4'), ('n', '<i8', (2,))]".
  std::string descr = "<f4";
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  // empty: one element without an axis
  friend bool operator==(npy_header const&, npy_header const&) = default;
};

enum class byte_order : int { little, big };

/// Numbers inside an element whose bytes have an order: `count` of `bytes` bytes each, one after another from byte
/// `begin`. With `inner`, `count` groups of `bytes` bytes each, and `inner` counts from the start of a group.
struct npy_numbers {
  std::int64_t begin = 0;
  std::int64_t bytes = 0;
  std::int64_t count = 1;
  byte_order order = byte_order::little;
  std::vector<npy_numbers> inner;
};

/// How an element is stored.
struct npy_element {
  /// What a copy moves: the type itself where an element has 1, 2, 4, 8 or 16 bytes; else bits of the largest of these
  /// widths that divides the element. law: units() * bits_of(unit) / 8 == bytes
  element_type unit = element_type::f32;
  std::int64_t bytes = 4;            // 0 for strings and structures without content
  std::vector<npy_numbers> numbers;  // of two bytes and more, in the order of their bytes
  std::int64_t units() const { return bytes / (bits_of(unit) / 8); }
};

/// A header with the sizes that it gives.
struct npy_array {
  npy_header header;
  npy_element element;
  int version = 1;  // of the format, 1 to 3
  std::int64_t elements = 0;
  std::int64_t data_begin = 0;  // bytes from the start of the file
  std::int64_t data_bytes = 0;
};

/// The longest header that is read, in bytes. NumPy's own have 118 for most arrays.
inline constexpr std::size_t npy_longest_header = std::size_t{1} << 20;

/// Versions 1.0, 2.0 and 3.0 of the format. `head` is the beginning of the file or all of it, at least
/// npy_longest_header bytes where the file has as many; `file_bytes` is the size of the file.
/// post: data_begin + data_bytes == file_bytes
/// error: npy_error for all else, also for more than 64 axes, Python objects, sizes beyond 63 bits, and data shorter or
///        longer than the header says
npy_array read_npy(std::span<std::byte const> head, std::int64_t file_bytes);

/// The same without a look at the size of the file, for streams.
npy_array read_npy_header(std::span<std::byte const> head);

/// The bytes that NumPy 1.23 and later write in front of the data. Version 0 is the lowest that can hold the header: 1.0
/// up to 65535 bytes of Latin-1, 2.0 for longer ones, 3.0 for names of fields beyond Latin-1.
/// law: read_npy(write_npy_header(h) + data).header == h
/// post: a multiple of 64 bytes
/// error: npy_error for a descr or a shape that read_npy would refuse, and for a version that cannot hold the header
std::string write_npy_header(npy_header const& header, int version = 0);

/// The element that a descr describes.
/// error: npy_error; its position is that in `descr`
npy_element element_of_descr(std::string_view descr);

/// The descr of the same elements with all numbers in that byte order: ">f4" and little give "<f4".
/// error: npy_error; its position is that in `descr`
std::string descr_in_byte_order(std::string_view descr, byte_order order);

/// Reverses the bytes of every number that is not in that order, in place.
/// pre: elements.size() is a multiple of element.bytes
/// cost: one pass
void convert_byte_order(std::span<std::byte> elements, npy_element const& element, byte_order order);

/// How the elements are ordered in the file: one mode an axis, in elements. A header without axes gives 1:0.
/// error: npy_error for a size beyond 63 bits
layout_value layout_of(npy_header const& header);

}  // namespace tilewright
