// CuTe's names of the matrix operations of a warpgroup with N of 8, 16, 32, 64, 96, 128, 192 and 256:
// SM90_64x128x16_F32BF16BF16_SS<majorA, majorB> and its like; mma/sm90_gmma_extended_names.hpp has those of every other N. Operations _TN have operands that are K-major; _SS reads A from shared memory, _RS from registers; _SATURATE keeps int32
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

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                                                    \
  template <detail::gmma_major MajorA, detail::gmma_major MajorB, detail::gmma_sign SignA = detail::gmma_sign::One, \
            detail::gmma_sign SignB = detail::gmma_sign::One>                                                       \
  using SM90_64x##N##x##DENSE##_##NAME = warpgroup_mma<N, D, A, B, IN_SHARED, MajorA, MajorB, SignA, SignB>;
#include "tilewright/mma/gmma_common.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                                                \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One> \
  using SM90_64x##N##x##DENSE##_##NAME = detail::warpgroup_mma_tn<N, D, A, B, IN_SHARED, SignA, SignB>;
#include "tilewright/mma/gmma_common_tn.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED, SATURATES) \
  using SM90_64x##N##x##DENSE##_##NAME = detail::warpgroup_mma_s32<N, A, B, IN_SHARED, SATURATES>;
#include "tilewright/mma/gmma_common_integer.def"
#undef TILEWRIGHT_X

}  // namespace tilewright
