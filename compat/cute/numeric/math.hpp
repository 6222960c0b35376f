// Integer functions of <numeric> and <bit> for constants and run-time integers, by CuTe's names.
#pragma once

#include "tilewright/base/config.hpp"

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
CUTE_HOST_DEVICE constexpr auto plain(T const& t) {
  if constexpr (tilewright::is_constant_v<T>) return T::value;
  else return t;
}
/// f of the numbers, as a constant where the operands are.
template <class F, whole_number... T>
CUTE_HOST_DEVICE constexpr auto folded(F const& f, T const&... t) {
  if constexpr ((tilewright::is_constant_v<T> && ...)) return C<F{}(T::value...)>{};
  else return f(plain(t)...);
}

struct round_down_of {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A a, B b) const {
    return a / b * b;
  }
};
struct sign_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr int operator()(A a) const {
    return (a > A(0)) - (a < A(0));
  }
};
struct bit_width_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr int operator()(A a) const {
    return tilewright::math::bit_width(static_cast<std::make_unsigned_t<A>>(a));
  }
};
struct countr_zero_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr int operator()(A a) const {
    int const n = tilewright::math::countr_zero(static_cast<std::make_unsigned_t<A>>(a));
    return n < static_cast<int>(8 * sizeof(A)) ? n : static_cast<int>(8 * sizeof(A));
  }
};
struct popcount_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr int operator()(A a) const {
    int n = 0;
    for (auto rest = static_cast<std::make_unsigned_t<A>>(a); rest != 0; rest &= rest - 1) ++n;
    return n;
  }
};
struct single_bit_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr bool operator()(A a) const {
    return popcount_of{}(a) == 1;
  }
};
struct countl_zero_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr int operator()(A a) const {
    return static_cast<int>(8 * sizeof(A)) - bit_width_of{}(a);
  }
};
struct log_2_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr int operator()(A a) const {
    return bit_width_of{}(a)-1;
  }
};
struct bit_ceil_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr A operator()(A a) const {
    return a <= A(1) ? A(1) : static_cast<A>(A(1) << bit_width_of{}(a - 1));
  }
};
struct bit_floor_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr A operator()(A a) const {
    return a == A(0) ? A(0) : static_cast<A>(A(1) << (bit_width_of{}(a)-1));
  }
};
/// The quotient rounded up, for numbers of 0 and more.
struct shape_quotient {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A a, B b) const {
    return (a + b - 1) / b;
  }
};

}  // namespace detail

/// The multiple of b at or below a.
template <detail::whole_number A, detail::whole_number B>
CUTE_HOST_DEVICE constexpr auto round_down(A const& a, B const& b) {
  return detail::folded(detail::round_down_of{}, a, b);
}
/// -1, 0 or 1.
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto signum(A const& a) {
  return detail::folded(detail::sign_of{}, a);
}
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto has_single_bit(A const& a) {
  return detail::folded(detail::single_bit_of{}, a);
}
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto bit_width(A const& a) {
  return detail::folded(detail::bit_width_of{}, a);
}
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto bit_ceil(A const& a) {
  return detail::folded(detail::bit_ceil_of{}, a);
}
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto bit_floor(A const& a) {
  return detail::folded(detail::bit_floor_of{}, a);
}
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto countr_zero(A const& a) {
  return detail::folded(detail::countr_zero_of{}, a);
}
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto countl_zero(A const& a) {
  return detail::folded(detail::countl_zero_of{}, a);
}
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto popcount(A const& a) {
  return detail::folded(detail::popcount_of{}, a);
}
/// floor(log2(a)).  pre: a > 0
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto log_2(A const& a) {
  return detail::folded(detail::log_2_of{}, a);
}

template <class A, class B>
requires(std::is_floating_point_v<A> || std::is_floating_point_v<B>) CUTE_HOST_DEVICE
    constexpr auto max(A const& a, B const& b) {
  using Common = std::common_type_t<A, B>;
  return a < b ? static_cast<Common>(b) : static_cast<Common>(a);
}
template <class A, class B>
requires(std::is_floating_point_v<A> || std::is_floating_point_v<B>) CUTE_HOST_DEVICE
    constexpr auto min(A const& a, B const& b) {
  using Common = std::common_type_t<A, B>;
  return b < a ? static_cast<Common>(b) : static_cast<Common>(a);
}
template <class A>
requires std::is_floating_point_v<A> CUTE_HOST_DEVICE constexpr A abs(A const& a) { return a < A(0) ? -a : a; }

namespace detail {
struct countl_one_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr int operator()(A a) const {
    return countl_zero_of{}(static_cast<A>(~a));
  }
};
struct countr_one_of {
  template <class A>
  CUTE_HOST_DEVICE constexpr int operator()(A a) const {
    return countr_zero_of{}(static_cast<A>(~a));
  }
};
}  // namespace detail
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto countl_one(A const& a) {
  return detail::folded(detail::countl_one_of{}, a);
}
template <detail::whole_number A>
CUTE_HOST_DEVICE constexpr auto countr_one(A const& a) {
  return detail::folded(detail::countr_one_of{}, a);
}
/// The bits rotated by n places; a negative n rotates the other way.
template <class T>
requires(std::is_unsigned_v<T>) CUTE_HOST_DEVICE constexpr T rotl(T a, int n) {
  constexpr int width = static_cast<int>(8 * sizeof(T));
  int const by = ((n % width) + width) % width;
  return by == 0 ? a : static_cast<T>(static_cast<T>(a << by) | static_cast<T>(a >> (width - by)));
}
template <class T>
requires(std::is_unsigned_v<T>) CUTE_HOST_DEVICE constexpr T rotr(T a, int n) { return cute::rotl(a, -n); }
/// a times 2^n, and a divided by 2^n; a negative n does the other.
template <class A>
requires(!std::is_class_v<A>) CUTE_HOST_DEVICE constexpr auto shiftl(A const& a, int n) {
  return n >= 0 ? (a << n) : (a >> -n);
}
template <class A>
requires(!std::is_class_v<A>) CUTE_HOST_DEVICE constexpr auto shiftr(A const& a, int n) {
  return n >= 0 ? (a >> n) : (a << -n);
}
template <auto a, auto n>
CUTE_HOST_DEVICE constexpr auto shiftl(C<a> const&, C<n> const&) {
  return C<cute::shiftl(a, static_cast<int>(n))>{};
}
template <auto a, auto n>
CUTE_HOST_DEVICE constexpr auto shiftr(C<a> const&, C<n> const&) {
  return C<cute::shiftr(a, static_cast<int>(n))>{};
}

template <class Div, class Mod>
struct DivModReturnType {
  Div div_;
  Mod mod_;
};
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto divmod(A const& a, B const& b) {
  auto const q = a / b;
  auto const r = a % b;
  return DivModReturnType<std::remove_const_t<decltype(q)>, std::remove_const_t<decltype(r)>>{q, r};
}

}  // namespace cute
