// CUDA's own types of small floats, by name alone: their headers (cuda_fp16.h, cuda_bf16.h, cuda_fp8.h) are the program's to
// include, and until then the types are incomplete and no conversion to or from them is used.
#pragma once

#include "tilewright/base/config.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names
struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;

namespace tilewright::detail {

struct no_cuda_float;

/// CUDA's type with a sign, E exponent and M mantissa bits.
template <int E, int M>
struct cuda_float {
  using type = no_cuda_float;
};
template <>
struct cuda_float<5, 10> {
  using type = ::__half;
};
template <>
struct cuda_float<8, 7> {
  using type = ::__nv_bfloat16;
};
template <>
struct cuda_float<4, 3> {
  using type = ::__nv_fp8_e4m3;
};
template <>
struct cuda_float<5, 2> {
  using type = ::__nv_fp8_e5m2;
};
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace tilewright::detail
