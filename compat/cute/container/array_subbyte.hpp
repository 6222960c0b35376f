// An array of elements narrower than a byte, packed bit by bit.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/array.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "tilewright/tensor/subbyte.hpp"

namespace cute {

using tilewright::subbyte_iterator;
using tilewright::subbyte_reference;

template <class T, std::size_t N>
struct array_subbyte {
  using element_type = T;
  using value_type = T;
  using size_type = std::size_t;
  using reference = subbyte_reference<T>;
  using iterator = subbyte_iterator<T>;
  using const_iterator = subbyte_iterator<T const>;

  static constexpr size_type bytes = (N * static_cast<size_type>(sizeof_bits_v<T>) + 7) / 8;
  unsigned char storage[bytes > 0 ? bytes : 1] = {};

  CUTE_HOST_DEVICE constexpr iterator begin() { return iterator(storage); }
  CUTE_HOST_DEVICE constexpr const_iterator begin() const { return const_iterator(storage); }
  CUTE_HOST_DEVICE constexpr iterator end() { return begin() + N; }
  CUTE_HOST_DEVICE constexpr const_iterator end() const { return begin() + N; }
  CUTE_HOST_DEVICE constexpr reference operator[](size_type i) { return begin()[static_cast<long long>(i)]; }
  CUTE_HOST_DEVICE constexpr T operator[](size_type i) const { return begin()[static_cast<long long>(i)]; }
  CUTE_HOST_DEVICE constexpr reference at(size_type i) { return (*this)[i]; }
  CUTE_HOST_DEVICE constexpr reference front() { return (*this)[0]; }
  CUTE_HOST_DEVICE constexpr reference back() { return (*this)[N - 1]; }
  CUTE_HOST_DEVICE static constexpr size_type size() { return N; }
  CUTE_HOST_DEVICE static constexpr bool empty() { return N == 0; }
  CUTE_HOST_DEVICE constexpr void fill(T const& value) {
    for (size_type i = 0; i < N; ++i) (*this)[i] = value;
  }
  CUTE_HOST_DEVICE constexpr void clear() {
    for (unsigned char& byte : storage) byte = 0;
  }
};

}  // namespace cute
