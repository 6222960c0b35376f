// CuTe's names of the matrix operations of a warpgroup, for every N: SM90_64x128x16_F32BF16BF16_SS<majorA, majorB> and its
// like. Operations _TN have operands that are K-major; _SS reads A from shared memory, _RS from registers; _SATURATE keeps int32
// sums within their range.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma.hpp"

namespace tilewright {
namespace detail {

using gmma_major = SM90::GMMA::Major;
using gmma_sign = SM90::GMMA::ScaleIn;
/// Operands that are K-major.
template <int N, class D, class A, class B, bool ReadsA, gmma_sign SignA, gmma_sign SignB>
using warpgroup_mma_tn = warpgroup_mma<N, D, A, B, ReadsA, gmma_major::K, gmma_major::K, SignA, SignB>;
template <int N, class A, class B, bool ReadsA, bool Saturates = false>
using warpgroup_mma_s32 = warpgroup_mma<N, std::int32_t, A, B, ReadsA, gmma_major::K, gmma_major::K, gmma_sign::One,
                                        gmma_sign::One, Saturates>;

}  // namespace detail

#define TILEWRIGHT_X(N)                                                                                                \
  template <detail::gmma_major MajorA, detail::gmma_major MajorB, detail::gmma_sign SignA = detail::gmma_sign::One,    \
            detail::gmma_sign SignB = detail::gmma_sign::One>                                                          \
  using SM90_64x##N##x16_F16F16F16_SS = warpgroup_mma<N, half_t, half_t, half_t, true, MajorA, MajorB, SignA, SignB>;  \
  template <detail::gmma_major MajorA, detail::gmma_major MajorB, detail::gmma_sign SignA = detail::gmma_sign::One,    \
            detail::gmma_sign SignB = detail::gmma_sign::One>                                                          \
  using SM90_64x##N##x16_F16F16F16_RS = warpgroup_mma<N, half_t, half_t, half_t, false, MajorA, MajorB, SignA, SignB>; \
  template <detail::gmma_major MajorA, detail::gmma_major MajorB, detail::gmma_sign SignA = detail::gmma_sign::One,    \
            detail::gmma_sign SignB = detail::gmma_sign::One>                                                          \
  using SM90_64x##N##x16_F32F16F16_SS = warpgroup_mma<N, float, half_t, half_t, true, MajorA, MajorB, SignA, SignB>;   \
  template <detail::gmma_major MajorA, detail::gmma_major MajorB, detail::gmma_sign SignA = detail::gmma_sign::One,    \
            detail::gmma_sign SignB = detail::gmma_sign::One>                                                          \
  using SM90_64x##N##x16_F32F16F16_RS = warpgroup_mma<N, float, half_t, half_t, false, MajorA, MajorB, SignA, SignB>;  \
  template <detail::gmma_major MajorA, detail::gmma_major MajorB, detail::gmma_sign SignA = detail::gmma_sign::One,    \
            detail::gmma_sign SignB = detail::gmma_sign::One>                                                          \
  using SM90_64x##N##x16_F32BF16BF16_SS =                                                                              \
      warpgroup_mma<N, float, bfloat16_t, bfloat16_t, true, MajorA, MajorB, SignA, SignB>;                             \
  template <detail::gmma_major MajorA, detail::gmma_major MajorB, detail::gmma_sign SignA = detail::gmma_sign::One,    \
            detail::gmma_sign SignB = detail::gmma_sign::One>                                                          \
  using SM90_64x##N##x16_F32BF16BF16_RS =                                                                              \
      warpgroup_mma<N, float, bfloat16_t, bfloat16_t, false, MajorA, MajorB, SignA, SignB>;                            \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x8_F32TF32TF32_SS_TN =                                                                            \
      detail::warpgroup_mma_tn<N, float, tfloat32_t, tfloat32_t, true, SignA, SignB>;                                  \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x8_F32TF32TF32_RS_TN =                                                                            \
      detail::warpgroup_mma_tn<N, float, tfloat32_t, tfloat32_t, false, SignA, SignB>;                                 \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F16E4M3E4M3_SS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, half_t, float_e4m3_t, float_e4m3_t, true, SignA, SignB>;                             \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F16E4M3E4M3_RS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, half_t, float_e4m3_t, float_e4m3_t, false, SignA, SignB>;                            \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F16E4M3E5M2_SS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, half_t, float_e4m3_t, float_e5m2_t, true, SignA, SignB>;                             \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F16E4M3E5M2_RS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, half_t, float_e4m3_t, float_e5m2_t, false, SignA, SignB>;                            \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F16E5M2E4M3_SS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, half_t, float_e5m2_t, float_e4m3_t, true, SignA, SignB>;                             \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F16E5M2E4M3_RS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, half_t, float_e5m2_t, float_e4m3_t, false, SignA, SignB>;                            \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F16E5M2E5M2_SS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, half_t, float_e5m2_t, float_e5m2_t, true, SignA, SignB>;                             \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F16E5M2E5M2_RS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, half_t, float_e5m2_t, float_e5m2_t, false, SignA, SignB>;                            \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F32E4M3E4M3_SS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, float, float_e4m3_t, float_e4m3_t, true, SignA, SignB>;                              \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F32E4M3E4M3_RS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, float, float_e4m3_t, float_e4m3_t, false, SignA, SignB>;                             \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F32E4M3E5M2_SS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, float, float_e4m3_t, float_e5m2_t, true, SignA, SignB>;                              \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F32E4M3E5M2_RS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, float, float_e4m3_t, float_e5m2_t, false, SignA, SignB>;                             \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F32E5M2E4M3_SS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, float, float_e5m2_t, float_e4m3_t, true, SignA, SignB>;                              \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F32E5M2E4M3_RS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, float, float_e5m2_t, float_e4m3_t, false, SignA, SignB>;                             \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F32E5M2E5M2_SS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, float, float_e5m2_t, float_e5m2_t, true, SignA, SignB>;                              \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One>        \
  using SM90_64x##N##x32_F32E5M2E5M2_RS_TN =                                                                           \
      detail::warpgroup_mma_tn<N, float, float_e5m2_t, float_e5m2_t, false, SignA, SignB>;
#include "tilewright/mma/gmma_n.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(N)                                                                                                \
  using SM90_64x##N##x32_S32S8S8_SS_TN = detail::warpgroup_mma_s32<N, std::int8_t, std::int8_t, true>;                 \
  using SM90_64x##N##x32_S32S8S8_SS_TN_SATURATE = detail::warpgroup_mma_s32<N, std::int8_t, std::int8_t, true, true>;  \
  using SM90_64x##N##x32_S32S8S8_RS_TN = detail::warpgroup_mma_s32<N, std::int8_t, std::int8_t, false>;                \
  using SM90_64x##N##x32_S32S8S8_RS_TN_SATURATE = detail::warpgroup_mma_s32<N, std::int8_t, std::int8_t, false, true>; \
  using SM90_64x##N##x32_S32S8U8_SS_TN = detail::warpgroup_mma_s32<N, std::int8_t, std::uint8_t, true>;                \
  using SM90_64x##N##x32_S32S8U8_SS_TN_SATURATE = detail::warpgroup_mma_s32<N, std::int8_t, std::uint8_t, true, true>; \
  using SM90_64x##N##x32_S32S8U8_RS_TN = detail::warpgroup_mma_s32<N, std::int8_t, std::uint8_t, false>;               \
  using SM90_64x##N##x32_S32S8U8_RS_TN_SATURATE =                                                                      \
      detail::warpgroup_mma_s32<N, std::int8_t, std::uint8_t, false, true>;                                            \
  using SM90_64x##N##x32_S32U8S8_SS_TN = detail::warpgroup_mma_s32<N, std::uint8_t, std::int8_t, true>;                \
  using SM90_64x##N##x32_S32U8S8_SS_TN_SATURATE = detail::warpgroup_mma_s32<N, std::uint8_t, std::int8_t, true, true>; \
  using SM90_64x##N##x32_S32U8S8_RS_TN = detail::warpgroup_mma_s32<N, std::uint8_t, std::int8_t, false>;               \
  using SM90_64x##N##x32_S32U8S8_RS_TN_SATURATE =                                                                      \
      detail::warpgroup_mma_s32<N, std::uint8_t, std::int8_t, false, true>;                                            \
  using SM90_64x##N##x32_S32U8U8_SS_TN = detail::warpgroup_mma_s32<N, std::uint8_t, std::uint8_t, true>;               \
  using SM90_64x##N##x32_S32U8U8_SS_TN_SATURATE =                                                                      \
      detail::warpgroup_mma_s32<N, std::uint8_t, std::uint8_t, true, true>;                                            \
  using SM90_64x##N##x32_S32U8U8_RS_TN = detail::warpgroup_mma_s32<N, std::uint8_t, std::uint8_t, false>;              \
  using SM90_64x##N##x32_S32U8U8_RS_TN_SATURATE = detail::warpgroup_mma_s32<N, std::uint8_t, std::uint8_t, false, true>;
#include "tilewright/mma/gmma_integer_n.def"
#undef TILEWRIGHT_X

}  // namespace tilewright
