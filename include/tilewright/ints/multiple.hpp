// A run-time integer with a stated fact: multiple<8, int> is a positive multiple of 8. The algebra propagates the fact,
// so that vector width and divisibility are proved for run-time extents instead of assumed.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/error.hpp"
#include "tilewright/ints/constant.hpp"

namespace tilewright {

/// pre: the value is a positive multiple of D (multiple_of checks it)
template <int D, class T = int>
struct multiple {
  static constexpr int divisor = D;
  using value_type = T;
  T number;
  TILEWRIGHT_HOST_DEVICE constexpr operator T() const { return number; }
};

template <class T>
inline constexpr bool is_multiple_v = false;
template <int D, class T>
inline constexpr bool is_multiple_v<multiple<D, T>> = true;

namespace detail {

template <int D>
struct divisor_is_positive {
  static constexpr bool value = D > 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "multiple_of: the divisor must be at least 1; state one that the integer has (docs/errors.md#not_a_multiple)");
    return invalid_layout{};
  }
};
template <int D, long long v>
struct constant_has_divisor {
  static constexpr bool value = v % D == 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "multiple_of: the constant is not a multiple of the divisor; state a divisor it has "
                  "(docs/errors.md#not_a_multiple)");
    return invalid_layout{};
  }
};

}  // namespace detail

/// States that n is a positive multiple of D.
/// error: in a checked host build, layout_error shape_does_not_divide when it is not
template <int D, DynamicInteger T>
TILEWRIGHT_FN constexpr auto multiple_of(T n) {
  if constexpr (holds<detail::divisor_is_positive<D>>()) {
#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
    if (n <= 0 || n % D != 0) raise(error{errc::not_a_multiple, static_cast<long long>(n), D});
#endif
    return multiple<D, T>{n};
  } else {
    return n;
  }
}
template <int D, auto v>
TILEWRIGHT_FN constexpr C<v> multiple_of(C<v> n) {
  if constexpr (holds<detail::divisor_is_positive<D>>()) (void)holds<detail::constant_has_divisor<D, v>>();
  return n;
}

}  // namespace tilewright
