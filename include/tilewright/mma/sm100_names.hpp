// CuTe's names of Blackwell's matrix operations: SM100_MMA_F16BF16_SS<A, B, D, M, N, majorA, majorB> and its like. _2x1SM are made by
// two blocks of a cluster; _SS reads A from shared memory, _TS from tensor memory; _SCALED divides D by 2^ScaleC before the sum.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/sm100_umma.hpp"

namespace tilewright {

#define TILEWRIGHT_X(NAME, KIND, BLOCKS)                                                          \
  template <class A, class B, class D, int M, int N, UMMA::Major MajorA, UMMA::Major MajorB,      \
            UMMA::ScaleIn SignA = UMMA::ScaleIn::One, UMMA::ScaleIn SignB = UMMA::ScaleIn::One>   \
  using SM100_MMA_##NAME##_SS =                                                                   \
      block_mma<ptx::umma_kind::KIND, BLOCKS, true, A, B, D, M, N, MajorA, MajorB, SignA, SignB>; \
  template <class A, class B, class D, int M, int N, UMMA::Major MajorA, UMMA::Major MajorB,      \
            UMMA::ScaleIn SignA = UMMA::ScaleIn::One, UMMA::ScaleIn SignB = UMMA::ScaleIn::One,   \
            UMMA::Saturate Saturates = UMMA::Saturate::False>                                     \
  using SM100_MMA_##NAME##_TS =                                                                   \
      block_mma<ptx::umma_kind::KIND, BLOCKS, false, A, B, D, M, N, MajorA, MajorB, SignA, SignB, Saturates>;
#include "tilewright/mma/umma_float_kinds.def"
#undef TILEWRIGHT_X

#define TILEWRIGHT_X(NAME, KIND, BLOCKS)                                                                             \
  template <class A, class B, class D, int M, int N, UMMA::Major MajorA, UMMA::Major MajorB, std::uint32_t ScaleC,   \
            UMMA::ScaleIn SignA = UMMA::ScaleIn::One, UMMA::ScaleIn SignB = UMMA::ScaleIn::One>                      \
  using SM100_MMA_##NAME##_SS_SCALED = block_mma<ptx::umma_kind::KIND, BLOCKS, true, A, B, D, M, N, MajorA, MajorB,  \
                                                 SignA, SignB, UMMA::Saturate::False, static_cast<int>(ScaleC)>;     \
  template <class A, class B, class D, int M, int N, UMMA::Major MajorA, UMMA::Major MajorB, std::uint32_t ScaleC,   \
            UMMA::ScaleIn SignA = UMMA::ScaleIn::One, UMMA::ScaleIn SignB = UMMA::ScaleIn::One,                      \
            UMMA::Saturate Saturates = UMMA::Saturate::False>                                                        \
  using SM100_MMA_##NAME##_TS_SCALED = block_mma<ptx::umma_kind::KIND, BLOCKS, false, A, B, D, M, N, MajorA, MajorB, \
                                                 SignA, SignB, Saturates, static_cast<int>(ScaleC)>;
#include "tilewright/mma/umma_scaled_kinds.def"
#undef TILEWRIGHT_X

template <class A, class B, class D, int M, int N, UMMA::Major MajorA, UMMA::Major MajorB,
          UMMA::Saturate Saturates = UMMA::Saturate::False>
using SM100_MMA_S8_SS = block_mma<ptx::umma_kind::i8, 1, true, A, B, D, M, N, MajorA, MajorB, UMMA::ScaleIn::One,
                                  UMMA::ScaleIn::One, Saturates>;
template <class A, class B, class D, int M, int N, UMMA::Major MajorA, UMMA::Major MajorB,
          UMMA::Saturate Saturates = UMMA::Saturate::False>
using SM100_MMA_S8_2x1SM_SS = block_mma<ptx::umma_kind::i8, 2, true, A, B, D, M, N, MajorA, MajorB, UMMA::ScaleIn::One,
                                        UMMA::ScaleIn::One, Saturates>;
template <class A, class B, class D, int M, int N, UMMA::Major MajorA, UMMA::Major MajorB,
          UMMA::ScaleIn SignA = UMMA::ScaleIn::One, UMMA::ScaleIn SignB = UMMA::ScaleIn::One,
          UMMA::Saturate Saturates = UMMA::Saturate::False>
using SM100_MMA_S8_TS = block_mma<ptx::umma_kind::i8, 1, false, A, B, D, M, N, MajorA, MajorB, SignA, SignB, Saturates>;
template <class A, class B, class D, int M, int N, UMMA::Major MajorA, UMMA::Major MajorB,
          UMMA::ScaleIn SignA = UMMA::ScaleIn::One, UMMA::ScaleIn SignB = UMMA::ScaleIn::One,
          UMMA::Saturate Saturates = UMMA::Saturate::False>
using SM100_MMA_S8_2x1SM_TS =
    block_mma<ptx::umma_kind::i8, 2, false, A, B, D, M, N, MajorA, MajorB, SignA, SignB, Saturates>;

}  // namespace tilewright
