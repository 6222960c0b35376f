// CuTe's names of the matrix operations of a warpgroup with the N that mma/sm90_gmma_names.hpp has not: SM90_64x80x16_F32F16F16_SS
// and its like. They are many: a file that includes this one takes longer to compile.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma_names.hpp"

namespace tilewright {

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                                                    \
  template <detail::gmma_major MajorA, detail::gmma_major MajorB, detail::gmma_sign SignA = detail::gmma_sign::One, \
            detail::gmma_sign SignB = detail::gmma_sign::One>                                                       \
  using SM90_64x##N##x##DENSE##_##NAME = warpgroup_mma<N, D, A, B, IN_SHARED, MajorA, MajorB, SignA, SignB>;
#include "tilewright/mma/gmma_extended.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                                                \
  template <detail::gmma_sign SignA = detail::gmma_sign::One, detail::gmma_sign SignB = detail::gmma_sign::One> \
  using SM90_64x##N##x##DENSE##_##NAME = detail::warpgroup_mma_tn<N, D, A, B, IN_SHARED, SignA, SignB>;
#include "tilewright/mma/gmma_extended_tn.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED, SATURATES) \
  using SM90_64x##N##x##DENSE##_##NAME = detail::warpgroup_mma_s32<N, A, B, IN_SHARED, SATURATES>;
#include "tilewright/mma/gmma_extended_integer.def"
#undef TILEWRIGHT_X

}  // namespace tilewright
