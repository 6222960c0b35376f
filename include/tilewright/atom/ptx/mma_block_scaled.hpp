// The matrix instructions of a warp of SM120 that multiply by factors of blocks, or by a sparse A, or both (PTX ISA,
// "Multiply-and-accumulate instruction: mma" with .block_scale, and "mma.sp::ordered_metadata"; sm_120a). The factors and metadata are
// those of byte 0 and thread 0 of each group of four threads.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/chars.hpp"
#include "tilewright/atom/ptx/mma_narrow_floats.hpp"
#include "tilewright/atom/ptx/target.hpp"

namespace tilewright::ptx {

template <>
struct element_chars<float_ue8m0_t> {
  using type = chars<'.', 'u', 'e', '8', 'm', '0'>;
};
template <>
struct element_chars<float_ue4m3_t> {
  using type = chars<'.', 'u', 'e', '4', 'm', '3'>;
};

/// ".block_scale.scale_vec::4X": so many factors in a row of an instruction.
template <int Factors>
using block_scale_chars = chars<'.', 'b', 'l', 'o', 'c', 'k', '_', 's', 'c', 'a', 'l', 'e', '.', 's', 'c', 'a', 'l',
                                'e', '_', 'v', 'e', 'c', ':', ':', static_cast<char>('0' + Factors), 'X'>;
using mxf8f6f4_chars = chars<'m', 'x', 'f', '8', 'f', '6', 'f', '4'>;
using mxf4nvf4_chars = chars<'m', 'x', 'f', '4', 'n', 'v', 'f', '4'>;

/// Elements of 4 bits packed (two or four factors) or in a byte each (one).
template <int Factors>
using block_scaled_kind =
    typename joined<std::conditional_t<Factors == 1, mxf8f6f4_chars, mxf4nvf4_chars>, block_scale_chars<Factors>>::type;
#if TILEWRIGHT_ON_DEVICE

/// Four factors of a row are float_ue4m3_t.
template <class F, int Factors>
inline constexpr bool has_mma_of_factors = has_mma_of_narrow_floats &&
                                           (Factors < 4 || std::is_same_v<F, float_ue4m3_t>);

/// d (16,8) = a (16,K) · b (8,K) + c, each block of a row's elements by its factor.
template <class A, class B, class F, int Factors, int K>
TILEWRIGHT_FN void mma_block_scaled(float (&d)[4], std::uint32_t const (&a)[4], std::uint32_t const (&b)[2],
                                    float const (&c)[4], std::uint32_t factors_a, std::uint32_t factors_b) {
  if constexpr (has_mma_of_factors<F, Factors>)
    asm volatile(
        "mma.sync.aligned.kind::%16.m16n8k%17.row.col.f32%18%19.f32%20 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %11, %12, %13}, {%14}, {0, 0}, {%15}, {0, 0};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]),
          "r"(factors_a), "r"(factors_b), "C"(block_scaled_kind<Factors>::value), "C"(number_chars<K>::type::value),
          "C"(element_chars<A>::type::value), "C"(element_chars<B>::type::value), "C"(element_chars<F>::type::value));
  else
    refuse(
        "SM120_16x8x32_TN_VS and SM120_16x8x64_TN_VS need sm_120a, and float_ue4m3_t for four factors of a row; "
        "compile for that");
}
/// The same with half of a, which are the elements that the metadata name.
template <class A, class B, class F, int Factors, int K>
TILEWRIGHT_FN void mma_sparse_block_scaled(float (&d)[4], std::uint32_t const (&a)[4], std::uint32_t const (&b)[4],
                                           float const (&c)[4], std::uint32_t metadata, std::uint32_t factors_a,
                                           std::uint32_t factors_b) {
  if constexpr (has_mma_of_factors<F, Factors>)
    asm volatile(
        "mma.sp::ordered_metadata.sync.aligned.kind::%19.m16n8k%20.row.col.f32%21%22.f32%23 {%0, %1, %2, %3}, {%4, %5, "
        "%6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, %16, 0x0, {%17}, {0, 0}, {%18}, {0, 0};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "f"(c[0]), "f"(c[1]),
          "f"(c[2]), "f"(c[3]), "r"(metadata), "r"(factors_a), "r"(factors_b), "C"(block_scaled_kind<Factors>::value),
          "C"(number_chars<K>::type::value), "C"(element_chars<A>::type::value), "C"(element_chars<B>::type::value),
          "C"(element_chars<F>::type::value));
  else
    refuse(
        "SM120_SPARSE_16x8x64_TN_VS and SM120_SPARSE_16x8x128_TN_VS need sm_120a, and float_ue4m3_t for four factors "
        "of a row; compile for that");
}
/// Half of a (16,64), without factors.
template <class A, class B>
TILEWRIGHT_FN void mma_sparse_narrow_floats(float (&d)[4], std::uint32_t const (&a)[4], std::uint32_t const (&b)[4],
                                            float const (&c)[4], std::uint32_t metadata) {
  if constexpr (has_mma_of_narrow_floats)
    asm volatile(
        "mma.sp::ordered_metadata.sync.aligned.kind::f8f6f4.m16n8k64.row.col.f32%17%18.f32 {%0, %1, %2, %3}, {%4, %5, "
        "%6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, %16, 0x0;"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "f"(c[0]), "f"(c[1]),
          "f"(c[2]), "f"(c[3]), "r"(metadata), "C"(element_chars<A>::type::value), "C"(element_chars<B>::type::value));
  else refuse("SM120_SPARSE_16x8x64_TN needs sm_120a; compile for that");
}

#endif

}  // namespace tilewright::ptx
