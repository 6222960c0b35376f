// Bits, bytes and elements as types, so that they do not mix: an atom counts bits, memory counts bytes, layouts count
// elements. Conversions are explicit and name the element's width.
#pragma once

#include "tilewright/base/config.hpp"

namespace tilewright {

struct bits {
  long long count;
  friend TILEWRIGHT_CONSTEXPR bool operator==(bits const&, bits const&) = default;
};

struct bytes {
  long long count;
  friend TILEWRIGHT_CONSTEXPR bool operator==(bytes const&, bytes const&) = default;
};

struct elements {
  long long count;
  friend TILEWRIGHT_CONSTEXPR bool operator==(elements const&, elements const&) = default;
};

TILEWRIGHT_CONSTEXPR bits to_bits(bytes b) { return {b.count * 8}; }
TILEWRIGHT_CONSTEXPR bits to_bits(elements e, bits each) { return {e.count * each.count}; }
/// post: the bytes that hold `b`, the last one perhaps in part.
TILEWRIGHT_CONSTEXPR bytes to_bytes(bits b) { return {(b.count + 7) / 8}; }
/// pre: each.count > 0; post: the whole elements that fit.
TILEWRIGHT_CONSTEXPR elements to_elements(bits b, bits each) { return {b.count / each.count}; }

/// The number of bits an element of type T occupies in a tensor; sub-byte types specialise it.
template <class T>
struct sizeof_bits {
  static constexpr int value = static_cast<int>(sizeof(T)) * 8;
};
template <class T>
struct sizeof_bits<T const> : sizeof_bits<T> {};
template <>
struct sizeof_bits<void> {
  static constexpr int value = 0;
};
template <>
struct sizeof_bits<bool> {
  static constexpr int value = 8;
};

template <class T>
inline constexpr int sizeof_bits_v = sizeof_bits<T>::value;

}  // namespace tilewright
