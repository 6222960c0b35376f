// CuTe's names of the matrix operations of a warpgroup with a sparse A, for every N:
// SM90::GMMA::SPARSE::GMMA_64x128x32_F32BF16BF16_SS<majorA, majorB> and its like. Operations _TN have operands that are K-major;
// _SS reads A from shared memory, _RS from registers; _SATURATE keeps int32 sums within their range.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma_names.hpp"
#include "tilewright/mma/sm90_sparse_gmma.hpp"

namespace tilewright {
namespace SM90::GMMA::SPARSE {

#define TILEWRIGHT_X(N)                                                                                               \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>      \
  using GMMA_64x##N##x32_F16F16F16_SS = warpgroup_sparse_mma<N, half_t, half_t, half_t, true, A, B, a, b, false, s>;  \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>      \
  using GMMA_64x##N##x32_F16F16F16_RS = warpgroup_sparse_mma<N, half_t, half_t, half_t, false, A, B, a, b, false, s>; \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>      \
  using GMMA_64x##N##x32_F32F16F16_SS = warpgroup_sparse_mma<N, float, half_t, half_t, true, A, B, a, b, false, s>;   \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>      \
  using GMMA_64x##N##x32_F32F16F16_RS = warpgroup_sparse_mma<N, float, half_t, half_t, false, A, B, a, b, false, s>;  \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>      \
  using GMMA_64x##N##x32_F32BF16BF16_SS =                                                                             \
      warpgroup_sparse_mma<N, float, bfloat16_t, bfloat16_t, true, A, B, a, b, false, s>;                             \
  template <Major A, Major B, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>      \
  using GMMA_64x##N##x32_F32BF16BF16_RS =                                                                             \
      warpgroup_sparse_mma<N, float, bfloat16_t, bfloat16_t, false, A, B, a, b, false, s>;                            \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x16_F32TF32TF32_SS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, tfloat32_t, tfloat32_t, true, Major::K, Major::K, a, b, false, s>;               \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x16_F32TF32TF32_RS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, tfloat32_t, tfloat32_t, false, Major::K, Major::K, a, b, false, s>;              \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F16E4M3E4M3_SS_TN =                                                                          \
      warpgroup_sparse_mma<N, half_t, float_e4m3_t, float_e4m3_t, true, Major::K, Major::K, a, b, false, s>;          \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F16E4M3E4M3_RS_TN =                                                                          \
      warpgroup_sparse_mma<N, half_t, float_e4m3_t, float_e4m3_t, false, Major::K, Major::K, a, b, false, s>;         \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F16E4M3E5M2_SS_TN =                                                                          \
      warpgroup_sparse_mma<N, half_t, float_e4m3_t, float_e5m2_t, true, Major::K, Major::K, a, b, false, s>;          \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F16E4M3E5M2_RS_TN =                                                                          \
      warpgroup_sparse_mma<N, half_t, float_e4m3_t, float_e5m2_t, false, Major::K, Major::K, a, b, false, s>;         \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F16E5M2E4M3_SS_TN =                                                                          \
      warpgroup_sparse_mma<N, half_t, float_e5m2_t, float_e4m3_t, true, Major::K, Major::K, a, b, false, s>;          \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F16E5M2E4M3_RS_TN =                                                                          \
      warpgroup_sparse_mma<N, half_t, float_e5m2_t, float_e4m3_t, false, Major::K, Major::K, a, b, false, s>;         \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F16E5M2E5M2_SS_TN =                                                                          \
      warpgroup_sparse_mma<N, half_t, float_e5m2_t, float_e5m2_t, true, Major::K, Major::K, a, b, false, s>;          \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F16E5M2E5M2_RS_TN =                                                                          \
      warpgroup_sparse_mma<N, half_t, float_e5m2_t, float_e5m2_t, false, Major::K, Major::K, a, b, false, s>;         \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F32E4M3E4M3_SS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, float_e4m3_t, float_e4m3_t, true, Major::K, Major::K, a, b, false, s>;           \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F32E4M3E4M3_RS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, float_e4m3_t, float_e4m3_t, false, Major::K, Major::K, a, b, false, s>;          \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F32E4M3E5M2_SS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, float_e4m3_t, float_e5m2_t, true, Major::K, Major::K, a, b, false, s>;           \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F32E4M3E5M2_RS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, float_e4m3_t, float_e5m2_t, false, Major::K, Major::K, a, b, false, s>;          \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F32E5M2E4M3_SS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, float_e5m2_t, float_e4m3_t, true, Major::K, Major::K, a, b, false, s>;           \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F32E5M2E4M3_RS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, float_e5m2_t, float_e4m3_t, false, Major::K, Major::K, a, b, false, s>;          \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F32E5M2E5M2_SS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, float_e5m2_t, float_e5m2_t, true, Major::K, Major::K, a, b, false, s>;           \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero>                        \
  using GMMA_64x##N##x64_F32E5M2E5M2_RS_TN =                                                                          \
      warpgroup_sparse_mma<N, float, float_e5m2_t, float_e5m2_t, false, Major::K, Major::K, a, b, false, s>;
#include "tilewright/mma/gmma_n.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(N)                                                                                          \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32S8S8_SS_TN =                                                                         \
      warpgroup_sparse_mma<N, std::int32_t, std::int8_t, std::int8_t, true, Major::K, Major::K, ScaleIn::One,    \
                           ScaleIn::One, false, s>;                                                              \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32S8S8_SS_TN_SATURATE =                                                                \
      warpgroup_sparse_mma<N, std::int32_t, std::int8_t, std::int8_t, true, Major::K, Major::K, ScaleIn::One,    \
                           ScaleIn::One, true, s>;                                                               \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32S8S8_RS_TN =                                                                         \
      warpgroup_sparse_mma<N, std::int32_t, std::int8_t, std::int8_t, false, Major::K, Major::K, ScaleIn::One,   \
                           ScaleIn::One, false, s>;                                                              \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32S8S8_RS_TN_SATURATE =                                                                \
      warpgroup_sparse_mma<N, std::int32_t, std::int8_t, std::int8_t, false, Major::K, Major::K, ScaleIn::One,   \
                           ScaleIn::One, true, s>;                                                               \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32S8U8_SS_TN =                                                                         \
      warpgroup_sparse_mma<N, std::int32_t, std::int8_t, std::uint8_t, true, Major::K, Major::K, ScaleIn::One,   \
                           ScaleIn::One, false, s>;                                                              \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32S8U8_SS_TN_SATURATE =                                                                \
      warpgroup_sparse_mma<N, std::int32_t, std::int8_t, std::uint8_t, true, Major::K, Major::K, ScaleIn::One,   \
                           ScaleIn::One, true, s>;                                                               \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32S8U8_RS_TN =                                                                         \
      warpgroup_sparse_mma<N, std::int32_t, std::int8_t, std::uint8_t, false, Major::K, Major::K, ScaleIn::One,  \
                           ScaleIn::One, false, s>;                                                              \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32S8U8_RS_TN_SATURATE =                                                                \
      warpgroup_sparse_mma<N, std::int32_t, std::int8_t, std::uint8_t, false, Major::K, Major::K, ScaleIn::One,  \
                           ScaleIn::One, true, s>;                                                               \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32U8S8_SS_TN =                                                                         \
      warpgroup_sparse_mma<N, std::int32_t, std::uint8_t, std::int8_t, true, Major::K, Major::K, ScaleIn::One,   \
                           ScaleIn::One, false, s>;                                                              \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32U8S8_SS_TN_SATURATE =                                                                \
      warpgroup_sparse_mma<N, std::int32_t, std::uint8_t, std::int8_t, true, Major::K, Major::K, ScaleIn::One,   \
                           ScaleIn::One, true, s>;                                                               \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32U8S8_RS_TN =                                                                         \
      warpgroup_sparse_mma<N, std::int32_t, std::uint8_t, std::int8_t, false, Major::K, Major::K, ScaleIn::One,  \
                           ScaleIn::One, false, s>;                                                              \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32U8S8_RS_TN_SATURATE =                                                                \
      warpgroup_sparse_mma<N, std::int32_t, std::uint8_t, std::int8_t, false, Major::K, Major::K, ScaleIn::One,  \
                           ScaleIn::One, true, s>;                                                               \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32U8U8_SS_TN =                                                                         \
      warpgroup_sparse_mma<N, std::int32_t, std::uint8_t, std::uint8_t, true, Major::K, Major::K, ScaleIn::One,  \
                           ScaleIn::One, false, s>;                                                              \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32U8U8_SS_TN_SATURATE =                                                                \
      warpgroup_sparse_mma<N, std::int32_t, std::uint8_t, std::uint8_t, true, Major::K, Major::K, ScaleIn::One,  \
                           ScaleIn::One, true, s>;                                                               \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32U8U8_RS_TN =                                                                         \
      warpgroup_sparse_mma<N, std::int32_t, std::uint8_t, std::uint8_t, false, Major::K, Major::K, ScaleIn::One, \
                           ScaleIn::One, false, s>;                                                              \
  template <SparseSel s = SparseSel::Zero>                                                                       \
  using GMMA_64x##N##x64_S32U8U8_RS_TN_SATURATE =                                                                \
      warpgroup_sparse_mma<N, std::int32_t, std::uint8_t, std::uint8_t, false, Major::K, Major::K, ScaleIn::One, \
                           ScaleIn::One, true, s>;
#include "tilewright/mma/gmma_integer_n.def"
#undef TILEWRIGHT_X

}  // namespace SM90::GMMA::SPARSE
}  // namespace tilewright
