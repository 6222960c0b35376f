// The names and widths of element types, ours and NumPy's.
#include "tilewright/engine/element_type.hpp"

#include "tilewright/plan/copy_error.hpp"

#include <array>
#include <string>

namespace tilewright {
namespace {

struct row {
  element_type type;
  int bits;
  char const* name;
  char const* numpy;  // "" where NumPy has no such type
};

using enum element_type;
constexpr std::array rows{
    row{b4, 4, "b4", ""},
    row{b8, 8, "b8", ""},
    row{b16, 16, "b16", ""},
    row{b32, 32, "b32", ""},
    row{b64, 64, "b64", ""},
    row{b128, 128, "b128", ""},
    row{boolean, 8, "bool", "bool_"},
    row{i4, 4, "i4", "int4"},
    row{i8, 8, "i8", "int8"},
    row{i16, 16, "i16", "int16"},
    row{i32, 32, "i32", "int32"},
    row{i64, 64, "i64", "int64"},
    row{u4, 4, "u4", "uint4"},
    row{u8, 8, "u8", "uint8"},
    row{u16, 16, "u16", "uint16"},
    row{u32, 32, "u32", "uint32"},
    row{u64, 64, "u64", "uint64"},
    row{f8, 8, "f8", "float8"},
    row{f16, 16, "f16", "float16"},
    row{bf16, 16, "bf16", "bfloat16"},
    row{f32, 32, "f32", "float32"},
    row{f64, 64, "f64", "float64"},
    row{c64, 64, "c64", "complex64"},
    row{c128, 128, "c128", "complex128"},
};

/// error: copy_error bad_element for a number that no enumerator has
row const& row_of(element_type type) {
  auto const at = static_cast<std::size_t>(type);
  if (static_cast<int>(type) < 0 || at >= rows.size())
    throw copy_error(copy_errc::bad_element, "there is no element type with the number " +
                                                 std::to_string(static_cast<int>(type)) + "; the last is " +
                                                 std::to_string(rows.size() - 1));
  return rows[at];
}

constexpr bool rows_stand_in_the_order_of_the_enumeration() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (static_cast<std::size_t>(rows[i].type) != i) return false;
  return rows.back().type == c128;
}
static_assert(rows_stand_in_the_order_of_the_enumeration());

}  // namespace

int bits_of(element_type type) { return row_of(type).bits; }

char const* name_of(element_type type) { return row_of(type).name; }

std::optional<element_type> element_type_named(std::string_view name) {
  for (row const& r : rows)
    if (name == r.name || (!name.empty() && name == r.numpy)) return r.type;
  return std::nullopt;
}

}  // namespace tilewright
