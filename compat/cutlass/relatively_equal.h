// Comparison of numbers that were rounded differently.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
#include "cutlass/numeric_types.h"

namespace cutlass {
namespace detail {

template <class T>
inline constexpr bool is_a_complex_number = requires(T const& t) {
  t.real();
  t.imag();
};

/// a == b, or |a - b| < epsilon (|a| + |b|). Near zero, where |a| + |b| < nonzero_floor or one of them is 0, epsilon is absolute:
/// |a - b| < epsilon nonzero_floor. NaN equals nothing.
CUTLASS_HOST_DEVICE constexpr bool is_relatively_equal(double a, double b, double epsilon, double nonzero_floor) {
  double const size = (a < 0 ? -a : a) + (b < 0 ? -b : b);
  double const difference = a < b ? b - a : a - b;
  if (a == b) return true;
  if (a == 0 || b == 0 || size < nonzero_floor) return difference < epsilon * nonzero_floor;
  return difference < epsilon * size;
}

}  // namespace detail

/// Are two numbers equal but for rounding? Integers have to be equal; of complex numbers both parts are compared.
template <class T, class U = T>
CUTLASS_HOST_DEVICE constexpr bool relatively_equal(T a, T b, U epsilon, U nonzero_floor) {
  if constexpr (detail::is_a_complex_number<T>) {
    auto const bound = [](U const& u) {
      if constexpr (detail::is_a_complex_number<U>) return static_cast<double>(u.real());
      else return static_cast<double>(u);
    };
    return detail::is_relatively_equal(static_cast<double>(a.real()), static_cast<double>(b.real()), bound(epsilon),
                                       bound(nonzero_floor)) &&
           detail::is_relatively_equal(static_cast<double>(a.imag()), static_cast<double>(b.imag()), bound(epsilon),
                                       bound(nonzero_floor));
  } else if constexpr (std::is_integral_v<T>) {
    return a == b;
  } else {
    return detail::is_relatively_equal(static_cast<double>(a), static_cast<double>(b), static_cast<double>(epsilon),
                                       static_cast<double>(nonzero_floor));
  }
}

}  // namespace cutlass
