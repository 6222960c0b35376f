// A run-time integer with a stated fact: multiple<8, int> is a positive multiple of 8. The algebra propagates the fact,
// so that vector width and divisibility are proved for run-time extents instead of assumed.
#pragma once

#include "tilewright/base/error.hpp"
#include "tilewright/ints/constant.hpp"

namespace tilewright {

/// pre: the value is a positive multiple of D (multiple_of checks it)
template <int D, class T = int>
struct multiple {
  static_assert(D > 0, "multiple: the divisor must be at least 1");
  static constexpr int divisor = D;
  using value_type = T;
  T number;
  TILEWRIGHT_HOST_DEVICE constexpr operator T() const { return number; }
};

template <class T>
inline constexpr bool is_multiple_v = false;
template <int D, class T>
inline constexpr bool is_multiple_v<multiple<D, T>> = true;

/// States that n is a positive multiple of D.
/// error: in a checked host build, layout_error shape_does_not_divide when it is not
template <int D, DynamicInteger T>
TILEWRIGHT_FN constexpr multiple<D, T> multiple_of(T n) {
#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
  if (n <= 0 || n % D != 0) throw layout_error({errc::not_a_multiple, static_cast<long long>(n), D});
#endif
  return {n};
}
template <int D, auto v>
TILEWRIGHT_FN constexpr C<v> multiple_of(C<v>) {
  static_assert(v % D == 0, "multiple_of: the constant is not a multiple of the divisor; state a divisor it has");
  return {};
}

}  // namespace tilewright
