// Integer functions of <numeric> and <bit> for constants and run-time integers, by CuTe's names.
#pragma once

#include "cute/numeric/integer_sequence.hpp"
#include "tilewright/algebra/operations.hpp"

namespace cute {

using tilewright::abs;
using tilewright::ceil_div;
using tilewright::gcd;
using tilewright::lcm;
using tilewright::max;
using tilewright::min;
using tilewright::round_up;

namespace detail {

template <class T>
concept whole_number = tilewright::IntegerLike<std::remove_cvref_t<T>>;
template <class T>
concept float_number = std::is_floating_point_v<T>;

/// f(a) or f(a, b), as a constant where the operands are.
template <class F, whole_number... T>
CUTE_HOST_DEVICE constexpr auto folded(F const& f, T const&... t) {
  if constexpr ((tilewright::is_constant_v<T> && ...)) return C<F{}(T::value...)>{};
  else return f(tilewright::detail::plain(t)...);
}

}  // namespace detail
}  // namespace cute
