// The header of a .npy file, NumPy's format for one array: what the elements are, which extents they have, in which
// order they lie, and where they begin. Read from bytes and written to bytes; files are the caller's.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/engine/element_type.hpp"
#include "tilewright/layout/layout_value.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilewright {

/// Bytes that are no .npy header: one sentence that names the byte, and its position from the start of the file.
class npy_error : public std::runtime_error {
 public:
  npy_error(std::string const& sentence, std::size_t position) : std::runtime_error(sentence), position_(position) {}
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

struct npy_header {
  std::string descr = "<f4";  // NumPy's type string: byte order, kind, bytes; the unit of a date behind it
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  // empty: one element without an axis
  friend bool operator==(npy_header const&, npy_header const&) = default;
};

/// A header with all that follows from it.
struct npy_array {
  npy_header header;
  element_type element = element_type::f32;  // without the byte order: a copy moves bits
  std::int64_t elements = 0;
  std::int64_t data_begin = 0;  // bytes from the start of the file
  std::int64_t data_bytes = 0;
};

/// The longest header that is read, in bytes. NumPy's own have 118 for most arrays.
inline constexpr std::size_t npy_longest_header = std::size_t{1} << 20;

/// Versions 1.0, 2.0 and 3.0 of the format. `head` is the beginning of the file or all of it, at least
/// npy_longest_header bytes where the file has as many; `file_bytes` is the size of the file.
/// post: data_begin + data_bytes == file_bytes
/// error: npy_error for all else, also for more than 64 axes, element types that are no 1, 2, 4, 8 or 16 bytes, sizes
///        beyond 63 bits, and data shorter or longer than the header says
npy_array read_npy(std::span<std::byte const> head, std::int64_t file_bytes);

/// The bytes that NumPy 1.23 and later write in front of the data, for a header of at most 65535 bytes as version 1.0.
/// law: read_npy(write_npy_header(h) + data).header == h
/// post: a multiple of 64 bytes
/// error: npy_error for a descr or a shape that read_npy would refuse
std::string write_npy_header(npy_header const& header);

/// The element type behind a type string, such as f32 for "<f4" and ">f4".
/// error: npy_error; its position is that in `descr`
element_type element_type_of_descr(std::string_view descr);

/// How the elements lie in the file: one mode an axis, in elements. A header without axes gives 1:0.
/// error: npy_error for a size beyond 63 bits
layout_value layout_of(npy_header const& header);

}  // namespace tilewright
