// Mathematical constants as numbers of the program's type, rounded from double: constants::pi<half_t>() is 3.140625. Of complex types they
// are the real part.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/complex.h"
#include "cutlass/cutlass.h"
#include "cutlass/numeric_types.h"

namespace cutlass::constants {

namespace detail {
template <class T>
CUTLASS_HOST_DEVICE constexpr T number(double x) {
  if constexpr (cute::is_complex_v<T>) return T(number<typename T::value_type>(x));
  else if constexpr (std::is_convertible_v<double, T>) return static_cast<T>(x);
  else return T(static_cast<float>(x));
}
}  // namespace detail

template <class T>
CUTLASS_HOST_DEVICE constexpr T zero() {
  return detail::number<T>(0);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T one() {
  return detail::number<T>(1);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T two() {
  return detail::number<T>(2);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T half() {
  return detail::number<T>(0.5);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T third() {
  return detail::number<T>(1.0 / 3);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T twothirds() {
  return detail::number<T>(2.0 / 3);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T pi() {
  return detail::number<T>(3.14159265358979323846);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T two_pi() {
  return detail::number<T>(6.28318530717958647693);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T half_pi() {
  return detail::number<T>(1.57079632679489661923);
}
/// Square roots of pi, pi / 2, 2 pi, ln 4 and 2.
template <class T>
CUTLASS_HOST_DEVICE constexpr T root_pi() {
  return detail::number<T>(1.77245385090551602730);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T root_half_pi() {
  return detail::number<T>(1.25331413731550025121);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T root_two_pi() {
  return detail::number<T>(2.50662827463100050242);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T root_ln_four() {
  return detail::number<T>(1.17741002251547469101);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T root_two() {
  return detail::number<T>(1.41421356237309504880);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T half_root_two() {
  return detail::number<T>(0.70710678118654752440);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T e() {
  return detail::number<T>(2.71828182845904523536);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T ln_two() {
  return detail::number<T>(0.69314718055994530942);
}
/// The logarithm of ln 2.
template <class T>
CUTLASS_HOST_DEVICE constexpr T ln_ln_two() {
  return detail::number<T>(-0.36651292058166432701);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T pi_minus_three() {
  return detail::number<T>(0.14159265358979323846);
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T four_minus_pi() {
  return detail::number<T>(0.85840734641020676154);
}

}  // namespace cutlass::constants
