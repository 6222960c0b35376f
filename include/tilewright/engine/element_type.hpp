// The element types of run-time tensors. A copy moves bits, so a type is a width with a name.
#pragma once

#include "tilewright/base/config.hpp"

#include <optional>
#include <string_view>

namespace tilewright {

enum class element_type : int {
  b4,
  b8,
  b16,
  b32,
  b64,
  b128,  // bits without a meaning
  boolean,
  i4,
  i8,
  i16,
  i32,
  i64,
  u4,
  u8,
  u16,
  u32,
  u64,
  f8,
  f16,
  bf16,
  f32,
  f64,
  c64,
  c128,  // complex
};

/// 4, 8, 16, 32, 64 or 128.
int bits_of(element_type type);

/// "f32", "bf16", "bool" …
char const* name_of(element_type type);

/// The type of that name, also under NumPy's names ("float32", "complex64").
std::optional<element_type> element_type_named(std::string_view name);

}  // namespace tilewright
