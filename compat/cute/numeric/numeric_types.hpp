// Floating-point types by name, and how many bits any element type has in a tensor.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/int.hpp"
#include "cute/numeric/small_float.hpp"

namespace cute {

using tilewright::sizeof_bits;
using tilewright::sizeof_bits_v;  // not one of its own: nvcc refuses that as an unsigned template argument

template <class T>
struct is_subbyte : bool_constant<(sizeof_bits_v<std::remove_cv_t<T>> < 8)> {};
template <class T>
inline constexpr bool is_subbyte_v = is_subbyte<T>::value;

/// The whole bytes that hold so many bits; of a constant, a number.
template <class T>
CUTE_HOST_DEVICE constexpr auto bits_to_bytes(T const bits) {
  if constexpr (tilewright::is_constant_v<T>) return bits_to_bytes(T::value);
  else return (bits + T(7)) / T(8);
}
template <class T>
CUTE_HOST_DEVICE constexpr auto bytes_to_bits(T const bytes) {
  if constexpr (tilewright::is_constant_v<T>) return bytes_to_bits(T::value);
  else return bytes * T(8);
}

}  // namespace cute
