// The same without a tiled copy: every thread partitions source and destination by hand with local_partition, and
// nothing checks that its elements are contiguous. Here they are not: they are 8 elements apart, so the thread copies
// single floats.
#pragma once

#include "examples/tile_kernels.hpp"

namespace tilewright::examples {

struct copy_by_hand {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto src, auto smem_layout, auto thr_layout,
                                         auto mismatches) const {
    auto tile = shared<float>(block, smem_layout);                       // (M, N)
    auto const from = local_partition(src, thr_layout, block.thread());  // (M / ThrM, N / ThrN)
    auto const to = local_partition(tile, thr_layout, block.thread());   // (M / ThrM, N / ThrN)
    copy(AutoVectorizingCopy{}, from, to);
    block.sync();

    int differing = 0;
    for (int i = block.thread(); i < size(tile); i += block.threads()) differing += tile(i) != src(i) ? 1 : 0;
    mismatches(block.thread()) = differing;
  }
};

inline int run_manual_partition() {
  auto const tile = make_layout(Shape<_64, _64>{});
  auto const thr_layout = Layout<Shape<_8, _32>>{};
  kernel_array<float> const data(counted_up(tile));
  kernel_array<int> found(256);
  auto const src = make_tensor(make_gmem_ptr(data.data()), tile);
  launch(1, 256, copy_by_hand{}, src, tile, thr_layout, make_tensor(make_gmem_ptr(found.data()), make_shape(_256{})));

  int const wrong = sum_of(found);
  printf("thread 0 of 256 owns ");
  print(local_partition(src, thr_layout, 0).layout());
  printf("\ncopied %d elements, %d of them wrong\n", static_cast<int>(size(tile)), wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace tilewright::examples
