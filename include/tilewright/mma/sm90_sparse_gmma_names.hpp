// CuTe's names of the matrix operations of a warpgroup with a sparse A and N of 8, 16, 32, 64, 96, 128, 192 and 256:
// SM90::GMMA::SPARSE::GMMA_64x128x32_F32BF16BF16_SS<majorA, majorB> and its like. Operations _TN have operands that are K-major;
// _SS reads A from shared memory, _RS from registers; _SATURATE keeps int32 sums within their range.
// mma/sm90_sparse_gmma_extended_names.hpp has those of every other N.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm90_gmma_names.hpp"
#include "tilewright/mma/sm90_sparse_gmma.hpp"

namespace tilewright {
namespace SM90::GMMA::SPARSE {

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                            \
  template <Major MajorA, Major MajorB, ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, \
            SparseSel s = SparseSel::Zero>                                                  \
  using GMMA_64x##N##x##SPARSE##_##NAME = warpgroup_sparse_mma<N, D, A, B, IN_SHARED, MajorA, MajorB, a, b, false, s>;
#include "tilewright/mma/gmma_common.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED)                               \
  template <ScaleIn a = ScaleIn::One, ScaleIn b = ScaleIn::One, SparseSel s = SparseSel::Zero> \
  using GMMA_64x##N##x##SPARSE##_##NAME =                                                      \
      warpgroup_sparse_mma<N, D, A, B, IN_SHARED, Major::K, Major::K, a, b, false, s>;
#include "tilewright/mma/gmma_common_tn.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(N, DENSE, SPARSE, NAME, D, A, B, IN_SHARED, SATURATES) \
  template <SparseSel s = SparseSel::Zero>                                  \
  using GMMA_64x##N##x##SPARSE##_##NAME =                                   \
      warpgroup_sparse_mma<N, D, A, B, IN_SHARED, Major::K, Major::K, ScaleIn::One, ScaleIn::One, SATURATES, s>;
#include "tilewright/mma/gmma_common_integer.def"
#undef TILEWRIGHT_X

}  // namespace SM90::GMMA::SPARSE
}  // namespace tilewright
