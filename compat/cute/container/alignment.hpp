// Alignment as a question and as an attribute of a type.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/numeric_types.hpp"

namespace cute {

template <int Bytes>
CUTE_HOST_DEVICE bool is_byte_aligned(void const* p) {
  static_assert((Bytes & (Bytes - 1)) == 0, "is_byte_aligned: the alignment is a power of two");
  return (reinterpret_cast<std::uintptr_t>(p) & static_cast<std::uintptr_t>(Bytes - 1)) == 0;
}

template <std::size_t Bytes, class Base = char>
struct alignas(Bytes) aligned_struct : Base {};
template <std::size_t Bytes>
struct alignas(Bytes) aligned_struct<Bytes, char> {};

}  // namespace cute
