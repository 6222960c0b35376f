// Matrix products of a warpgroup with a sparse A (PTX ISA, "wgmma.mma_async.sp"; sm_90a), as atom/ptx/wgmma.hpp has those with a
// dense one. The metadata and the sparsity selector follow the operands. CUDA 12.4 or later.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/wgmma.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

/// d += A·B, or A·B where scale_d is 0; A and B by their descriptors, or A by its registers. Types is "n64k32.f32.f16.f16" and its
/// like, Selector ", 0" or ", 1", Tail what follows scale_d: signs, and the major modes of 16-bit operands.
#define TILEWRIGHT_X(COUNT, LIST, N0, N1, N2, N3, N4, N5, N6, N7, N8, N9, ...)                                         \
  template <class Types, class Selector, class Tail>                                                                   \
  TILEWRIGHT_FN void wgmma_sparse(float(&d)[COUNT], std::uint64_t a, std::uint64_t b, std::uint32_t e, int scale_d) {  \
    if constexpr (has_wgmma)                                                                                           \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " N3 ", 0;\nwgmma.mma_async.sp.sync.aligned.m64" N4 " {" LIST     \
                   "}, " N0 ", " N1 ", " N2 N5 ", p" N6 ";\n}\n"                                                       \
                   : __VA_ARGS__                                                                                       \
                   : "l"(a), "l"(b), "r"(e), "r"(scale_d), "C"(Types::value), "C"(Selector::value), "C"(Tail::value)); \
    else refuse(needs_wgmma);                                                                                          \
  }                                                                                                                    \
  template <class Types, class Selector, class Tail>                                                                   \
  TILEWRIGHT_FN void wgmma_sparse(float(&d)[COUNT], std::uint32_t const(&a)[4], std::uint64_t b, std::uint32_t e,      \
                                  int scale_d) {                                                                       \
    if constexpr (has_wgmma)                                                                                           \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " N6 ", 0;\nwgmma.mma_async.sp.sync.aligned.m64" N7 " {" LIST     \
                   "}, {" N0 ", " N1 ", " N2 ", " N3 "}, " N4 ", " N5 N8 ", p" N9 ";\n}\n"                             \
                   : __VA_ARGS__                                                                                       \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(e), "r"(scale_d), "C"(Types::value),      \
                     "C"(Selector::value), "C"(Tail::value));                                                          \
    else refuse(needs_wgmma);                                                                                          \
  }
#include "tilewright/atom/ptx/wgmma_float.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(COUNT, LIST, N0, N1, N2, N3, N4, N5, N6, N7, N8, N9, ...)                                         \
  template <class Types, class Selector, class Tail>                                                                   \
  TILEWRIGHT_FN void wgmma_sparse(std::uint32_t(&d)[COUNT], std::uint64_t a, std::uint64_t b, std::uint32_t e,         \
                                  int scale_d) {                                                                       \
    if constexpr (has_wgmma)                                                                                           \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " N3 ", 0;\nwgmma.mma_async.sp.sync.aligned.m64" N4 " {" LIST     \
                   "}, " N0 ", " N1 ", " N2 N5 ", p" N6 ";\n}\n"                                                       \
                   : __VA_ARGS__                                                                                       \
                   : "l"(a), "l"(b), "r"(e), "r"(scale_d), "C"(Types::value), "C"(Selector::value), "C"(Tail::value)); \
    else refuse(needs_wgmma);                                                                                          \
  }                                                                                                                    \
  template <class Types, class Selector, class Tail>                                                                   \
  TILEWRIGHT_FN void wgmma_sparse(std::uint32_t(&d)[COUNT], std::uint32_t const(&a)[4], std::uint64_t b,               \
                                  std::uint32_t e, int scale_d) {                                                      \
    if constexpr (has_wgmma)                                                                                           \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " N6 ", 0;\nwgmma.mma_async.sp.sync.aligned.m64" N7 " {" LIST     \
                   "}, {" N0 ", " N1 ", " N2 ", " N3 "}, " N4 ", " N5 N8 ", p" N9 ";\n}\n"                             \
                   : __VA_ARGS__                                                                                       \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(e), "r"(scale_d), "C"(Types::value),      \
                     "C"(Selector::value), "C"(Tail::value));                                                          \
    else refuse(needs_wgmma);                                                                                          \
  }
#include "tilewright/atom/ptx/wgmma_word.def"
#undef TILEWRIGHT_X

#endif

}  // namespace tilewright::ptx
