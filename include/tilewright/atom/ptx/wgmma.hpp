// Matrix products of a warpgroup (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions: wgmma"; sm_90a). One
// instruction for each number of result registers; its types and its immediates are texts that the compiler inserts, so that
// the family is not listed: m64n128k16.f32.f16.f16 is made from (128, 16, float, half_t, half_t). CUDA 12.4 or later.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/chars.hpp"
#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
inline constexpr bool has_wgmma = true;
#else
inline constexpr bool has_wgmma = false;
#endif
inline constexpr char const* needs_wgmma =
    "matrix products of a warpgroup need sm_90a; compile for that (-arch=sm_90a), or use an atom of SM80";

TILEWRIGHT_FN void wgmma_fence() {
  if constexpr (has_wgmma) asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  else refuse(needs_wgmma);
}
TILEWRIGHT_FN void wgmma_commit_group() {
  if constexpr (has_wgmma) asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  else refuse(needs_wgmma);
}
template <int N>
TILEWRIGHT_FN void wgmma_wait_group() {
  if constexpr (has_wgmma) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
  else refuse(needs_wgmma);
}
/// The compiler may move no access of the register across it.
TILEWRIGHT_FN void wgmma_hold_register(float& r) { asm volatile("" : "+f"(r)::"memory"); }
TILEWRIGHT_FN void wgmma_hold_register(std::uint32_t& r) { asm volatile("" : "+r"(r)::"memory"); }

/// What follows the scale of D: signs, and the major modes of 16-bit operands that are in shared memory.
template <bool IsInteger, bool HasMajors, bool ReadsA, int ScaleA, int ScaleB, int MajorA, int MajorB>
struct gmma_tail {
  using signs = typename joined<immediate_chars<ScaleA>, immediate_chars<ScaleB>>::type;
  using majors =
      typename joined<std::conditional_t<ReadsA, immediate_chars<MajorA>, chars<>>, immediate_chars<MajorB>>::type;
  using type = std::conditional_t<IsInteger, chars<>,
                                  std::conditional_t<HasMajors, typename joined<signs, majors>::type, signs>>;
};

/// d += A·B, or A·B where scale_d is 0; A and B by their descriptors, or A by its registers. Types is ".f32.f16.f16" and its
/// like, Tail what follows scale_d: signs, and the major modes of 16-bit operands.
#define TILEWRIGHT_X(COUNT, LIST, N0, N1, N2, N3, N4, N5, N6, N7, N8, N9, ...)                                   \
  template <int N, int K, class Types, class Tail>                                                               \
  TILEWRIGHT_FN void wgmma(float(&d)[COUNT], std::uint64_t a, std::uint64_t b, int scale_d) {                    \
    if constexpr (has_wgmma)                                                                                     \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " N2 ", 0;\nwgmma.mma_async.sync.aligned.m64n" N5 "k" N6 N3 \
                   " {" LIST "}, " N0 ", " N1 ", p" N4 ";\n}\n"                                                  \
                   : __VA_ARGS__                                                                                 \
                   : "l"(a), "l"(b), "r"(scale_d), "C"(Types::value), "C"(Tail::value), "n"(N), "n"(K));         \
    else refuse(needs_wgmma);                                                                                    \
  }                                                                                                              \
  template <int N, int K, class Types, class Tail>                                                               \
  TILEWRIGHT_FN void wgmma(float(&d)[COUNT], std::uint32_t const(&a)[4], std::uint64_t b, int scale_d) {         \
    if constexpr (has_wgmma)                                                                                     \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " N5 ", 0;\nwgmma.mma_async.sync.aligned.m64n" N8 "k" N9 N6 \
                   " {" LIST "}, {" N0 ", " N1 ", " N2 ", " N3 "}, " N4 ", p" N7 ";\n}\n"                        \
                   : __VA_ARGS__                                                                                 \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d), "C"(Types::value),        \
                     "C"(Tail::value), "n"(N), "n"(K));                                                          \
    else refuse(needs_wgmma);                                                                                    \
  }
#include "tilewright/atom/ptx/wgmma_float.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(COUNT, LIST, N0, N1, N2, N3, N4, N5, N6, N7, N8, N9, ...)                                   \
  template <int N, int K, class Types, class Tail>                                                               \
  TILEWRIGHT_FN void wgmma(std::uint32_t(&d)[COUNT], std::uint64_t a, std::uint64_t b, int scale_d) {            \
    if constexpr (has_wgmma)                                                                                     \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " N2 ", 0;\nwgmma.mma_async.sync.aligned.m64n" N5 "k" N6 N3 \
                   " {" LIST "}, " N0 ", " N1 ", p" N4 ";\n}\n"                                                  \
                   : __VA_ARGS__                                                                                 \
                   : "l"(a), "l"(b), "r"(scale_d), "C"(Types::value), "C"(Tail::value), "n"(N), "n"(K));         \
    else refuse(needs_wgmma);                                                                                    \
  }                                                                                                              \
  template <int N, int K, class Types, class Tail>                                                               \
  TILEWRIGHT_FN void wgmma(std::uint32_t(&d)[COUNT], std::uint32_t const(&a)[4], std::uint64_t b, int scale_d) { \
    if constexpr (has_wgmma)                                                                                     \
      asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " N5 ", 0;\nwgmma.mma_async.sync.aligned.m64n" N8 "k" N9 N6 \
                   " {" LIST "}, {" N0 ", " N1 ", " N2 ", " N3 "}, " N4 ", p" N7 ";\n}\n"                        \
                   : __VA_ARGS__                                                                                 \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d), "C"(Types::value),        \
                     "C"(Tail::value), "n"(N), "n"(K));                                                          \
    else refuse(needs_wgmma);                                                                                    \
  }
#include "tilewright/atom/ptx/wgmma_word.def"
#undef TILEWRIGHT_X

#endif

}  // namespace tilewright::ptx
