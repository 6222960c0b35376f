// Complex numbers usable in kernels.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/real.hpp"

namespace cute {

template <class T>
struct TILEWRIGHT_CUTLASS_NAME complex {
  using value_type = T;
  T re{}, im{};

  constexpr complex() = default;
  CUTE_HOST_DEVICE constexpr complex(T const& a, T const& b = T(0)) : re(a), im(b) {}
  CUTE_HOST_DEVICE constexpr T real() const { return re; }
  CUTE_HOST_DEVICE constexpr T imag() const { return im; }

  CUTE_HOST_DEVICE friend constexpr complex operator+(complex const& a, complex const& b) {
    return {a.re + b.re, a.im + b.im};
  }
  CUTE_HOST_DEVICE friend constexpr complex operator-(complex const& a, complex const& b) {
    return {a.re - b.re, a.im - b.im};
  }
  CUTE_HOST_DEVICE friend constexpr complex operator-(complex const& a) { return {-a.re, -a.im}; }
  CUTE_HOST_DEVICE friend constexpr complex operator*(complex const& a, complex const& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  CUTE_HOST_DEVICE constexpr complex& operator+=(complex const& b) { return *this = *this + b; }
  CUTE_HOST_DEVICE constexpr complex& operator*=(complex const& b) { return *this = *this * b; }
  CUTE_HOST_DEVICE friend constexpr bool operator==(complex const& a, complex const& b) {
    return a.re == b.re && a.im == b.im;
  }
};

template <class T>
CUTE_HOST_DEVICE constexpr T real(complex<T> const& a) {
  return a.re;
}
template <class T>
CUTE_HOST_DEVICE constexpr T imag(complex<T> const& a) {
  return a.im;
}
template <class T>
CUTE_HOST_DEVICE constexpr complex<T> conj(complex<T> const& a) {
  return {a.re, -a.im};
}

template <class T>
struct is_complex : false_type {};
template <class T>
struct is_complex<complex<T>> : true_type {};

template <class T>
inline constexpr bool is_complex_v = is_complex<T>::value;
template <class T>
CUTE_HOST_DEVICE constexpr void fma(complex<T>& d, complex<T> const& a, complex<T> const& b, complex<T> const& c) {
  d = a * b + c;
}
/// 1+i-2 as CuTe writes it, the real part alone where the imaginary part is 0.
template <class T>
inline std::ostream& operator<<(std::ostream& out, complex<T> const& a) {
  out << a.re;
  if (!(a.im == T(0))) out << "+i" << a.im;
  return out;
}

}  // namespace cute
