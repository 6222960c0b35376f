// Hostile .npy files: what is read has sizes that agree with one another and is written and read back the same; what is
// refused is refused with a place inside the file.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tilewright/algebra/value_face.hpp"
#include "tilewright/engine/npy.hpp"

namespace {

using namespace tilewright;

void expect(bool holds, char const* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

/// Through big-endian bytes is the same as at once.
void judge_byte_order(npy_element const& from, npy_element const& big) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(from.bytes) * 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
  std::vector<std::byte> little = bytes;
  convert_byte_order(little, from, byte_order::little);
  convert_byte_order(bytes, from, byte_order::big);
  convert_byte_order(bytes, big, byte_order::little);
  expect(bytes == little, "bytes converted through big are those converted at once");
}

void judge(npy_array const& a, std::int64_t file_bytes) {
  expect(a.element.units() * bits_of(a.element.unit) / 8 == a.element.bytes, "units fill an element");
  expect(a.data_bytes == a.elements * a.element.bytes, "bytes are elements times their width");
  expect(a.data_begin + a.data_bytes == file_bytes, "the data ends with the file");
  layout_value const layout = layout_of(a.header);
  expect(layout.rank() == static_cast<int>(a.header.shape.empty() ? 1 : a.header.shape.size()), "a mode for each axis");
  if (a.elements > 0) {
    expect(size(layout).value() == a.elements, "the layout has as many elements");
    expect(cosize(layout).value() == a.elements, "the layout has no holes");
  }
  std::string const text = write_npy_header(a.header);
  expect(text.size() % 64 == 0, "headers are padded");
  std::int64_t const whole = static_cast<std::int64_t>(text.size()) + a.data_bytes;
  npy_array const back = read_npy(std::as_bytes(std::span(text)), whole);
  expect(back.header == a.header && back.element.unit == a.element.unit && back.data_bytes == a.data_bytes,
         "written and read back");
  std::string const big = descr_in_byte_order(a.header.descr, byte_order::big);
  expect(element_of_descr(big).bytes == a.element.bytes, "the byte order does not change the size");
  expect(descr_in_byte_order(big, byte_order::big) == big, "a byte order is set once");
  if (a.element.bytes > 0 && a.element.bytes <= 4096) judge_byte_order(a.element, element_of_descr(big));
}

}  // namespace

/// The first two bytes say how much longer the file is than what follows, so that headers may promise data.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size < 2 || size > 4096) return 0;
  std::int64_t const more = data[0] | data[1] << 8;
  std::span const head = std::as_bytes(std::span(data + 2, size - 2));
  std::int64_t const file_bytes = static_cast<std::int64_t>(head.size()) + more;
  try {
    judge(read_npy(head, file_bytes), file_bytes);
  } catch (npy_error const& e) {
    expect(e.position() <= static_cast<std::size_t>(file_bytes), "the place is in the file");
    expect(e.what()[0] != '\0', "a sentence");
  }
  return 0;
}
