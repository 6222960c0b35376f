// real, imag and conj of plain numbers, so that generic code need not ask.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/numeric_types.hpp"

namespace cute {

template <class T>
requires(std::is_arithmetic_v<T>) CUTE_HOST_DEVICE constexpr T real(T const& a) { return a; }
template <class T>
requires(std::is_arithmetic_v<T>) CUTE_HOST_DEVICE constexpr T imag(T const&) { return T(0); }
template <class T>
requires(std::is_arithmetic_v<T>) CUTE_HOST_DEVICE constexpr T conj(T const& a) { return a; }

}  // namespace cute
