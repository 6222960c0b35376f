// The matrix operations of a warpgroup with the N that CuTe has on demand, by both names.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm90_gmma.hpp"
#include "tilewright/mma/sm90_gmma_extended_names.hpp"

namespace cute {

namespace SM90::GMMA {
#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                                    \
  template <Major MajorA, Major MajorB, ScaleIn SignA = ScaleIn::One, ScaleIn SignB = ScaleIn::One> \
  using MMA_64x##N##x##DENSE##_##NAME =                                                             \
      tilewright::warpgroup_mma<N, D, A, B, IN_SHARED, MajorA, MajorB, SignA, SignB>;
#include "tilewright/mma/gmma_extended.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)        \
  template <ScaleIn SignA = ScaleIn::One, ScaleIn SignB = ScaleIn::One> \
  using MMA_64x##N##x##DENSE##_##NAME = tilewright::detail::warpgroup_mma_tn<N, D, A, B, IN_SHARED, SignA, SignB>;
#include "tilewright/mma/gmma_extended_tn.def"
#undef TILEWRIGHT_X
#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED, SATURATES) \
  using MMA_64x##N##x##DENSE##_##NAME = tilewright::detail::warpgroup_mma_s32<N, A, B, IN_SHARED, SATURATES>;
#include "tilewright/mma/gmma_extended_integer.def"
#undef TILEWRIGHT_X
}  // namespace SM90::GMMA

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, ...) using tilewright::SM90_64x##N##x##DENSE##_##NAME;
#include "tilewright/mma/gmma_extended.def"
#include "tilewright/mma/gmma_extended_integer.def"
#include "tilewright/mma/gmma_extended_tn.def"
#undef TILEWRIGHT_X

}  // namespace cute
