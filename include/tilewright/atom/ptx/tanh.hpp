// The hyperbolic tangent by its instruction (PTX ISA, "Floating Point Instructions: tanh"; sm_75): within 2^-10.987 of the value.
// The host and earlier GPUs call the C library.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

TILEWRIGHT_FN float approximate_tanh(float x) {
#if TILEWRIGHT_ON_DEVICE
#if __CUDA_ARCH__ >= 750
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return ::tanhf(x);
#endif
#else
  return __builtin_tanhf(x);
#endif
}

}  // namespace tilewright::ptx
