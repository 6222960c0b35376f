// The matrix instructions of quad pairs and warps (PTX ISA, "Multiply-and-accumulate instruction: mma"): a function for each
// number of registers that D, A and B have; the instructions with so many are the rows of one .def file. Floats are passed
// as their bits, for a PTX register without a type holds any type of its width.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"

namespace tilewright {

// The operations that the rows name.
#define TILEWRIGHT_X(NAME, ...) struct NAME;
#include "tilewright/atom/ptx/mma_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_d2_a2_b1.def"
#include "tilewright/atom/ptx/mma_d2_a4_b2.def"
#include "tilewright/atom/ptx/mma_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d4_a8_b4.def"
#include "tilewright/atom/ptx/mma_quad_pair_d4_a2_b2.def"
#include "tilewright/atom/ptx/mma_quad_pair_d8_a2_b2.def"
#undef TILEWRIGHT_X

namespace ptx {

#if TILEWRIGHT_ON_DEVICE

/// The architecture that this pass compiles for: 80 for sm_80.
inline constexpr int compiled_for = __CUDA_ARCH__ / 10;

template <class Op>
TILEWRIGHT_FN void mma(std::uint32_t (&d)[2], std::uint32_t const (&a)[1], std::uint32_t const (&b)[1],
                       std::uint32_t const (&c)[2]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)                                                   \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(TEXT " {%0, %1}, {%2}, {%3}, {%4, %5};"                                                             \
                   : "=r"(d[0]), "=r"(d[1])                                                                            \
                   : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]));                                                      \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_d2_a1_b1.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void mma(std::uint32_t (&d)[2], std::uint32_t const (&a)[2], std::uint32_t const (&b)[1],
                       std::uint32_t const (&c)[2]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)                                                   \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(TEXT " {%0, %1}, {%2, %3}, {%4}, {%5, %6};"                                                         \
                   : "=r"(d[0]), "=r"(d[1])                                                                            \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]));                                           \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_d2_a2_b1.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void mma(std::uint32_t (&d)[2], std::uint32_t const (&a)[4], std::uint32_t const (&b)[2],
                       std::uint32_t const (&c)[2]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)                                                   \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(TEXT " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"                                             \
                   : "=r"(d[0]), "=r"(d[1])                                                                            \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]));          \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_d2_a4_b2.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void mma(std::uint32_t (&d)[4], std::uint32_t const (&a)[2], std::uint32_t const (&b)[1],
                       std::uint32_t const (&c)[4]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)                                                   \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(TEXT " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"                                        \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                    \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));                     \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_d4_a2_b1.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void mma(std::uint32_t (&d)[4], std::uint32_t const (&a)[4], std::uint32_t const (&b)[2],
                       std::uint32_t const (&c)[4]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)                                                   \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(TEXT " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"                         \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                    \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),           \
                     "r"(c[2]), "r"(c[3]));                                                                            \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_d4_a4_b2.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void mma(double (&d)[2], double const (&a)[1], double const (&b)[1], double const (&c)[2]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)                                                   \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(TEXT " {%0, %1}, {%2}, {%3}, {%4, %5};"                                                             \
                   : "=d"(d[0]), "=d"(d[1])                                                                            \
                   : "d"(a[0]), "d"(b[0]), "d"(c[0]), "d"(c[1]));                                                      \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_f64_d2_a1_b1.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void mma(double (&d)[4], double const (&a)[2], double const (&b)[1], double const (&c)[4]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)                                                   \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(TEXT " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"                                        \
                   : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])                                                    \
                   : "d"(a[0]), "d"(a[1]), "d"(b[0]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));                     \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_f64_d4_a2_b1.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void mma(double (&d)[4], double const (&a)[4], double const (&b)[2], double const (&c)[4]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)                                                   \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(TEXT " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"                         \
                   : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])                                                    \
                   : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]), "d"(c[0]), "d"(c[1]),           \
                     "d"(c[2]), "d"(c[3]));                                                                            \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_f64_d4_a4_b2.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void mma(double (&d)[4], double const (&a)[8], double const (&b)[4], double const (&c)[4]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)                                                   \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(                                                                                                    \
          TEXT " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19};"    \
          : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])                                                             \
          : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),         \
            "d"(b[1]), "d"(b[2]), "d"(b[3]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));                              \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_f64_d4_a8_b4.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void quad_pair_mma(std::uint32_t (&d)[4], std::uint32_t const (&a)[2], std::uint32_t const (&b)[2],
                                 std::uint32_t const (&c)[4]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, D, ORDER_A, ORDER_B, TEXT)                                                      \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(TEXT " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11};"                                   \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                    \
                   : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));          \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_quad_pair_d4_a2_b2.def"
#undef TILEWRIGHT_X
}
template <class Op>
TILEWRIGHT_FN void quad_pair_mma(std::uint32_t (&d)[8], std::uint32_t const (&a)[2], std::uint32_t const (&b)[2],
                                 std::uint32_t const (&c)[8]) {
#define TILEWRIGHT_X(NAME, CAPABILITY, D, ORDER_A, ORDER_B, TEXT)                                                      \
  if constexpr (std::is_same_v<Op, NAME>) {                                                                            \
    if constexpr (compiled_for >= CAPABILITY)                                                                          \
      asm volatile(                                                                                                    \
          TEXT " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"    \
          : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7])             \
          : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]),         \
            "r"(c[5]), "r"(c[6]), "r"(c[7]));                                                                          \
    else refuse(#NAME " needs an architecture of sm_" #CAPABILITY " or later; compile for that, or use another atom"); \
  }
#include "tilewright/atom/ptx/mma_quad_pair_d8_a2_b2.def"
#undef TILEWRIGHT_X
}

#endif

}  // namespace ptx
}  // namespace tilewright
