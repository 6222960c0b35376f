// One warp copies a 16×8 tile with 128-bit accesses: first the map of which thread owns which cell, then the copy from
// global to shared memory. The three declarations are the atom (4 floats at a time), the threads (4×8, column-major) and
// the values (1×1: one atom each).
#pragma once

#include "examples/tile_kernels.hpp"

namespace tilewright::examples {

/// Each thread writes its number into the cells it owns; thread 0 prints the tile.
struct show_ownership {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto tiled_copy, auto tile_layout) const {
    auto tile = shared<float>(block, tile_layout);                                    // (M, N)
    auto const mine = tiled_copy.get_thread_slice(block.thread()).partition_D(tile);  // (Cpy, RestM, RestN)
    fill(mine, block.thread());
    block.sync();
    if (block.thread() != 0) return;

    int const rows = size<0>(tile), columns = size<1>(tile);
    printf("Tile ownership map (%d x %d), %d threads:\n\n       ", rows, columns, block.threads());
    for (int n = 0; n < columns; ++n) printf("c%-4d ", n);
    printf("\n");
    for (int m = 0; m < rows; ++m) {
      printf("r%-4d  ", m);
      for (int n = 0; n < columns; ++n) printf("T%02d   ", static_cast<int>(tile(m, n)));
      printf("\n");
    }
  }
};

/// Global -> shared; thread 0 prints what arrived.
struct copy_and_show {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto src, auto smem_layout, auto tiled_copy) const {
    auto tile = shared<float>(block, smem_layout);  // (M, N)
    auto const thr_copy = tiled_copy.get_thread_slice(block.thread());
    copy(tiled_copy, thr_copy.partition_S(src), thr_copy.partition_D(tile));
    block.sync();
    if (block.thread() != 0) return;

    printf("\nShared memory after TiledCopy (column-major, showing row by row):\n");
    for (int m = 0; m < size<0>(tile); ++m) {
      printf("  row %2d: ", m);
      for (int n = 0; n < size<1>(tile); ++n) printf("%5.0f ", static_cast<double>(tile(m, n)));
      printf("\n");
    }
  }
};

inline int run_tiled_copy_16x8() {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
  auto const tile_layout = make_layout(make_shape(_16{}, _8{}), LayoutLeft{});

  printf("=== TiledCopy Ownership Map ===\n\n");
  std::fflush(stdout);  // a GPU prints past what waits here
  launch(1, 32, show_ownership{}, tiled_copy, tile_layout);

  printf("\n=== TiledCopy: Global -> Shared ===\n");
  std::fflush(stdout);
  kernel_array<float> const data(counted_up(tile_layout));
  auto const src = make_tensor(make_gmem_ptr(data.data()), tile_layout);  // (16, 8)
  launch(1, 32, copy_and_show{}, src, tile_layout, tiled_copy);

  return mismatches_of(tiled_copy, tile_layout, tile_layout) == 0 ? 0 : 1;
}

}  // namespace tilewright::examples
