// A tiled copy looked at on the host before any kernel runs: the tensors, the copy, one thread's slice of it, and that
// thread's partitions of a global and a shared tile. The tile's extents are run-time integers on the global side, so
// its partition mixes constants and numbers.
#pragma once

#include "tilewright/tilewright.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

namespace tilewright::examples {

template <class T>
void print_named(char const* name, T const& object) {
  printf("%s: \n", name);
  print(object);
  printf("\n");
}

inline int run_tiled_copy_preview() {
  using Element = std::uint16_t;
  using Vector = uint128_t;
  using M = _1024;
  using K = _1024;

  auto const gmem_layout = make_layout(make_shape(M{}, K{}), make_stride(_1{}, M{}));  // column-major
  std::vector<Element> gmem(static_cast<std::size_t>(size(gmem_layout)));
  auto const gmem_tensor = make_tensor(make_gmem_ptr(gmem.data()), gmem_layout);  // (M, K)

  constexpr int blk_m = 128, blk_n = 128, blk_k = 32;
  auto const cta_tiler = make_shape(blk_m, blk_n, blk_k);                                   // (BlkM, BlkN, BlkK)
  auto const cta_coord = make_coord(0, 0, _);                                               // (m, n, :)
  auto const gmem_tile = local_tile(gmem_tensor, cta_tiler, cta_coord, Step<_1, X, _1>{});  // (BlkM, BlkK, k)

  auto const smem_layout = make_layout(make_shape(Int<blk_m>{}, Int<blk_k>{}), make_stride(_1{}, Int<blk_m>{}));
  std::vector<Element> smem(static_cast<std::size_t>(size(smem_layout)));
  auto const smem_tensor = make_tensor(smem.data(), smem_layout);  // (BlkM, BlkK)

  auto const thread_layout = make_layout(make_shape(_8{}, _4{}), make_stride(_1{}, _8{}));  // (ThrM, ThrK) -> thr
  auto const vector_layout = make_layout(make_shape(Int<128 / sizeof_bits_v<Element>>{}), make_stride(_1{}));
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<Vector>, Element>{}, thread_layout, vector_layout);
  auto const thread_copy = tiled_copy.get_slice(0);
  auto const thread_gmem = thread_copy.partition_S(gmem_tile);    // (Cpy, CpyM, CpyK, k)
  auto const thread_smem = thread_copy.partition_D(smem_tensor);  // (Cpy, CpyM, CpyK)

  print_named("gmem_tensor_A", gmem_tensor);
  print_named("gmem_cta_tensor_A", gmem_tile);
  print_named("smem_tensor_A", smem_tensor);
  print_named("thread_layout_A", thread_layout);
  print_named("vector_layout_A", vector_layout);
  print_named("gmem_tiled_copy_A", tiled_copy);
  print_named("thread_gmem_copy_A", thread_copy);
  print_named("thread_layout_A_gmem_cta_tensor_A", thread_gmem);
  print_named("thread_layout_A_smem_tensor_A", thread_smem);
  return 0;
}

}  // namespace tilewright::examples
