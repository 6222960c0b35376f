// Slicing a matrix twice: local_tile gives each block its 4×4 tile of 8×8, local_partition each of 4 threads its four
// elements of the tile; as one 2×2 block, or interleaved with the others' elements. The matrix is a counting tensor,
// whose elements are their own offsets.
#pragma once

#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <cstdio>

namespace tilewright::examples {

template <class T>
TILEWRIGHT_HOST_DEVICE void print_owned(T const& part) {
  print(part.layout());
  printf("\nThread 0 owns elements: ");
  for (int i = 0; i < size(part); ++i) printf("%d ", part(i));
  printf("\n");
}

struct slice_matrix {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto shape_mn, auto cta_tiler, auto thr_layout) const {
    auto const matrix = make_counting_tensor(make_layout(shape_mn));  // (M, N)
    auto const coord = make_coord(static_cast<int>(block.index().x), static_cast<int>(block.index().y));
    auto const tile = local_tile(matrix, cta_tiler, coord);                         // (BlkM, BlkN)
    auto const chunk = local_partition(tile, thr_layout, block.thread(), blocked);  // (BlkM / ThrM, BlkN / ThrN)
    auto const spread = local_partition(tile, thr_layout, block.thread());          // (BlkM / ThrM, BlkN / ThrN)
    if (block.index() != dim3(0, 0, 0) || block.thread() != 0) return;

    printf("=== Full matrix layout ===\n");
    print(matrix.layout());
    printf("\n\n=== Block (0,0) tile ===\n");
    print(tile.layout());
    printf("\n");
    for (int m = 0; m < size<0>(tile); ++m) {
      for (int n = 0; n < size<1>(tile); ++n) printf("%3d ", tile(m, n));
      printf("\n");
    }
    printf("\n=== Block (0,0), Thread 0 partition ===\n");
    print_owned(chunk);
    printf("\n=== The same, interleaved: each thread takes every second row and column ===\n");
    print_owned(spread);
  }
};

inline int run_slicing() {
  auto const shape_mn = Shape<_8, _8>{};
  auto const cta_tiler = Shape<_4, _4>{};
  auto const thr_layout = make_layout(Shape<_2, _2>{});  // (m, n) -> thr_idx
  launch(ceil_div(shape_mn, cta_tiler), size(thr_layout), slice_matrix{}, shape_mn, cta_tiler, thr_layout);
  return 0;
}

}  // namespace tilewright::examples
