// bfloat16_t and its literal.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/numeric_types.h"

/// 1.5_bf16
CUTLASS_HOST_DEVICE constexpr cutlass::bfloat16_t operator""_bf16(long double number) {
  return cutlass::bfloat16_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cutlass::bfloat16_t operator""_bf16(unsigned long long number) {
  return cutlass::bfloat16_t(static_cast<float>(number));
}
