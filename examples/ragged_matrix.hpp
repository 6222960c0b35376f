// A matrix that is not a whole number of tiles: the bounds are stated once, and copy() moves whole vectors inside them,
// single elements where a vector overhangs, and nothing beyond. A frame of guard elements shows that nothing was.
#pragma once

#include "examples/kernel_array.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

namespace tilewright::examples {

struct copy_ragged {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto tiled_copy, auto tiler, auto src, auto dst) const {
    auto const coord = make_coord(static_cast<int>(block.index().x), static_cast<int>(block.index().y));
    auto const thr_copy = tiled_copy.get_slice(block.thread());
    auto const from = thr_copy.partition_S(local_tile(src, tiler, coord));  // (Cpy, RestM, RestN)
    auto const to = thr_copy.partition_D(local_tile(dst, tiler, coord));    // (Cpy, RestM, RestN)
    auto const bounds = make_bounds(thr_copy, shape(src), tiler, coord);    // (Cpy, RestM, RestN)
    copy(tiled_copy, from, to, bounds);
  }
};

inline int run_ragged_matrix() {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{},
                                          Layout<Shape<_4, _1>>{});  // 16×8 a round
  auto const tiler = Shape<_32, _16>{};
  int const rows = 70, columns = 45, pitch = 96;  // 3×3 tiles, the last ones cut off
  auto const matrix = make_layout(make_shape(rows, columns), make_stride(_1{}, pitch));

  float const guard = -1.0f;
  auto const elements = static_cast<std::size_t>(pitch * columns);
  std::vector<float> data(elements);
  std::iota(data.begin(), data.end(), 0.0f);
  kernel_array<float> const in(data);
  kernel_array<float> out(elements, guard);

  auto const tiles = ceil_div(shape(matrix), tiler);
  launch(dim3(static_cast<unsigned>(get<0>(tiles)), static_cast<unsigned>(get<1>(tiles))), 32, copy_ragged{},
         tiled_copy, tiler, make_tensor(make_gmem_ptr(in.data()), matrix),
         make_tensor(make_gmem_ptr(out.data()), matrix));

  auto const arrived = out.host();
  int copied = 0, untouched = 0;
  for (int n = 0; n < columns; ++n) {
    for (int m = 0; m < pitch; ++m) {
      auto const at = static_cast<std::size_t>(n * pitch + m);
      if (m < rows) copied += arrived[at] == data[at] ? 1 : 0;
      else untouched += arrived[at] == guard ? 1 : 0;
    }
  }
  printf("%d of %d elements copied, %d of %d guard elements untouched\n", copied, rows * columns, untouched,
         (pitch - rows) * columns);
  return copied == rows * columns && untouched == (pitch - rows) * columns ? 0 : 1;
}

}  // namespace tilewright::examples
