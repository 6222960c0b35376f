// The figures of the PTX documentation that ldmatrix, stmatrix and mma share, restated as plain functions, and the
// m16n8k16 operation as a copy needs it. The tests of both machines compare with these.
#pragma once

#include "tilewright/tiled/make_tiled_copy_mma.hpp"

namespace tilewright::figures {

struct place {
  int matrix, row, column;
};

/// "Fragment layout of one 8x8 matrix with 16-bit elements": which element is value `v` of a thread.
TILEWRIGHT_HOST_DEVICE constexpr place of_fragment(int thread, int v, bool transposed) {
  int const group = thread / 4, pair = 2 * (thread % 4) + v % 2;
  return transposed ? place{v / 2, pair, group} : place{v / 2, group, pair};
}

/// The 16-bit element number `c` of the rows that the threads give addresses of, 8 to a row and 64 to a matrix.
TILEWRIGHT_HOST_DEVICE constexpr int index(place const& p) { return 64 * p.matrix + 8 * p.row + p.column; }

/// mma.m16n8k16 with 16-bit operands ("Matrix Fragments for mma.m16n8k16"), N twice for a tile of 16 × 16 × 16:
/// A: a0 a1 at (g, 2t) (g, 2t+1), then the same 8 rows below, then both 8 columns on; B and C likewise.
struct m16n16k16 {
  TILEWRIGHT_HOST_DEVICE static constexpr auto tile_shape() { return Shape<_16, _16, _16>{}; }
  TILEWRIGHT_HOST_DEVICE static constexpr auto get_layoutA_TV() {
    return Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8, _128>>>{};
  }
  TILEWRIGHT_HOST_DEVICE static constexpr auto get_layoutB_TV() {
    return Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _128, _8>>>{};
  }
  TILEWRIGHT_HOST_DEVICE static constexpr auto get_layoutC_TV() {
    return Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8, _128>>>{};
  }
};

/// Where the figure puts value `v` (0 … 7) of operand A of the tile, and of B.
TILEWRIGHT_HOST_DEVICE constexpr place of_a(int thread, int v) {
  return {0, thread / 4 + 8 * (v / 2 % 2), 2 * (thread % 4) + v % 2 + 8 * (v / 4)};
}
TILEWRIGHT_HOST_DEVICE constexpr place of_b(int thread, int v) {  // row: n, column: k
  return {0, thread / 4 + 8 * (v / 4), 2 * (thread % 4) + v % 2 + 8 * (v / 2 % 2)};
}

}  // namespace tilewright::figures
