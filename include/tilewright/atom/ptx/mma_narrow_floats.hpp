// The matrix instruction of a warp on floats of 8, 6 and 4 bits, each in a byte (PTX ISA, "Multiply-and-accumulate instruction: mma",
// .kind::f8f6f4; sm_120a).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/chars.hpp"
#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

#if defined(__CUDA_ARCH_FEAT_SM120_ALL) || defined(__CUDA_ARCH_FEAT_SM121_ALL)
inline constexpr bool has_mma_of_narrow_floats = true;
#else
inline constexpr bool has_mma_of_narrow_floats = false;
#endif

/// d (16,8) = a (16,32) · b (8,32) + c, in floats.
template <class A, class B>
TILEWRIGHT_FN void mma_narrow_floats(float (&d)[4], std::uint32_t const (&a)[4], std::uint32_t const (&b)[2],
                                     float const (&c)[4]) {
  if constexpr (has_mma_of_narrow_floats)
    asm volatile(
        "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32%14%15.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %11, %12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]),
          "C"(element_chars<A>::type::value), "C"(element_chars<B>::type::value));
  else refuse("SM120_16x8x32_TN needs sm_120a; compile for that, or use SM89_16x8x32_F32E4M3E4M3F32_TN");
}

#endif

}  // namespace tilewright::ptx
