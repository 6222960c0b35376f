// The matrix operations of a warpgroup, by both of CuTe's names: SM90::GMMA::MMA_64x128x16_F32BF16BF16_SS and
// SM90_64x128x16_F32BF16BF16_SS; and what orders them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma.hpp"
#include "cute/arch/mma_sm90_desc.hpp"
#include "cute/numeric/integer_sequence.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "tilewright/mma/sm90_gmma_names.hpp"

namespace cute {

using tilewright::warpgroup_arrive;
using tilewright::warpgroup_commit_batch;
using tilewright::warpgroup_fence_operand;
using tilewright::warpgroup_wait;

namespace SM90::GMMA {
#define TILEWRIGHT_X(N)                                                                                 \
  template <tilewright::detail::gmma_major MajorA, tilewright::detail::gmma_major MajorB,               \
            tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x16_F16F16F16_SS =                                                                  \
      tilewright::warpgroup_mma<N, half_t, half_t, half_t, true, MajorA, MajorB, SignA, SignB>;         \
  template <tilewright::detail::gmma_major MajorA, tilewright::detail::gmma_major MajorB,               \
            tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x16_F16F16F16_RS =                                                                  \
      tilewright::warpgroup_mma<N, half_t, half_t, half_t, false, MajorA, MajorB, SignA, SignB>;        \
  template <tilewright::detail::gmma_major MajorA, tilewright::detail::gmma_major MajorB,               \
            tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x16_F32F16F16_SS =                                                                  \
      tilewright::warpgroup_mma<N, float, half_t, half_t, true, MajorA, MajorB, SignA, SignB>;          \
  template <tilewright::detail::gmma_major MajorA, tilewright::detail::gmma_major MajorB,               \
            tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x16_F32F16F16_RS =                                                                  \
      tilewright::warpgroup_mma<N, float, half_t, half_t, false, MajorA, MajorB, SignA, SignB>;         \
  template <tilewright::detail::gmma_major MajorA, tilewright::detail::gmma_major MajorB,               \
            tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x16_F32BF16BF16_SS =                                                                \
      tilewright::warpgroup_mma<N, float, bfloat16_t, bfloat16_t, true, MajorA, MajorB, SignA, SignB>;  \
  template <tilewright::detail::gmma_major MajorA, tilewright::detail::gmma_major MajorB,               \
            tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x16_F32BF16BF16_RS =                                                                \
      tilewright::warpgroup_mma<N, float, bfloat16_t, bfloat16_t, false, MajorA, MajorB, SignA, SignB>; \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x8_F32TF32TF32_SS_TN =                                                              \
      tilewright::detail::warpgroup_mma_tn<N, float, tfloat32_t, tfloat32_t, true, SignA, SignB>;       \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x8_F32TF32TF32_RS_TN =                                                              \
      tilewright::detail::warpgroup_mma_tn<N, float, tfloat32_t, tfloat32_t, false, SignA, SignB>;      \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F16E4M3E4M3_SS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, half_t, float_e4m3_t, float_e4m3_t, true, SignA, SignB>;  \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F16E4M3E4M3_RS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, half_t, float_e4m3_t, float_e4m3_t, false, SignA, SignB>; \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F16E4M3E5M2_SS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, half_t, float_e4m3_t, float_e5m2_t, true, SignA, SignB>;  \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F16E4M3E5M2_RS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, half_t, float_e4m3_t, float_e5m2_t, false, SignA, SignB>; \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F16E5M2E4M3_SS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, half_t, float_e5m2_t, float_e4m3_t, true, SignA, SignB>;  \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F16E5M2E4M3_RS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, half_t, float_e5m2_t, float_e4m3_t, false, SignA, SignB>; \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F16E5M2E5M2_SS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, half_t, float_e5m2_t, float_e5m2_t, true, SignA, SignB>;  \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F16E5M2E5M2_RS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, half_t, float_e5m2_t, float_e5m2_t, false, SignA, SignB>; \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F32E4M3E4M3_SS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, float, float_e4m3_t, float_e4m3_t, true, SignA, SignB>;   \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F32E4M3E4M3_RS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, float, float_e4m3_t, float_e4m3_t, false, SignA, SignB>;  \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F32E4M3E5M2_SS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, float, float_e4m3_t, float_e5m2_t, true, SignA, SignB>;   \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F32E4M3E5M2_RS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, float, float_e4m3_t, float_e5m2_t, false, SignA, SignB>;  \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F32E5M2E4M3_SS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, float, float_e5m2_t, float_e4m3_t, true, SignA, SignB>;   \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F32E5M2E4M3_RS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, float, float_e5m2_t, float_e4m3_t, false, SignA, SignB>;  \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F32E5M2E5M2_SS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, float, float_e5m2_t, float_e5m2_t, true, SignA, SignB>;   \
  template <tilewright::detail::gmma_sign SignA = tilewright::detail::gmma_sign::One,                   \
            tilewright::detail::gmma_sign SignB = tilewright::detail::gmma_sign::One>                   \
  using MMA_64x##N##x32_F32E5M2E5M2_RS_TN =                                                             \
      tilewright::detail::warpgroup_mma_tn<N, float, float_e5m2_t, float_e5m2_t, false, SignA, SignB>;
#include "tilewright/mma/gmma_n.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(N)                                                                                              \
  using MMA_64x##N##x32_S32S8S8_SS_TN = tilewright::detail::warpgroup_mma_s32<N, std::int8_t, std::int8_t, true>;    \
  using MMA_64x##N##x32_S32S8S8_SS_TN_SATURATE =                                                                     \
      tilewright::detail::warpgroup_mma_s32<N, std::int8_t, std::int8_t, true, true>;                                \
  using MMA_64x##N##x32_S32S8S8_RS_TN = tilewright::detail::warpgroup_mma_s32<N, std::int8_t, std::int8_t, false>;   \
  using MMA_64x##N##x32_S32S8S8_RS_TN_SATURATE =                                                                     \
      tilewright::detail::warpgroup_mma_s32<N, std::int8_t, std::int8_t, false, true>;                               \
  using MMA_64x##N##x32_S32S8U8_SS_TN = tilewright::detail::warpgroup_mma_s32<N, std::int8_t, std::uint8_t, true>;   \
  using MMA_64x##N##x32_S32S8U8_SS_TN_SATURATE =                                                                     \
      tilewright::detail::warpgroup_mma_s32<N, std::int8_t, std::uint8_t, true, true>;                               \
  using MMA_64x##N##x32_S32S8U8_RS_TN = tilewright::detail::warpgroup_mma_s32<N, std::int8_t, std::uint8_t, false>;  \
  using MMA_64x##N##x32_S32S8U8_RS_TN_SATURATE =                                                                     \
      tilewright::detail::warpgroup_mma_s32<N, std::int8_t, std::uint8_t, false, true>;                              \
  using MMA_64x##N##x32_S32U8S8_SS_TN = tilewright::detail::warpgroup_mma_s32<N, std::uint8_t, std::int8_t, true>;   \
  using MMA_64x##N##x32_S32U8S8_SS_TN_SATURATE =                                                                     \
      tilewright::detail::warpgroup_mma_s32<N, std::uint8_t, std::int8_t, true, true>;                               \
  using MMA_64x##N##x32_S32U8S8_RS_TN = tilewright::detail::warpgroup_mma_s32<N, std::uint8_t, std::int8_t, false>;  \
  using MMA_64x##N##x32_S32U8S8_RS_TN_SATURATE =                                                                     \
      tilewright::detail::warpgroup_mma_s32<N, std::uint8_t, std::int8_t, false, true>;                              \
  using MMA_64x##N##x32_S32U8U8_SS_TN = tilewright::detail::warpgroup_mma_s32<N, std::uint8_t, std::uint8_t, true>;  \
  using MMA_64x##N##x32_S32U8U8_SS_TN_SATURATE =                                                                     \
      tilewright::detail::warpgroup_mma_s32<N, std::uint8_t, std::uint8_t, true, true>;                              \
  using MMA_64x##N##x32_S32U8U8_RS_TN = tilewright::detail::warpgroup_mma_s32<N, std::uint8_t, std::uint8_t, false>; \
  using MMA_64x##N##x32_S32U8U8_RS_TN_SATURATE =                                                                     \
      tilewright::detail::warpgroup_mma_s32<N, std::uint8_t, std::uint8_t, false, true>;
#include "tilewright/mma/gmma_integer_n.def"
#undef TILEWRIGHT_X
}  // namespace SM90::GMMA

#define TILEWRIGHT_X(N)                                 \
  using tilewright::SM90_64x##N##x16_F16F16F16_SS;      \
  using tilewright::SM90_64x##N##x16_F16F16F16_RS;      \
  using tilewright::SM90_64x##N##x16_F32F16F16_SS;      \
  using tilewright::SM90_64x##N##x16_F32F16F16_RS;      \
  using tilewright::SM90_64x##N##x16_F32BF16BF16_SS;    \
  using tilewright::SM90_64x##N##x16_F32BF16BF16_RS;    \
  using tilewright::SM90_64x##N##x8_F32TF32TF32_SS_TN;  \
  using tilewright::SM90_64x##N##x8_F32TF32TF32_RS_TN;  \
  using tilewright::SM90_64x##N##x32_F16E4M3E4M3_SS_TN; \
  using tilewright::SM90_64x##N##x32_F16E4M3E4M3_RS_TN; \
  using tilewright::SM90_64x##N##x32_F16E4M3E5M2_SS_TN; \
  using tilewright::SM90_64x##N##x32_F16E4M3E5M2_RS_TN; \
  using tilewright::SM90_64x##N##x32_F16E5M2E4M3_SS_TN; \
  using tilewright::SM90_64x##N##x32_F16E5M2E4M3_RS_TN; \
  using tilewright::SM90_64x##N##x32_F16E5M2E5M2_SS_TN; \
  using tilewright::SM90_64x##N##x32_F16E5M2E5M2_RS_TN; \
  using tilewright::SM90_64x##N##x32_F32E4M3E4M3_SS_TN; \
  using tilewright::SM90_64x##N##x32_F32E4M3E4M3_RS_TN; \
  using tilewright::SM90_64x##N##x32_F32E4M3E5M2_SS_TN; \
  using tilewright::SM90_64x##N##x32_F32E4M3E5M2_RS_TN; \
  using tilewright::SM90_64x##N##x32_F32E5M2E4M3_SS_TN; \
  using tilewright::SM90_64x##N##x32_F32E5M2E4M3_RS_TN; \
  using tilewright::SM90_64x##N##x32_F32E5M2E5M2_SS_TN; \
  using tilewright::SM90_64x##N##x32_F32E5M2E5M2_RS_TN;
#include "tilewright/mma/gmma_n.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(N)                                      \
  using tilewright::SM90_64x##N##x32_S32S8S8_SS_TN;          \
  using tilewright::SM90_64x##N##x32_S32S8S8_SS_TN_SATURATE; \
  using tilewright::SM90_64x##N##x32_S32S8S8_RS_TN;          \
  using tilewright::SM90_64x##N##x32_S32S8S8_RS_TN_SATURATE; \
  using tilewright::SM90_64x##N##x32_S32S8U8_SS_TN;          \
  using tilewright::SM90_64x##N##x32_S32S8U8_SS_TN_SATURATE; \
  using tilewright::SM90_64x##N##x32_S32S8U8_RS_TN;          \
  using tilewright::SM90_64x##N##x32_S32S8U8_RS_TN_SATURATE; \
  using tilewright::SM90_64x##N##x32_S32U8S8_SS_TN;          \
  using tilewright::SM90_64x##N##x32_S32U8S8_SS_TN_SATURATE; \
  using tilewright::SM90_64x##N##x32_S32U8S8_RS_TN;          \
  using tilewright::SM90_64x##N##x32_S32U8S8_RS_TN_SATURATE; \
  using tilewright::SM90_64x##N##x32_S32U8U8_SS_TN;          \
  using tilewright::SM90_64x##N##x32_S32U8U8_SS_TN_SATURATE; \
  using tilewright::SM90_64x##N##x32_S32U8U8_RS_TN;          \
  using tilewright::SM90_64x##N##x32_S32U8U8_RS_TN_SATURATE;
#include "tilewright/mma/gmma_integer_n.def"
#undef TILEWRIGHT_X

}  // namespace cute
