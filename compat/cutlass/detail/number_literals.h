// Numbers of CUTLASS's types as literals: 1.5_hf, 2_bf16, 0.5_tf32, 7_fe4m3, 7_fe5m2.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/numeric_types.hpp"
#include "cutlass/cutlass.h"

CUTLASS_HOST_DEVICE constexpr cute::half_t operator""_hf(long double number) {
  return cute::half_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cute::half_t operator""_hf(unsigned long long number) {
  return cute::half_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cute::bfloat16_t operator""_bf16(long double number) {
  return cute::bfloat16_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cute::bfloat16_t operator""_bf16(unsigned long long number) {
  return cute::bfloat16_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cute::tfloat32_t operator""_tf32(long double number) {
  return cute::tfloat32_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cute::tfloat32_t operator""_tf32(unsigned long long number) {
  return cute::tfloat32_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cute::float_e4m3_t operator""_fe4m3(long double number) {
  return cute::float_e4m3_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cute::float_e4m3_t operator""_fe4m3(unsigned long long number) {
  return cute::float_e4m3_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cute::float_e5m2_t operator""_fe5m2(long double number) {
  return cute::float_e5m2_t(static_cast<float>(number));
}
CUTLASS_HOST_DEVICE constexpr cute::float_e5m2_t operator""_fe5m2(unsigned long long number) {
  return cute::float_e5m2_t(static_cast<float>(number));
}
