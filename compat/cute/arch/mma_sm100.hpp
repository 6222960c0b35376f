// Matrix operations of one thread that multiply two floats at once (sm_100; elsewhere two instructions).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma.hpp"
#include "cute/arch/simd_sm100.hpp"

namespace cute {

/// Two rows of A.
struct SM100_2x1x1_F32F32F32F32 {
  using DRegisters = float2[1];
  using ARegisters = float2[1];
  using BRegisters = float[1];
  using CRegisters = float2[1];
  CUTE_HOST_DEVICE static void fma(float2& d01, float2 const& a01, float const& b0, float2 const& c01) {
    cute::fma(d01, a01, float2{b0, b0}, c01);
  }
};
/// Two columns of B.
struct SM100_1x2x1_F32F32F32F32 {
  using DRegisters = float2[1];
  using ARegisters = float[1];
  using BRegisters = float2[1];
  using CRegisters = float2[1];
  CUTE_HOST_DEVICE static void fma(float2& d01, float const& a0, float2 const& b01, float2 const& c01) {
    cute::fma(d01, float2{a0, a0}, b01, c01);
  }
};

}  // namespace cute
