// Access to elements that share bytes: an iterator that counts in bits and a reference that reads and writes exactly its
// own. Element i of T occupies bits [i*b, (i+1)*b) of the memory, low bits of a byte first.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/element.hpp"

namespace tilewright {

/// One packed element. Assignment touches no other element's bits (but is no atomic operation: two threads that share a
/// byte must not both write it).
template <class T>
struct subbyte_reference {
  using element = std::remove_const_t<T>;
  using byte = std::conditional_t<std::is_const_v<T>, unsigned char const, unsigned char>;
  static constexpr int width = sizeof_bits_v<element>;
  byte* base;
  long long bit;

  TILEWRIGHT_FN constexpr element get() const {
    byte* const p = base + (bit >> 3);
    int const shift = static_cast<int>(bit & 7);
    unsigned word = p[0];
    if (shift + width > 8) word |= static_cast<unsigned>(p[1]) << 8;
    element out;
    out.storage = static_cast<unsigned char>((word >> shift) & element::mask);
    return out;
  }
  TILEWRIGHT_FN constexpr operator element() const { return get(); }
  template <class U>
  requires(std::is_arithmetic_v<U>) TILEWRIGHT_FN constexpr explicit operator U() const {
    return static_cast<U>(get());
  }

  TILEWRIGHT_FN constexpr subbyte_reference const& operator=(element value) const requires(!std::is_const_v<T>) {
    byte* const p = base + (bit >> 3);
    int const shift = static_cast<int>(bit & 7);
    unsigned const low_mask = element::mask << shift, bits = (value.storage & element::mask) << shift;
    p[0] = static_cast<unsigned char>((p[0] & ~low_mask) | bits);
    if (shift + width > 8) p[1] = static_cast<unsigned char>((p[1] & ~(low_mask >> 8)) | (bits >> 8));
    return *this;
  }
  TILEWRIGHT_FN constexpr subbyte_reference const& operator=(subbyte_reference const& other) const
      requires(!std::is_const_v<T>) {
    return *this = other.get();
  }
  template <class U>
  requires(!std::is_const_v<T> && std::is_arithmetic_v<U>) TILEWRIGHT_FN constexpr subbyte_reference const& operator=(
      U value) const {
    return *this = element(static_cast<int>(value));
  }
  friend TILEWRIGHT_FN constexpr bool operator==(subbyte_reference const& a, element const& b) { return a.get() == b; }
  friend TILEWRIGHT_FN constexpr bool operator==(subbyte_reference const& a, subbyte_reference const& b) {
    return a.get() == b.get();
  }
  subbyte_reference(subbyte_reference const&) = default;
  TILEWRIGHT_FN constexpr subbyte_reference(byte* b, long long at) : base(b), bit(at) {}
};

template <class T>
struct subbyte_iterator {
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using reference = subbyte_reference<T>;
  using byte = typename reference::byte;
  using difference_type = long long;
  byte* base = nullptr;
  long long bit = 0;

  constexpr subbyte_iterator() = default;
  TILEWRIGHT_FN constexpr explicit subbyte_iterator(byte* b, long long at = 0) : base(b), bit(at) {}
  /// Memory of any type; element 0 is at its first bit.
  template <class U>
  requires(!std::is_same_v<U, byte> && (std::is_const_v<T> || !std::is_const_v<U>)) TILEWRIGHT_FN
      explicit subbyte_iterator(U* p)
      : base(reinterpret_cast<byte*>(p)) {}

  TILEWRIGHT_FN constexpr reference operator*() const { return {base, bit}; }
  TILEWRIGHT_FN constexpr reference operator[](long long i) const { return {base, bit + i * reference::width}; }
  template <class I>
  TILEWRIGHT_FN constexpr subbyte_iterator operator+(I const& i) const {
    return subbyte_iterator(base, bit + static_cast<long long>(i) * reference::width);
  }
  TILEWRIGHT_FN constexpr subbyte_iterator& operator++() {
    bit += reference::width;
    return *this;
  }
  TILEWRIGHT_FN constexpr subbyte_iterator operator++(int) {
    subbyte_iterator const before = *this;
    ++*this;
    return before;
  }
  friend TILEWRIGHT_CONSTEXPR bool operator==(subbyte_iterator const&, subbyte_iterator const&) = default;
  // In the order of addresses, then of bits.
  friend TILEWRIGHT_FN constexpr bool operator<(subbyte_iterator const& a, subbyte_iterator const& b) {
    byte *const at = a.base + (a.bit >> 3), *const other = b.base + (b.bit >> 3);
    return at < other || (at == other && (a.bit & 7) < (b.bit & 7));
  }
  friend TILEWRIGHT_FN constexpr bool operator>(subbyte_iterator const& a, subbyte_iterator const& b) { return b < a; }
  friend TILEWRIGHT_FN constexpr bool operator<=(subbyte_iterator const& a, subbyte_iterator const& b) {
    return !(b < a);
  }
  friend TILEWRIGHT_FN constexpr bool operator>=(subbyte_iterator const& a, subbyte_iterator const& b) {
    return !(a < b);
  }
};

}  // namespace tilewright
