// Function objects of numbers and of whole arrays, by CUTLASS's names: maximum<Array<float, 4>>{}(a, b) compares element by element.
#pragma once

#include "tilewright/base/config.hpp"

#include <cmath>

#include "cutlass/detail/array_type.h"
#include "cutlass/numeric_types.h"
#include "cutlass/platform/platform.h"

namespace cutlass {

namespace detail {
/// Is x not a number? Types without one have none.
template <class T>
CUTLASS_HOST_DEVICE constexpr bool is_nan_of_its_type(T const& x) {
  return x != x;
}
}  // namespace detail

template <class T>
struct plus {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a + b); }
};
template <class T>
struct minus {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a - b); }
};
template <class T>
struct multiplies {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a * b); }
};
/// The first of what it is given.
template <class T>
struct first {
  template <class... More>
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& value, More const&...) const {
    return value;
  }
};
template <class T>
struct divides {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a / b); }
};
template <class T>
struct negate {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a) const { return static_cast<T>(-a); }
};
/// *p += value, whole. In kernels of the types that CUDA's atomicAdd has.
template <class T>
struct atomic_add {
  CUTLASS_DEVICE void operator()(T* p, T const& value) const {
#if defined(__CUDACC__)
    atomicAdd(p, value);
#else
    T before, after;
    __atomic_load(p, &before, __ATOMIC_RELAXED);
    do after = before + value;
    while (!__atomic_compare_exchange(p, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
#endif
  }
};
template <class T>
struct square {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a) const { return static_cast<T>(a * a); }
};
template <class T>
struct absolute_value_op {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a) const { return a < T(0) ? static_cast<T>(-a) : a; }
};
/// 1 / a. In device code floats are divided as __fdividef does; results for |a| above 2^126 may be 0.
template <class T>
struct reciprocal_approximate {
  CUTLASS_HOST_DEVICE constexpr T operator()(T a) const { return static_cast<T>(static_cast<T>(1.0f) / a); }
};
template <>
struct reciprocal_approximate<float> {
  CUTLASS_HOST_DEVICE float operator()(float a) const {
#if TILEWRIGHT_ON_DEVICE
    return __fdividef(1.0f, a);
#else
    return 1.0f / a;
#endif
  }
};
template <>
struct reciprocal_approximate<float_ue8m0_t> {
  CUTLASS_HOST_DEVICE float_ue8m0_t operator()(float_ue8m0_t a) const {
    return static_cast<float_ue8m0_t>(1.0f / static_cast<float>(a));
  }
};
template <class T>
struct reciprocal_approximate_ftz : reciprocal_approximate<T> {};
/// 1 / the square root of a.
template <class T>
struct inverse_square_root {
  CUTLASS_HOST_DEVICE T operator()(T const& a) const {
#if TILEWRIGHT_ON_DEVICE
    return static_cast<T>(rsqrtf(static_cast<float>(a)));
#else
    return static_cast<T>(1.0f / std::sqrt(static_cast<float>(a)));
#endif
  }
};
template <class T>
struct scale {
  T const scaling_factor_;
  CUTLASS_HOST_DEVICE explicit constexpr scale(float factor) : scaling_factor_(static_cast<T>(factor)) {}
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a) const { return static_cast<T>(a * scaling_factor_); }
};
template <class T>
struct greater {
  CUTLASS_HOST_DEVICE constexpr bool operator()(T const& a, T const& b) const { return a > b; }
};
template <class T>
struct greater_equal {
  CUTLASS_HOST_DEVICE constexpr bool operator()(T const& a, T const& b) const { return a >= b; }
};
template <class T>
struct less {
  CUTLASS_HOST_DEVICE constexpr bool operator()(T const& a, T const& b) const { return a < b; }
};
template <class T>
struct less_equal {
  CUTLASS_HOST_DEVICE constexpr bool operator()(T const& a, T const& b) const { return a <= b; }
};

/// The larger one. Of NaN and a number: the number, or NaN where that is propagated.
template <class T, bool PropagateNaN = false>
struct maximum {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const {
    if (detail::is_nan_of_its_type(a)) return PropagateNaN ? a : b;
    if (detail::is_nan_of_its_type(b)) return PropagateNaN ? b : a;
    return a < b ? b : a;
  }
};
template <class T, bool PropagateNaN = false>
struct minimum {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const {
    if (detail::is_nan_of_its_type(a)) return PropagateNaN ? a : b;
    if (detail::is_nan_of_its_type(b)) return PropagateNaN ? b : a;
    return b < a ? b : a;
  }
};
template <>
struct maximum<float, false> {
  CUTLASS_HOST_DEVICE float operator()(float a, float b) const { return ::fmaxf(a, b); }
};
template <>
struct minimum<float, false> {
  CUTLASS_HOST_DEVICE float operator()(float a, float b) const { return ::fminf(a, b); }
};
template <class T>
struct maximum_with_nan_propagation : maximum<T, true> {};
template <class T>
struct minimum_with_nan_propagation : minimum<T, true> {};
template <class T>
struct maximum_with_default_nan_propagation : maximum<T> {};
template <class T>
struct maximum_absolute_value {
  CUTLASS_HOST_DEVICE constexpr float operator()(T const& a, T const& b) const {
    absolute_value_op<T> const absolute{};
    return static_cast<float>(maximum<T>{}(absolute(a), absolute(b)));
  }
};

/// The larger one of a, which is no negative number, and the absolute value of b. Of an array: with all its elements.
template <class T, bool PropagateNaN = false>
struct maximum_absolute_value_reduction {
  CUTLASS_HOST_DEVICE constexpr float operator()(T const& a, T const& b) const {
    return static_cast<float>(maximum<T, PropagateNaN>{}(a, absolute_value_op<T>{}(b)));
  }
};

/// a * b + c in C's type.
template <class A, class B = A, class C = A>
struct multiply_add {
  CUTLASS_HOST_DEVICE constexpr C operator()(A const& a, B const& b, C const& c) const {
    return static_cast<C>(static_cast<C>(a) * static_cast<C>(b) + c);
  }
};
template <class A, class B = A, class C = A>
struct multiply_add_relu0 {
  CUTLASS_HOST_DEVICE constexpr C operator()(A const& a, B const& b, C const& c) const {
    return maximum<C>{}(multiply_add<A, B, C>{}(a, b, c), C(0));
  }
};
template <class A>
struct homogeneous_multiply_add : multiply_add<A, A, A> {};

template <class T>
struct logical_and {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a && b); }
};
template <class T>
struct logical_or {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a || b); }
};
template <class T>
struct logical_not {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a) const { return static_cast<T>(!a); }
};
template <class T>
struct bit_and {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a & b); }
};
template <class T>
struct bit_or {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a | b); }
};
template <class T>
struct bit_xor {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, T const& b) const { return static_cast<T>(a ^ b); }
};
template <class T>
struct bit_not {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a) const { return static_cast<T>(~a); }
};

namespace detail {
/// Element by element; a number means an array of it.
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr T element_of(Array<T, N> const& a, int i) {
  return a[static_cast<std::size_t>(i)];
}
template <class T>
CUTLASS_HOST_DEVICE constexpr T const& element_of(T const& a, int) {
  return a;
}
template <class T, int N, class Op, class... A>
CUTLASS_HOST_DEVICE constexpr Array<T, N> of_elements(Op const& op, A const&... a) {
  Array<T, N> out{};
  CUTLASS_PRAGMA_UNROLL
  for (int i = 0; i < N; ++i) out[static_cast<std::size_t>(i)] = op(element_of(a, i)...);
  return out;
}
/// The binary operation Op on arrays, or on an array and a number.
template <class T, int N, class Op>
struct on_arrays {
  CUTLASS_HOST_DEVICE constexpr Array<T, N> operator()(Array<T, N> const& a, Array<T, N> const& b) const {
    return of_elements<T, N>(Op{}, a, b);
  }
  CUTLASS_HOST_DEVICE constexpr Array<T, N> operator()(Array<T, N> const& a, T const& b) const {
    return of_elements<T, N>(Op{}, a, b);
  }
  CUTLASS_HOST_DEVICE constexpr Array<T, N> operator()(T const& a, Array<T, N> const& b) const {
    return of_elements<T, N>(Op{}, a, b);
  }
};
}  // namespace detail

template <class T, int N>
struct plus<Array<T, N>> : detail::on_arrays<T, N, plus<T>> {};
template <class T, int N>
struct minus<Array<T, N>> : detail::on_arrays<T, N, minus<T>> {};
template <class T, int N>
struct multiplies<Array<T, N>> : detail::on_arrays<T, N, multiplies<T>> {};
template <class T, int N>
struct divides<Array<T, N>> : detail::on_arrays<T, N, divides<T>> {};
template <class T, int N, bool PropagateNaN>
struct maximum<Array<T, N>, PropagateNaN> : detail::on_arrays<T, N, maximum<T, PropagateNaN>> {};
template <class T, int N, bool PropagateNaN>
struct minimum<Array<T, N>, PropagateNaN> : detail::on_arrays<T, N, minimum<T, PropagateNaN>> {};
template <class T, int N>
struct reciprocal_approximate<Array<T, N>> {
  CUTLASS_HOST_DEVICE Array<T, N> operator()(Array<T, N> const& a) const {
    Array<T, N> result;
    for (std::size_t i = 0; i < std::size_t{N}; ++i) result[i] = reciprocal_approximate<T>{}(a[i]);
    return result;
  }
};
template <class T, int N>
struct negate<Array<T, N>> {
  CUTLASS_HOST_DEVICE constexpr Array<T, N> operator()(Array<T, N> const& a) const {
    return detail::of_elements<T, N>(negate<T>{}, a);
  }
};
template <class T, int N>
struct absolute_value_op<Array<T, N>> {
  CUTLASS_HOST_DEVICE constexpr Array<T, N> operator()(Array<T, N> const& a) const {
    return detail::of_elements<T, N>(absolute_value_op<T>{}, a);
  }
};
template <class T, int N>
struct scale<Array<T, N>> {
  T const scaling_factor_;
  CUTLASS_HOST_DEVICE explicit constexpr scale(T factor) : scaling_factor_(factor) {}
  CUTLASS_HOST_DEVICE constexpr Array<T, N> operator()(Array<T, N> const& a) const {
    return detail::of_elements<T, N>(multiplies<T>{}, a, scaling_factor_);
  }
};
/// Each of the factors may be a number.
template <class T, int N>
struct multiply_add<Array<T, N>, Array<T, N>, Array<T, N>> {
  template <class A, class B, class C>
  CUTLASS_HOST_DEVICE constexpr Array<T, N> operator()(A const& a, B const& b, C const& c) const {
    return detail::of_elements<T, N>(multiply_add<T>{}, a, b, c);
  }
};

template <class T, int N, bool PropagateNaN>
struct maximum_absolute_value_reduction<Array<T, N>, PropagateNaN> {
  CUTLASS_HOST_DEVICE constexpr T operator()(T const& a, Array<T, N> const& b) const {
    T largest = a;
    CUTLASS_PRAGMA_UNROLL
    for (int i = 0; i < N; ++i)
      largest =
          maximum<T, PropagateNaN>{}(largest, absolute_value_op<T>{}(static_cast<T>(b[static_cast<std::size_t>(i)])));
    return largest;
  }
};

// Arithmetic of whole arrays.
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> operator+(Array<T, N> const& a, Array<T, N> const& b) {
  return plus<Array<T, N>>{}(a, b);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> operator+(T const& a, Array<T, N> const& b) {
  return plus<Array<T, N>>{}(a, b);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> operator+(Array<T, N> const& a, T const& b) {
  return plus<Array<T, N>>{}(a, b);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> operator-(Array<T, N> const& a, Array<T, N> const& b) {
  return minus<Array<T, N>>{}(a, b);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> operator-(Array<T, N> const& a) {
  return negate<Array<T, N>>{}(a);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> operator*(Array<T, N> const& a, Array<T, N> const& b) {
  return multiplies<Array<T, N>>{}(a, b);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> operator*(T a, Array<T, N> const& b) {
  return multiplies<Array<T, N>>{}(a, b);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> operator*(Array<T, N> const& a, T b) {
  return multiplies<Array<T, N>>{}(a, b);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> operator/(Array<T, N> const& a, Array<T, N> const& b) {
  return divides<Array<T, N>>{}(a, b);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> fma(Array<T, N> const& a, Array<T, N> const& b, Array<T, N> const& c) {
  return multiply_add<Array<T, N>>{}(a, b, c);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> fma(T a, Array<T, N> const& b, Array<T, N> const& c) {
  return multiply_add<Array<T, N>>{}(a, b, c);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> fma(Array<T, N> const& a, T b, Array<T, N> const& c) {
  return multiply_add<Array<T, N>>{}(a, b, c);
}
template <class T, int N>
CUTLASS_HOST_DEVICE constexpr Array<T, N> fma(Array<T, N> const& a, Array<T, N> const& b, T c) {
  return multiply_add<Array<T, N>>{}(a, b, c);
}

}  // namespace cutlass
