// In which order blocks take the tiles of a product: bands of N columns of tiles, down each band, so that blocks that run at one time
// share rows and columns of tiles in the cache. Of 4 x 4 tiles in bands of 2, blocks 0 to 3 take (0,0), (0,1), (1,0), (1,1).
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/matrix_coord.h"

namespace cutlass::gemm::threadblock {

template <int N = 1>
struct GemmIdentityThreadblockSwizzle {
  static_assert(N > 0, "GemmIdentityThreadblockSwizzle: a band has 1 column of tiles or more");
  static constexpr int kTile = N;

  /// Tile of block `i` of rows * columns.
  /// post: each tile is that of one block
  CUTLASS_HOST_DEVICE static constexpr MatrixCoord tile_of_block(int i, int rows, int columns) {
    int const band = i / (rows * N);
    int const rest = i - band * rows * N;
    int const width = columns - band * N < N ? columns - band * N : N;  // the last band may be narrow
    return MatrixCoord(rest / width, band * N + rest % width);
  }
};

/// The name by which programs ask for parts of K of any length: blocks take whole tiles.
struct ThreadblockSwizzleStreamK : GemmIdentityThreadblockSwizzle<1> {};
/// Of batches, and of parts of K: the tiles of one problem by rows.
struct GemmBatchedIdentityThreadblockSwizzle : GemmIdentityThreadblockSwizzle<1> {};
struct GemmSplitKHorizontalThreadblockSwizzle : GemmIdentityThreadblockSwizzle<1> {};
template <int N = 1>
struct GemmSplitKIdentityThreadblockSwizzle : GemmIdentityThreadblockSwizzle<N> {};

}  // namespace cutlass::gemm::threadblock
