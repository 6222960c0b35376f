// Elements of four bits, two to a byte: the same three declarations, the same partition and copy. Each thread carries 32
// of them in one 128-bit access, and no bit beside them changes.
#pragma once

#include "examples/kernel_array.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/tilewright.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace tilewright::examples {

struct copy_packed {
  TILEWRIGHT_HOST_DEVICE void operator()(auto& block, auto tiled_copy, auto src, auto dst) const {
    auto const thr_copy = tiled_copy.get_slice(block.thread());
    copy(tiled_copy, thr_copy.partition_S(src), thr_copy.partition_D(dst));
  }
};

inline int run_packed_uint4() {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, uint4b_t>{}, Layout<Shape<_2, _16>>{},
                                          Layout<Shape<_32, _1>>{});
  auto const tile = make_layout(Shape<_64, _16>{});  // 1024 elements in 512 bytes
  std::vector<uint128_t> words(32);                  // of 128 bits, so that vectors are aligned
  auto const packed = make_tensor(reinterpret_cast<uint4b_t*>(words.data()), tile);
  for (int i = 0; i < size(packed); ++i) packed(i) = uint4b_t(i * 7 % 16);
  kernel_array<uint128_t> const in(words);
  kernel_array<uint128_t> out(words.size());
  auto const src = make_tensor(make_gmem_ptr(reinterpret_cast<uint4b_t const*>(in.data())), tile);
  auto const dst = make_tensor(make_gmem_ptr(reinterpret_cast<uint4b_t*>(out.data())), tile);

  launch(1, 32, copy_packed{}, tiled_copy, src, dst);
  auto const arrived = out.host();
  auto const copied = make_tensor(reinterpret_cast<uint4b_t const*>(arrived.data()), tile);
  int wrong = 0;
  for (int i = 0; i < size(packed); ++i) wrong += static_cast<int>(copied(i)) != i * 7 % 16 ? 1 : 0;

  printf("one atom:    %d elements of %d bits\npartition_S: ", tiled_copy.NumValSrc, sizeof_bits_v<uint4b_t>);
  print(tiled_copy.get_slice(0).partition_S(src).layout());
  printf("\ncopied:      %d elements, %d of them wrong\n", static_cast<int>(size(src)), wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace tilewright::examples
