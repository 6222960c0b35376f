// Function objects for the algorithms on tuples and tensors.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/complex.hpp"
#include "cute/numeric/math.hpp"
#include "cute/numeric/real.hpp"

namespace cute {

struct identity {
  template <class T>
  CUTE_HOST_DEVICE constexpr decltype(auto) operator()(T&& a) const {
    return std::forward<T>(a);
  }
};
template <class R>
struct constant_fn {
  R value{};
  template <class... T>
  CUTE_HOST_DEVICE constexpr R operator()(T const&...) const {
    return value;
  }
};
template <class Factor>
struct scale {
  Factor factor{};
  template <class T>
  CUTE_HOST_DEVICE constexpr auto operator()(T const& a) const {
    return factor * a;
  }
};

struct plus {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a + b;
  }
};
struct minus {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a - b;
  }
};
struct multiplies {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a * b;
  }
};
struct divides {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a / b;
  }
};
struct modulus {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a % b;
  }
};
struct negate {
  template <class A>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a) const {
    return -a;
  }
};
struct unary_plus {
  template <class A>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a) const {
    return +a;
  }
};
struct plus_assign {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr decltype(auto) operator()(A&& a, B const& b) const {
    return a += b;
  }
};
struct max_fn {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return max(a, b);
  }
};
struct min_fn {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return min(a, b);
  }
};
struct abs_fn {
  template <class A>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a) const {
    return abs(a);
  }
};

struct equal_to {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a == b;
  }
};
struct not_equal_to {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a != b;
  }
};
struct less {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a < b;
  }
};
struct less_equal {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a <= b;
  }
};
struct greater {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a > b;
  }
};
struct greater_equal {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a >= b;
  }
};
struct logical_and {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a && b;
  }
};
struct logical_or {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a || b;
  }
};
struct logical_not {
  template <class A>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a) const {
    return !a;
  }
};
struct bit_and {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a & b;
  }
};
struct bit_or {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a | b;
  }
};
struct bit_xor {
  template <class A, class B>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a, B const& b) const {
    return a ^ b;
  }
};
struct bit_not {
  template <class A>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a) const {
    return ~a;
  }
};

struct conjugate {
  template <class A>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a) const {
    return conj(a);
  }
};
template <int N>
struct shift_right_const {
  static constexpr int Shift = N;
  template <class A>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a) const {
    return a >> N;
  }
};
template <int N>
struct shift_left_const {
  static constexpr int Shift = N;
  template <class A>
  CUTE_HOST_DEVICE constexpr auto operator()(A const& a) const {
    return a << N;
  }
};
/// fn with its first argument given.
template <class F, class First>
struct bound_fn {
  F fn_;
  First arg_;
  template <class A>
  CUTE_HOST_DEVICE constexpr decltype(auto) operator()(A&& a) const {
    return fn_(arg_, std::forward<A>(a));
  }
};
template <class F, class First>
CUTE_HOST_DEVICE constexpr bound_fn<std::remove_cvref_t<F>, std::remove_cvref_t<First>> bind(F const& fn,
                                                                                             First const& arg) {
  return {fn, arg};
}

}  // namespace cute
