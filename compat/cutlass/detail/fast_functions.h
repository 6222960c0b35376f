// Elementary functions and searches for bits by CUTLASS's names (cutlass/fast_math.h). On a GPU the hyperbolic tangent of a float is
// its approximation, within 2^-10.987 of the value (PTX ISA: tanh.approx); the others are those of the C library.
#pragma once

#include "tilewright/base/config.hpp"

#include <cmath>

#include "cute/numeric/math.hpp"
#include "cutlass/array.h"
#include "cutlass/numeric_types.h"
#include "tilewright/atom/ptx/tanh.hpp"

namespace cutlass {

template <class T>
CUTLASS_HOST_DEVICE constexpr T fast_min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T fast_max(T a, T b) {
  return a < b ? b : a;
}
/// The number, where the other one is NaN.
CUTLASS_HOST_DEVICE float fast_min(float a, float b) { return ::fminf(a, b); }
CUTLASS_HOST_DEVICE float fast_max(float a, float b) { return ::fmaxf(a, b); }

CUTLASS_HOST_DEVICE float fast_cos(float angle) { return ::cosf(angle); }
CUTLASS_HOST_DEVICE double fast_cos(double angle) { return ::cos(angle); }
CUTLASS_HOST_DEVICE float fast_sin(float angle) { return ::sinf(angle); }
CUTLASS_HOST_DEVICE double fast_sin(double angle) { return ::sin(angle); }
CUTLASS_HOST_DEVICE float fast_acos(float x) { return ::acosf(x); }
CUTLASS_HOST_DEVICE double fast_acos(double x) { return ::acos(x); }
CUTLASS_HOST_DEVICE float fast_asin(float x) { return ::asinf(x); }
CUTLASS_HOST_DEVICE double fast_asin(double x) { return ::asin(x); }
CUTLASS_HOST_DEVICE float fast_sqrt(float x) { return ::sqrtf(x); }
CUTLASS_HOST_DEVICE double fast_sqrt(double x) { return ::sqrt(x); }
CUTLASS_HOST_DEVICE float fast_exp(float x) { return ::expf(x); }
CUTLASS_HOST_DEVICE double fast_exp(double x) { return ::exp(x); }
CUTLASS_HOST_DEVICE half_t fast_exp(half_t x) { return half_t(fast_exp(static_cast<float>(x))); }
CUTLASS_HOST_DEVICE float fast_log(float x) { return ::logf(x); }
CUTLASS_HOST_DEVICE double fast_log(double x) { return ::log(x); }
CUTLASS_HOST_DEVICE float fast_tanh(float x) { return tilewright::ptx::approximate_tanh(x); }
CUTLASS_HOST_DEVICE double fast_tanh(double x) { return ::tanh(x); }
CUTLASS_HOST_DEVICE half_t fast_tanh(half_t x) { return half_t(fast_tanh(static_cast<float>(x))); }

namespace detail {
/// Op of each element.
template <class Op, class T, int N>
CUTLASS_HOST_DEVICE Array<T, N> of_each(Array<T, N> const& x) {
  Array<T, N> y;
  CUTLASS_PRAGMA_UNROLL
  for (std::size_t i = 0; i < static_cast<std::size_t>(N); ++i) y[i] = Op{}(x[i]);
  return y;
}
}  // namespace detail
/// As function objects, of arrays as well.
template <class T>
struct fast_exp_op {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const { return fast_exp(x); }
};
template <class T>
struct fast_tanh_op {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const { return fast_tanh(x); }
};
template <class T, int N>
struct fast_exp_op<Array<T, N>> {
  CUTLASS_HOST_DEVICE Array<T, N> operator()(Array<T, N> const& x) const { return detail::of_each<fast_exp_op<T>>(x); }
};
template <class T, int N>
struct fast_tanh_op<Array<T, N>> {
  CUTLASS_HOST_DEVICE Array<T, N> operator()(Array<T, N> const& x) const { return detail::of_each<fast_tanh_op<T>>(x); }
};

template <class T>
CUTLASS_HOST_DEVICE constexpr T absolute_value(T x) {
  return x < T(0) ? T(-x) : x;
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T abs_for_integer(T x) {
  return absolute_value(x);
}

/// Zeros before the highest bit of 32; 32 of the number 0.
template <class T>
CUTLASS_HOST_DEVICE constexpr T clz(T x) {
  return static_cast<T>(cute::countl_zero(static_cast<unsigned>(x)));
}
/// The logarithm of base 2, rounded up.
/// pre: x > 0
template <class T>
CUTLASS_HOST_DEVICE constexpr T find_log2(T x) {
  return static_cast<T>(cute::bit_width(static_cast<unsigned>(x) - 1u));
}

}  // namespace cutlass
