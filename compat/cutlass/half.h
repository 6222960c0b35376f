// half_t and its literal.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/numeric_types.h"

/// 1.5_hf
CUTLASS_HOST_DEVICE constexpr cutlass::half_t operator""_hf(long double number) {
  return cutlass::half_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cutlass::half_t operator""_hf(unsigned long long number) {
  return cutlass::half_t(static_cast<float>(number));
}
