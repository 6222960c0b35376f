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
#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                                    \
  template <Major MajorA, Major MajorB, ScaleIn SignA = ScaleIn::One, ScaleIn SignB = ScaleIn::One> \
  using MMA_64x##N##x##DENSE##_##NAME =                                                             \
      tilewright::warpgroup_mma<N, D, A, B, IN_SHARED, MajorA, MajorB, SignA, SignB>;
#include "tilewright/mma/gmma_common.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)        \
  template <ScaleIn SignA = ScaleIn::One, ScaleIn SignB = ScaleIn::One> \
  using MMA_64x##N##x##DENSE##_##NAME = tilewright::detail::warpgroup_mma_tn<N, D, A, B, IN_SHARED, SignA, SignB>;
#include "tilewright/mma/gmma_common_tn.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED, SATURATES) \
  using MMA_64x##N##x##DENSE##_##NAME = tilewright::detail::warpgroup_mma_s32<N, A, B, IN_SHARED, SATURATES>;
#include "tilewright/mma/gmma_common_integer.def"
#undef TILEWRIGHT_X
}  // namespace SM90::GMMA

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, ...) using tilewright::SM90_64x##N##x##DENSE##_##NAME;
#include "tilewright/mma/gmma_common.def"
#include "tilewright/mma/gmma_common_integer.def"
#include "tilewright/mma/gmma_common_tn.def"
#undef TILEWRIGHT_X

}  // namespace cute
