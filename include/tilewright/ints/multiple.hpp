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

/// States that n is a positive multiple of D.
/// error: in a checked host build, layout_error shape_does_not_divide when it is not
template <int D, DynamicInteger T>
TILEWRIGHT_FN constexpr auto multiple_of(T n) {
  if constexpr (!detail::divisor_is_positive<D>::value) {
    return detail::divisor_is_positive<D>::sentence();
  } else {
#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
    if (n <= 0 || n % D != 0) raise(error{errc::not_a_multiple, static_cast<long long>(n), D});
#endif
    return multiple<D, T>{n};
  }
}
template <int D, auto v>
TILEWRIGHT_FN constexpr auto multiple_of(C<v> n) {
  using check = all_hold<detail::divisor_is_positive<D>, detail::constant_has_divisor<D, v>>;
  if constexpr (check::value) return n;
  else return check::sentence();
}

}  // namespace tilewright
