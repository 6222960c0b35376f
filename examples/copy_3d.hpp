// A tiled copy of three modes: 2×4×4 threads with 1×1×4 values each carry boxes of (2, 4, 16) from a volume stored with
// its last mode fastest into one stored with its first mode fastest. Reads are vectors, writes are single floats;
// retile_S shows the writing copy the registers that the reading copy has filled.
#pragma once

#include "examples/kernel_array.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

namespace tilewright::examples {

struct copy_volume {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto load, auto store, auto src, auto dst) const {
    auto const loader = load.get_slice(block.thread());
    auto const storer = store.get_slice(block.thread());
    auto const from = loader.partition_S(src);  // ((4,1), RestX, RestY, RestZ)
    auto const to = storer.partition_D(dst);    // ((1,4), RestX, RestY, RestZ)
    auto r = make_fragment_like(from);          // ((4,1), RestX, RestY, RestZ)
    copy(load, from, r);
    copy(store, storer.retile_S(r), to);
  }
};

inline int run_copy_3d() {
  auto const threads = make_layout(Shape<_2, _4, _4>{}, LayoutRight{});
  auto const values = make_layout(Shape<_1, _1, _4>{}, LayoutRight{});
  auto const load = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, threads, values);
  auto const store = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, threads, values);

  auto const extents = Shape<_8, _16, _32>{};
  auto const z_fastest = make_layout(extents, LayoutRight{});
  auto const x_fastest = make_layout(extents, LayoutLeft{});
  std::vector<float> data(static_cast<std::size_t>(size(extents)));
  std::iota(data.begin(), data.end(), 0.0f);
  kernel_array<float> const in(data);
  kernel_array<float> out(data.size());
  auto const src = make_tensor(make_gmem_ptr(in.data()), z_fastest);
  auto const dst = make_tensor(make_gmem_ptr(out.data()), x_fastest);
  launch(1, 32, copy_volume{}, load, store, src, dst);

  auto const arrived = out.host();
  auto const at = [](auto const& layout, int i) { return static_cast<std::size_t>(layout(i)); };
  int wrong = 0;
  for (int i = 0; i < size(extents); ++i) wrong += arrived[at(x_fastest, i)] != data[at(z_fastest, i)] ? 1 : 0;
  printf("one round:   ");
  print(load.tile_shape());
  printf("\npartition_S: ");
  print(load.get_slice(0).partition_S(src).layout());
  printf("\npartition_D: ");
  print(store.get_slice(0).partition_D(dst).layout());
  printf("\ncopied:      %d elements, %d of them wrong\n", static_cast<int>(size(extents)), wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace tilewright::examples
