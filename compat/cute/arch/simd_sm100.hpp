// Arithmetic on two floats at once: one instruction from sm_100 on, two before and on a host.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/config.hpp"
#include "cute/container/cuda_vectors.hpp"
#include "tilewright/atom/ptx/float_pair.hpp"

namespace cute {

CUTE_HOST_DEVICE void add(float2& c, float2 const& a, float2 const& b) { tilewright::ptx::add_pair(c, a, b); }
CUTE_HOST_DEVICE void mul(float2& c, float2 const& a, float2 const& b) { tilewright::ptx::multiply_pair(c, a, b); }
/// d = a * b + c
CUTE_HOST_DEVICE void fma(float2& d, float2 const& a, float2 const& b, float2 const& c) {
  tilewright::ptx::multiply_add_pair(d, a, b, c);
}

}  // namespace cute
