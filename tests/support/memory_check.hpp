// Memory around a destination: filled with a mark before an operation and inspected afterwards, so that a
// write to any place but the destination's elements is seen, and the elements are compared with what a plain
// loop says.
#pragma once

#include <cstddef>
#include <vector>

#include "plain.hpp"

namespace tilewright::tests {

/// `count` elements, the first of them aligned to 32 bytes, with a margin of marks on either side.
template <class T>
struct guarded {
  static constexpr std::size_t margin = 64;
  struct alignas(32) line {
    T element[32];
  };
  std::vector<line> storage;
  std::size_t count;

  guarded(std::size_t n, T value) : storage((n + 2 * margin) / 32 + 2), count(n) {
    for (line& l : storage)
      for (T& e : l.element) e = value;
  }
  T* data() { return &storage[0].element[0] + margin; }
  T const* data() const { return &storage[0].element[0] + margin; }
  T& operator[](std::size_t i) { return data()[i]; }
  T const& operator[](std::size_t i) const { return data()[i]; }
  /// Are the margins still all `value`?
  bool margins_are(T value) const {
    T const* const first = &storage[0].element[0];
    std::size_t const all = storage.size() * 32;
    for (std::size_t i = 0; i < all; ++i)
      if ((i < margin || i >= margin + count) && first[i] != value) return false;
    return true;
  }
};

/// A buffer of 1, 2, 3, … for a layout's span.
template <class T>
guarded<T> counted(long long span, int modulus = 251) {
  guarded<T> out(static_cast<std::size_t>(span), T{});
  for (std::size_t i = 0; i < out.count; ++i) out[i] = static_cast<T>(static_cast<int>(i) % modulus + 1);
  return out;
}

}  // namespace tilewright::tests
