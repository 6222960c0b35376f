// What the tiled-copy examples share: a kernel that copies one tile from global to shared memory and compares every
// element afterwards, and the host side that runs it on counted-up data and says in one line how it went.
#pragma once

#include "examples/kernel_array.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

namespace tilewright::examples {

/// Global -> shared through the tiled copy; then the threads compare, each every threads()-th element.
/// post: mismatches(t) is the number of elements that thread t found to differ
struct copy_tile {
  template <class Tiled, class Src, class Smem, class Mismatches>
  constexpr bytes shared_bytes(Tiled const&, Src const&, Smem const& smem_layout, Mismatches const&) const {
    return tilewright::shared_bytes<float>(smem_layout);
  }

  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto tiled_copy, auto src, auto smem_layout,
                                         auto mismatches) const {
    auto tile = shared<float>(block, smem_layout);  // (M, N)

    auto const thr_copy = tiled_copy.get_slice(block.thread());
    auto const from = thr_copy.partition_S(src);  // (Cpy, RestM, RestN)
    auto const to = thr_copy.partition_D(tile);   // (Cpy, RestM, RestN)
    copy(tiled_copy, from, to);
    block.sync();

    int differing = 0;
    for (int i = block.thread(); i < size(tile); i += block.threads()) differing += tile(i) != src(i) ? 1 : 0;
    mismatches(block.thread()) = differing;
  }
};

/// 0, 1, 2, … in a buffer that `layout` fits.
template <class L>
std::vector<float> counted_up(L const& layout) {
  std::vector<float> data(static_cast<std::size_t>(cosize(layout)));
  std::iota(data.begin(), data.end(), 0.0f);
  return data;
}

inline int sum_of(kernel_array<int> const& numbers) {
  auto const all = numbers.host();
  return std::accumulate(all.begin(), all.end(), 0);
}

/// Runs copy_tile with one block of the tiled copy's threads.
/// post: the number of elements that arrived wrong
template <class Tiled, class Gmem, class Smem>
int mismatches_of(Tiled const& tiled_copy, Gmem const& gmem_layout, Smem const& smem_layout) {
  kernel_array<float> const data(counted_up(gmem_layout));
  auto const src = make_tensor(make_gmem_ptr(data.data()), gmem_layout);  // (M, N)
  int const threads = size<0>(typename Tiled::TiledLayout_TV{});
  kernel_array<int> found(static_cast<std::size_t>(threads));
  launch(1, dim3(static_cast<unsigned>(threads)), copy_tile{}, tiled_copy, src, smem_layout,
         make_tensor(make_gmem_ptr(found.data()), make_shape(threads)));
  return sum_of(found);
}

/// Prints what the tiled copy covers in one round, thread 0's partition of the tensor, and the outcome of a copy.
/// post: 0 when every element arrived, else 1: the program's exit status
template <class Tiled, class Gmem, class Smem>
int show_and_copy(Tiled const& tiled_copy, Gmem const& gmem_layout, Smem const& smem_layout) {
  auto const counted = make_counting_tensor(gmem_layout);
  auto const part = tiled_copy.get_slice(0).partition_S(counted);  // (Cpy, RestM, RestN)
  printf("tensor:       ");
  print(gmem_layout);
  printf("\none round:    ");
  print(tiled_copy.tile_shape());
  printf(" by %d threads\npartition_S:  ", static_cast<int>(size<0>(typename Tiled::TiledLayout_TV{})));
  print(part.layout());

  int const wrong = mismatches_of(tiled_copy, gmem_layout, smem_layout);
  printf("\ncopied:       %d elements, %d of them wrong\n", static_cast<int>(size(gmem_layout)), wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace tilewright::examples
