// CUTLASS's small types on a stream: Coord<3> {3, 5, 7} is written as 3,5,7; numbers as cute/util/stream.hpp writes them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/util/stream.hpp"
#include "cutlass/complex.h"
#include "cutlass/coord.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/layout/matrix.h"
#include "cutlass/layout/vector.h"
#include "cutlass/matrix.h"
#include "cutlass/matrix_shape.h"

#include <ostream>

#if defined(__CUDACC__)
inline std::ostream& operator<<(std::ostream& out, dim3 const& d) { return out << d.x << ", " << d.y << ", " << d.z; }
inline std::ostream& operator<<(std::ostream& out, cudaError_t error) { return out << cudaGetErrorString(error); }
#endif

namespace cutlass {

template <int Rank, class Index, class LongIndex>
std::ostream& operator<<(std::ostream& out, Coord<Rank, Index, LongIndex> const& coord) {
  for (int i = 0; i < Rank; ++i) out << (i == 0 ? "" : ",") << +coord[i];
  return out;
}
namespace gemm {
template <int M, int N, int K>
std::ostream& operator<<(std::ostream& out, GemmShape<M, N, K> const&) {
  return out << M << ',' << N << ',' << K;
}
}  // namespace gemm

}  // namespace cutlass
