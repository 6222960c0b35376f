// Activation functions by CUTLASS's names, of numbers and of whole arrays: ReLu<float>{}(-1.0f) == 0.
#pragma once

#include "tilewright/base/config.hpp"

#include <cmath>

#include "cutlass/array.h"
#include "cutlass/numeric_conversion.h"
#include "cutlass/numeric_types.h"

namespace cutlass::epilogue::thread {

namespace detail {
/// An activation of each element.
template <template <class> class Activation, class T, int N>
struct activation_of_each {
  CUTLASS_HOST_DEVICE Array<T, N> operator()(Array<T, N> const& x) const {
    Array<T, N> out{};
    for (int i = 0; i < N; ++i) out[i] = Activation<T>{}(x[i]);
    return out;
  }
};
/// exp, tanh and erf in float; double for double.
template <class T>
using activation_number = std::conditional_t<std::is_same_v<T, double>, double, float>;
template <class T>
CUTLASS_HOST_DEVICE activation_number<T> sigmoid(T const& x) {
  using number = activation_number<T>;
  return number(1) / (number(1) + std::exp(-static_cast<number>(x)));
}
}  // namespace detail

template <class T>
struct Identity {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const { return x; }
};
template <class T>
struct ReLu {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const { return x < T(0) ? T(0) : x; }
};
template <class T, int N>
struct ReLu<Array<T, N>> : detail::activation_of_each<ReLu, T, N> {};
template <class T>
using ReLU = ReLu<T>;

/// leaky_alpha: the slope below 0
template <class T>
struct LeakyReLU {
  CUTLASS_HOST_DEVICE T operator()(T const& x, T const& leaky_alpha) const {
    return x < T(0) ? static_cast<T>(x * leaky_alpha) : x;
  }
};
template <class T>
struct Tanh {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const {
    return static_cast<T>(std::tanh(static_cast<detail::activation_number<T>>(x)));
  }
};
template <class T, int N>
struct Tanh<Array<T, N>> : detail::activation_of_each<Tanh, T, N> {};
template <class T>
struct Sigmoid {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const { return static_cast<T>(detail::sigmoid(x)); }
};
template <class T, int N>
struct Sigmoid<Array<T, N>> : detail::activation_of_each<Sigmoid, T, N> {};
/// x * sigmoid(x)
template <class T>
struct SiLu {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const {
    return static_cast<T>(static_cast<detail::activation_number<T>>(x) * detail::sigmoid(x));
  }
};
template <class T, int N>
struct SiLu<Array<T, N>> : detail::activation_of_each<SiLu, T, N> {};
/// x * min(max(x + 3, 0), 6) / 6
template <class T>
struct HardSwish {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const {
    using number = detail::activation_number<T>;
    number const v = static_cast<number>(x), up = v + number(3);
    number const bounded = up < number(0) ? number(0) : up > number(6) ? number(6) : up;
    return static_cast<T>(v * bounded / number(6));
  }
};
template <class T, int N>
struct HardSwish<Array<T, N>> : detail::activation_of_each<HardSwish, T, N> {};
/// x * (1 + erf(x / sqrt(2))) / 2
template <class T>
struct GELU {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const {
    using number = detail::activation_number<T>;
    number const v = static_cast<number>(x);
    return static_cast<T>(v * (number(1) + std::erf(v * number(0.70710678118654752))) / number(2));
  }
};
template <class T, int N>
struct GELU<Array<T, N>> : detail::activation_of_each<GELU, T, N> {};
/// GELU by tanh: x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x³))) / 2
template <class T>
struct GELU_taylor {
  CUTLASS_HOST_DEVICE T operator()(T const& x) const {
    using number = detail::activation_number<T>;
    number const v = static_cast<number>(x);
    number const inner = number(0.79788456080286536) * v * (number(1) + number(0.044715) * v * v);
    return static_cast<T>(v * (number(1) + std::tanh(inner)) / number(2));
  }
};
template <class T, int N>
struct GELU_taylor<Array<T, N>> : detail::activation_of_each<GELU_taylor, T, N> {};

}  // namespace cutlass::epilogue::thread
