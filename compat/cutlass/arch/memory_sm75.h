// ldmatrix as a function, and loads of shared memory, by CUTLASS's names. Device code alone.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/array.h"
#include "cutlass/layout/matrix.h"
#include "tilewright/atom/ptx/matrix.hpp"

namespace cutlass::arch {

/// 1, 2 or 4 matrices of 8 × 8 16-bit elements; those of column-major layout are transposed on the way.
/// ptr: thread t names row t % 8 of matrix t / 8; all threads of a warp call it
template <class Layout, int MatrixCount>
CUTLASS_DEVICE void ldsm([[maybe_unused]] Array<unsigned, MatrixCount>& D, [[maybe_unused]] void const* ptr) {
  static_assert(MatrixCount == 1 || MatrixCount == 2 || MatrixCount == 4, "ldsm: loads 1, 2 or 4 matrices");
#if TILEWRIGHT_ON_DEVICE
  std::uint32_t registers[MatrixCount];
  tilewright::ptx::ldmatrix<MatrixCount, std::is_same_v<Layout, layout::ColumnMajor>>(ptr, registers);
  CUTLASS_PRAGMA_UNROLL
  for (int i = 0; i < MatrixCount; ++i) D[static_cast<std::size_t>(i)] = registers[i];
#endif
}

}  // namespace cutlass::arch
