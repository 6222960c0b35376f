// CuTe's names of the matrix operations of a warpgroup with a sparse A and the N that mma/sm90_sparse_gmma_names.hpp has not:
// SM90::GMMA::SPARSE::GMMA_64x80x32_F32F16F16_SS and its like.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma_extended_names.hpp"
#include "tilewright/mma/sm90_sparse_gmma_names.hpp"

namespace tilewright {
namespace SM90::GMMA::SPARSE {

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                            \
  template <Major MajorA, Major MajorB, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, \
            SparseSel s = SparseSel::Zero>                                                  \
  using GMMA_64x##N##x##SPARSE##_##NAME = warpgroup_sparse_mma<N, D, A, B, IN_SHARED, MajorA, MajorB, a, b, false, s>;
#include "tilewright/mma/gmma_extended.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                               \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero> \
  using GMMA_64x##N##x##SPARSE##_##NAME =                                                      \
      warpgroup_sparse_mma<N, D, A, B, IN_SHARED, Major::K, Major::K, a, b, false, s>;
#include "tilewright/mma/gmma_extended_tn.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED, SATURATES) \
  template <SparseSel s = SparseSel::Zero>                                  \
  using GMMA_64x##N##x##SPARSE##_##NAME =                                   \
      warpgroup_sparse_mma<N, D, A, B, IN_SHARED, Major::K, Major::K, ScaleIn::One, ScaleIn::One, SATURATES, s>;
#include "tilewright/mma/gmma_extended_integer.def"
#undef TILEWRIGHT_X

}  // namespace SM90::GMMA::SPARSE
}  // namespace tilewright
