// An array of elements narrower than a byte, packed bit by bit.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/array.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "tilewright/tensor/subbyte.hpp"

namespace cute {

using tilewright::subbyte_iterator;
using tilewright::subbyte_reference;

namespace detail {

/// One bool of eight that share a byte.
struct bool_reference {
  subbyte_reference<tilewright::uint1b_t> bit;
  CUTE_HOST_DEVICE constexpr operator bool() const { return static_cast<int>(bit.get()) != 0; }
  CUTE_HOST_DEVICE constexpr bool get() const { return *this; }
  CUTE_HOST_DEVICE constexpr bool_reference const& operator=(bool value) const {
    bit = tilewright::uint1b_t(value ? 1 : 0);
    return *this;
  }
  CUTE_HOST_DEVICE constexpr bool_reference const& operator=(bool_reference const& other) const {
    return *this = static_cast<bool>(other);
  }
  bool_reference(bool_reference const&) = default;
  CUTE_HOST_DEVICE constexpr explicit bool_reference(subbyte_reference<tilewright::uint1b_t> const& b) : bit(b) {}
};
struct bool_iterator {
  using element_type = bool;
  using value_type = bool;
  using reference = bool_reference;
  using difference_type = long long;
  subbyte_iterator<tilewright::uint1b_t> first{};
  constexpr bool_iterator() = default;
  CUTE_HOST_DEVICE constexpr explicit bool_iterator(unsigned char* p) : first(p) {}
  CUTE_HOST_DEVICE explicit bool_iterator(unsigned char const* p) : first(const_cast<unsigned char*>(p)) {}
  CUTE_HOST_DEVICE constexpr reference operator*() const { return reference(*first); }
  CUTE_HOST_DEVICE constexpr reference operator[](long long i) const { return reference(first[i]); }
  template <class I>
  CUTE_HOST_DEVICE constexpr bool_iterator operator+(I const& i) const {
    bool_iterator next = *this;
    next.first = first + i;
    return next;
  }
  CUTE_HOST_DEVICE constexpr bool_iterator& operator++() {
    first = first + 1;
    return *this;
  }
  CUTE_HOST_DEVICE constexpr bool_iterator operator++(int) {
    bool_iterator const before = *this;
    ++*this;
    return before;
  }
  friend constexpr bool operator==(bool_iterator const&, bool_iterator const&) = default;
};

template <class T>
struct packed_iterators {
  using iterator = subbyte_iterator<T>;
  using const_iterator = subbyte_iterator<T const>;
  static constexpr int bits = sizeof_bits_v<T>;
};
template <>
struct packed_iterators<bool> {
  using iterator = bool_iterator;
  using const_iterator = bool_iterator;
  static constexpr int bits = 1;
};

/// Packed elements, bit by bit.
template <class T, std::size_t N>
struct packed_array {
  using element_type = T;
  using value_type = T;
  using size_type = std::size_t;
  using iterator = typename packed_iterators<T>::iterator;
  using const_iterator = typename packed_iterators<T>::const_iterator;
  using reference = typename iterator::reference;
  static constexpr size_type bytes = (N * static_cast<size_type>(packed_iterators<T>::bits) + 7) / 8;

  unsigned char storage[bytes > 0 ? bytes : 1] = {};

  CUTE_HOST_DEVICE constexpr iterator begin() { return iterator(storage); }
  CUTE_HOST_DEVICE constexpr const_iterator begin() const { return const_iterator(storage); }
  CUTE_HOST_DEVICE constexpr const_iterator cbegin() const { return begin(); }
  CUTE_HOST_DEVICE constexpr iterator end() { return begin() + N; }
  CUTE_HOST_DEVICE constexpr const_iterator end() const { return begin() + N; }
  CUTE_HOST_DEVICE constexpr const_iterator cend() const { return end(); }
  CUTE_HOST_DEVICE constexpr iterator data() { return begin(); }
  CUTE_HOST_DEVICE constexpr const_iterator data() const { return begin(); }
  CUTE_HOST_DEVICE constexpr unsigned char* raw_data() { return storage; }
  CUTE_HOST_DEVICE constexpr reference operator[](size_type i) { return begin()[static_cast<long long>(i)]; }
  CUTE_HOST_DEVICE constexpr T operator[](size_type i) const {
    return static_cast<T>(begin()[static_cast<long long>(i)].get());
  }
  CUTE_HOST_DEVICE constexpr reference at(size_type i) { return (*this)[i]; }
  CUTE_HOST_DEVICE constexpr reference front() { return (*this)[0]; }
  CUTE_HOST_DEVICE constexpr reference back() { return (*this)[N - 1]; }
  CUTE_HOST_DEVICE static constexpr size_type size() { return N; }
  CUTE_HOST_DEVICE static constexpr size_type max_size() { return N; }
  CUTE_HOST_DEVICE static constexpr bool empty() { return N == 0; }
  CUTE_HOST_DEVICE constexpr void fill(T const& value) {
    for (size_type i = 0; i < N; ++i) (*this)[i] = value;
  }
  CUTE_HOST_DEVICE constexpr void clear() {
    for (unsigned char& byte : storage) byte = 0;
  }
};

template <class T, std::size_t N>
struct array_for : std::type_identity<array<T, N>> {};
template <class T, std::size_t N>
requires(tilewright::is_subbyte_v<T>) struct array_for<T, N> : std::type_identity<packed_array<T, N>> {
};
template <std::size_t N>
struct array_for<bool, N> : std::type_identity<packed_array<bool, N>> {};

}  // namespace detail

/// N elements without gaps; those of whole bytes are an ordinary array.
template <class T, std::size_t N>
struct array_subbyte : detail::array_for<T, N>::type {};

template <class T, std::size_t N>
CUTE_HOST_DEVICE constexpr void fill(array_subbyte<T, N>& a, T const& value) {
  a.fill(value);
}
template <class T, std::size_t N>
CUTE_HOST_DEVICE constexpr void clear(array_subbyte<T, N>& a) {
  a.clear();
}
/// The type that elements of so many bits are stored in.
template <class T>
using subbyte_storage_type_t = unsigned char;

}  // namespace cute

/// Of a whole packed array: its bytes.
template <class T, std::size_t N>
struct tilewright::sizeof_bits<cute::array_subbyte<T, N>>
    : tilewright::C<static_cast<int>(8 * sizeof(cute::array_subbyte<T, N>))> {};
