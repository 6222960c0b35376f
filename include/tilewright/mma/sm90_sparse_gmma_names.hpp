// CuTe's names of the matrix operations of a warpgroup with a sparse A, for every N:
// SM90::GMMA::SPARSE::GMMA_64x128x32_F32BF16BF16_SS<majorA, majorB> and its like. Operations _TN have operands that are K-major;
// _SS reads A from shared memory, _RS from registers; _SATURATE keeps int32 sums within their range.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma_names.hpp"
#include "tilewright/mma/sm90_sparse_gmma.hpp"

namespace tilewright {
namespace detail {

using gmma_selector = SM90::GMMA::SparseSel;
/// Operands with 16 bits, major in any mode.
template <int N, class D, class A, bool ReadsA, gmma_major MajorA, gmma_major MajorB, gmma_sign SignA, gmma_sign SignB,
          gmma_selector Selector>
using sparse_mma_16 = warpgroup_sparse_mma<N, D, A, A, ReadsA, MajorA, MajorB, SignA, SignB, false, Selector>;
/// Operands that are K-major.
template <int N, class D, class A, class B, bool ReadsA, gmma_sign SignA, gmma_sign SignB, gmma_selector Selector>
using sparse_mma_tn =
    warpgroup_sparse_mma<N, D, A, B, ReadsA, gmma_major::K, gmma_major::K, SignA, SignB, false, Selector>;
template <int N, class A, class B, bool ReadsA, bool Saturates, gmma_selector Selector>
using sparse_mma_s32 = warpgroup_sparse_mma<N, std::int32_t, A, B, ReadsA, gmma_major::K, gmma_major::K, gmma_sign::One,
                                            gmma_sign::One, Saturates, Selector>;

}  // namespace detail

namespace SM90::GMMA::SPARSE {

#define TILEWRIGHT_X(N)                                                                                             \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>    \
  using GMMA_64x##N##x32_F16F16F16_SS = tilewright::detail::sparse_mma_16<N, half_t, half_t, true, A, B, a, b, s>;  \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>    \
  using GMMA_64x##N##x32_F16F16F16_RS = tilewright::detail::sparse_mma_16<N, half_t, half_t, false, A, B, a, b, s>; \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>    \
  using GMMA_64x##N##x32_F32F16F16_SS = tilewright::detail::sparse_mma_16<N, float, half_t, true, A, B, a, b, s>;   \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>    \
  using GMMA_64x##N##x32_F32F16F16_RS = tilewright::detail::sparse_mma_16<N, float, half_t, false, A, B, a, b, s>;  \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>    \
  using GMMA_64x##N##x32_F32BF16BF16_SS =                                                                           \
      tilewright::detail::sparse_mma_16<N, float, bfloat16_t, true, A, B, a, b, s>;                                 \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>    \
  using GMMA_64x##N##x32_F32BF16BF16_RS =                                                                           \
      tilewright::detail::sparse_mma_16<N, float, bfloat16_t, false, A, B, a, b, s>;                                \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x16_F32TF32TF32_SS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, tfloat32_t, tfloat32_t, true, a, b, s>;                           \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x16_F32TF32TF32_RS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, tfloat32_t, tfloat32_t, false, a, b, s>;                          \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F16E4M3E4M3_SS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, half_t, float_e4m3_t, float_e4m3_t, true, a, b, s>;                      \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F16E4M3E4M3_RS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, half_t, float_e4m3_t, float_e4m3_t, false, a, b, s>;                     \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F16E4M3E5M2_SS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, half_t, float_e4m3_t, float_e5m2_t, true, a, b, s>;                      \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F16E4M3E5M2_RS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, half_t, float_e4m3_t, float_e5m2_t, false, a, b, s>;                     \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F16E5M2E4M3_SS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, half_t, float_e5m2_t, float_e4m3_t, true, a, b, s>;                      \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F16E5M2E4M3_RS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, half_t, float_e5m2_t, float_e4m3_t, false, a, b, s>;                     \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F16E5M2E5M2_SS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, half_t, float_e5m2_t, float_e5m2_t, true, a, b, s>;                      \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F16E5M2E5M2_RS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, half_t, float_e5m2_t, float_e5m2_t, false, a, b, s>;                     \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F32E4M3E4M3_SS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, float_e4m3_t, float_e4m3_t, true, a, b, s>;                       \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F32E4M3E4M3_RS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, float_e4m3_t, float_e4m3_t, false, a, b, s>;                      \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F32E4M3E5M2_SS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, float_e4m3_t, float_e5m2_t, true, a, b, s>;                       \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F32E4M3E5M2_RS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, float_e4m3_t, float_e5m2_t, false, a, b, s>;                      \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F32E5M2E4M3_SS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, float_e5m2_t, float_e4m3_t, true, a, b, s>;                       \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F32E5M2E4M3_RS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, float_e5m2_t, float_e4m3_t, false, a, b, s>;                      \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F32E5M2E5M2_SS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, float_e5m2_t, float_e5m2_t, true, a, b, s>;                       \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                      \
  using GMMA_64x##N##x64_F32E5M2E5M2_RS_TN =                                                                        \
      tilewright::detail::sparse_mma_tn<N, float, float_e5m2_t, float_e5m2_t, false, a, b, s>;
#include "tilewright/mma/gmma_n.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(N)                                                                   \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32S8S8_SS_TN =                                                  \
      tilewright::detail::sparse_mma_s32<N, std::int8_t, std::int8_t, true, false, s>;    \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32S8S8_SS_TN_SATURATE =                                         \
      tilewright::detail::sparse_mma_s32<N, std::int8_t, std::int8_t, true, true, s>;     \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32S8S8_RS_TN =                                                  \
      tilewright::detail::sparse_mma_s32<N, std::int8_t, std::int8_t, false, false, s>;   \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32S8S8_RS_TN_SATURATE =                                         \
      tilewright::detail::sparse_mma_s32<N, std::int8_t, std::int8_t, false, true, s>;    \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32S8U8_SS_TN =                                                  \
      tilewright::detail::sparse_mma_s32<N, std::int8_t, std::uint8_t, true, false, s>;   \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32S8U8_SS_TN_SATURATE =                                         \
      tilewright::detail::sparse_mma_s32<N, std::int8_t, std::uint8_t, true, true, s>;    \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32S8U8_RS_TN =                                                  \
      tilewright::detail::sparse_mma_s32<N, std::int8_t, std::uint8_t, false, false, s>;  \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32S8U8_RS_TN_SATURATE =                                         \
      tilewright::detail::sparse_mma_s32<N, std::int8_t, std::uint8_t, false, true, s>;   \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32U8S8_SS_TN =                                                  \
      tilewright::detail::sparse_mma_s32<N, std::uint8_t, std::int8_t, true, false, s>;   \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32U8S8_SS_TN_SATURATE =                                         \
      tilewright::detail::sparse_mma_s32<N, std::uint8_t, std::int8_t, true, true, s>;    \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32U8S8_RS_TN =                                                  \
      tilewright::detail::sparse_mma_s32<N, std::uint8_t, std::int8_t, false, false, s>;  \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32U8S8_RS_TN_SATURATE =                                         \
      tilewright::detail::sparse_mma_s32<N, std::uint8_t, std::int8_t, false, true, s>;   \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32U8U8_SS_TN =                                                  \
      tilewright::detail::sparse_mma_s32<N, std::uint8_t, std::uint8_t, true, false, s>;  \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32U8U8_SS_TN_SATURATE =                                         \
      tilewright::detail::sparse_mma_s32<N, std::uint8_t, std::uint8_t, true, true, s>;   \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32U8U8_RS_TN =                                                  \
      tilewright::detail::sparse_mma_s32<N, std::uint8_t, std::uint8_t, false, false, s>; \
  template <SparseSel s = SparseSel::Zero>                                                \
  using GMMA_64x##N##x64_S32U8U8_RS_TN_SATURATE =                                         \
      tilewright::detail::sparse_mma_s32<N, std::uint8_t, std::uint8_t, false, true, s>;
#include "tilewright/mma/gmma_integer_n.def"
#undef TILEWRIGHT_X

}  // namespace SM90::GMMA::SPARSE
}  // namespace tilewright
