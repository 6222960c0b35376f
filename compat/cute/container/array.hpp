// array<T, N>: N values in registers or memory, usable in kernels and as a tuple.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/container/tuple.hpp"

namespace cute {

template <class T, std::size_t N>
struct array {
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = T const&;
  using pointer = T*;
  using const_pointer = T const*;
  using iterator = T*;
  using const_iterator = T const*;

  T values[N > 0 ? N : 1];

  CUTE_HOST_DEVICE constexpr T& operator[](size_type i) { return values[i]; }
  CUTE_HOST_DEVICE constexpr T const& operator[](size_type i) const { return values[i]; }
  CUTE_HOST_DEVICE constexpr T& at(size_type i) { return values[i]; }
  CUTE_HOST_DEVICE constexpr T const& at(size_type i) const { return values[i]; }
  CUTE_HOST_DEVICE constexpr T& front() { return values[0]; }
  CUTE_HOST_DEVICE constexpr T const& front() const { return values[0]; }
  CUTE_HOST_DEVICE constexpr T& back() { return values[N - 1]; }
  CUTE_HOST_DEVICE constexpr T const& back() const { return values[N - 1]; }
  CUTE_HOST_DEVICE constexpr T* data() { return values; }
  CUTE_HOST_DEVICE constexpr T const* data() const { return values; }
  CUTE_HOST_DEVICE constexpr T* begin() { return values; }
  CUTE_HOST_DEVICE constexpr T const* begin() const { return values; }
  CUTE_HOST_DEVICE constexpr T* end() { return values + N; }
  CUTE_HOST_DEVICE constexpr T const* end() const { return values + N; }
  CUTE_HOST_DEVICE static constexpr bool empty() { return N == 0; }
  CUTE_HOST_DEVICE static constexpr size_type size() { return N; }
  CUTE_HOST_DEVICE static constexpr size_type max_size() { return N; }
  CUTE_HOST_DEVICE constexpr void fill(T const& value) {
    for (size_type i = 0; i < N; ++i) values[i] = value;
  }
  CUTE_HOST_DEVICE constexpr void clear() { fill(T(0)); }
  CUTE_HOST_DEVICE friend constexpr bool operator==(array const& a, array const& b) {
    for (size_type i = 0; i < N; ++i)
      if (!(a.values[i] == b.values[i])) return false;
    return true;
  }
};

template <class T, std::size_t N>
CUTE_HOST_DEVICE constexpr void clear(array<T, N>& a) {
  a.clear();
}
template <class T, std::size_t N>
CUTE_HOST_DEVICE constexpr void fill(array<T, N>& a, T const& value) {
  a.fill(value);
}

template <int I, class T, std::size_t N>
CUTE_HOST_DEVICE constexpr T& get(array<T, N>& a) {
  return a.values[I];
}
template <int I, class T, std::size_t N>
CUTE_HOST_DEVICE constexpr T const& get(array<T, N> const& a) {
  return a.values[I];
}
template <int I, class T, std::size_t N>
CUTE_HOST_DEVICE constexpr T&& get(array<T, N>&& a) {
  return static_cast<T&&>(a.values[I]);
}

template <class T, std::size_t N>
CUTE_HOST_DEVICE void print(array<T, N> const& a) {
  print("(");
  for (std::size_t i = 0; i < N; ++i) {
    if (i > 0) print(",");
    print(a.values[i]);
  }
  print(")");
}

#if TILEWRIGHT_HOSTED && !defined(__CUDACC_RTC__)
template <class T, std::size_t N>
std::ostream& operator<<(std::ostream& out, array<T, N> const& a) {
  out << '(';
  for (std::size_t i = 0; i < N; ++i) out << (i > 0 ? "," : "") << a.values[i];
  return out << ')';
}
#endif

}  // namespace cute

template <class T, std::size_t N>
struct std::tuple_size<cute::array<T, N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t I, class T, std::size_t N>
struct std::tuple_element<I, cute::array<T, N>> {
  using type = T;
};
