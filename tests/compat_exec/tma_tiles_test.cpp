// TMA copies as CUTLASS's tests make them: clusters whose size is known at run time alone, tiles in shared memory with another
// profile than the tiler's, and elements of more than 64 bits that the map counts in words.
#include <cutlass/arch/barrier.h>
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <cstdint>
#include <vector>

#include "tilewright/exec/launch.hpp"

using namespace cute;

namespace {

/// The first element of a vector whose address the engine takes.
template <class T>
T* aligned(std::vector<T>& memory) {
  return memory.data() + (16 - reinterpret_cast<std::uintptr_t>(memory.data()) % 16) % 16 / sizeof(T);
}

/// out(element of the tile, block, tile along the tensor): every block of the cluster has the whole tile.
template <class T, class Smem>
struct load_for_cluster {
  template <class Block, class Atom, class L, class Out>
  void operator()(Block& block, Atom const& atom, L const& layout, int blocks, Out out) const {
    auto const s = block.template shared<T>(Smem{});
    auto* const barrier = block.template shared_array<cutlass::arch::ClusterTransactionBarrier>(1);
    if (block.thread() == 0) {
      barrier->init(1);
      cutlass::arch::fence_barrier_init();
      barrier->arrive_and_expect_tx(static_cast<std::uint32_t>(size(Smem{}) * static_cast<int>(sizeof(T))));
    }
    block.sync();
    cluster_sync();
    int const rank = static_cast<int>(block_rank_in_cluster()), tile = static_cast<int>(block.index().x) / blocks;
    auto const g = zipped_divide(atom.get_tma_tensor(shape(layout)), shape(Smem{}));
    auto const [from, to] =
        tma_partition(atom, rank, make_layout(blocks), make_tensor(s.data(), make_layout(Smem{}, Layout<_1>{})), g);
    if (block.thread() == 0)
      copy(atom.with(*reinterpret_cast<std::uint64_t*>(barrier), static_cast<std::uint16_t>((1 << blocks) - 1)),
           from(_, tile), to(_, 0));
    barrier->wait(0);
    for (int i = block.thread(); i < size(Smem{}); i += 32) out(i, rank, tile) = s(i);
    cluster_sync();
  }
};
template <class T>
void expect_shared_tiles(int blocks) {
  using Smem = Layout<Shape<_32, _16>>;
  int const tiles = 3;
  std::vector<T> in(32 * 48 + 16), out(static_cast<std::size_t>(512 * tiles * blocks));
  T* const first = aligned(in);
  for (int i = 0; i < 32 * 48; ++i) first[i] = static_cast<T>(i % 113);
  auto const layout = make_layout(make_shape(32, 48), GenColMajor{});
  auto const atom = make_tma_atom(SM90_TMA_LOAD_MULTICAST{}, make_tensor(make_gmem_ptr(first), layout), Smem{},
                                  Shape<_32, _16>{}, blocks);
  tilewright::launch(
      {.grid = static_cast<unsigned>(tiles * blocks), .block = 32, .cluster = static_cast<unsigned>(blocks)},
      load_for_cluster<T, Smem>{}, atom, layout, blocks,
      make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(Int<512>{}, blocks, tiles))));
  for (int tile = 0; tile < tiles; ++tile)
    for (int rank = 0; rank < blocks; ++rank)
      for (int i = 0; i < 512; ++i)
        ASSERT_EQ(out[static_cast<std::size_t>(i + 512 * (rank + blocks * tile))], first[512 * tile + i])
            << blocks << " blocks, block " << rank << ", tile " << tile << ", element " << i;
}
TEST(compat_tma_tiles, cluster_size_at_run_time) {
  for (int const blocks : {1, 2, 4}) {
    expect_shared_tiles<std::int8_t>(blocks);
    expect_shared_tiles<double>(blocks);
  }
}
TEST(compat_tma_tiles, cluster_size_that_does_not_divide_the_box) {
  std::vector<float> in(32 * 16 + 16);
  auto const tensor = make_tensor(make_gmem_ptr(aligned(in)), make_layout(make_shape(32, 16), GenColMajor{}));
  Layout<Shape<_32, _16>> const smem{};
  EXPECT_THROW(make_tma_atom(SM90_TMA_LOAD_MULTICAST{}, tensor, smem, shape(smem), 3), std::invalid_argument);
  EXPECT_THROW(make_tma_atom(SM90_TMA_LOAD{}, tensor, smem, shape(smem), 2), std::invalid_argument);
}

/// out(element of the tile, tile): tiles by get_slice, of a tile in shared memory with integers for modes.
template <class T, class Tiler, class Smem>
struct load_tiles {
  template <class Block, class Copy, class L, class Out>
  void operator()(Block& block, Copy const& tma, L const& layout, Out out) const {
    auto s = block.template shared<T>(Smem{});
    auto* const barrier = block.template shared_array<cutlass::arch::ClusterTransactionBarrier>(1);
    auto const g = flat_divide(tma.get_tma_tensor(shape(layout)), Tiler{});
    auto const slice = tma.get_slice(Int<0>{});
    auto const from_parts = slice.partition_S(g);
    auto const from = group_modes<1, rank(from_parts)>(from_parts);
    auto const to_parts = slice.partition_D(s);
    auto const to = group_modes<1, rank(to_parts)>(to_parts);
    static_assert(size<1>(to) == 1);
    if (block.thread() == 0) {
      barrier->init(1);
      cutlass::arch::fence_barrier_init();
      barrier->arrive_and_expect_tx(static_cast<std::uint32_t>(size(Smem{}) * static_cast<int>(sizeof(T))));
      copy(tma.with(*reinterpret_cast<std::uint64_t*>(barrier)), from(_, static_cast<int>(block.index().x)), to(_, 0));
    }
    block.sync();
    barrier->wait(0);
    for (int i = block.thread(); i < size(Smem{}); i += 32) out(i, static_cast<int>(block.index().x)) = s(i);
  }
};
/// Every tile of a compact tensor.
template <class Word, class T, class Tiler, class Smem, class S>
void expect_tiles(S const& extents) {
  auto const layout = make_layout(extents);
  constexpr int each = static_cast<int>(size(Smem{}));
  int const all = static_cast<int>(size(layout)), tiles = all / each;
  std::vector<T> in(static_cast<std::size_t>(all + 16)), out(static_cast<std::size_t>(all));
  T* const first = aligned(in);
  for (int i = 0; i < all; ++i) first[i] = T(static_cast<float>(i % 1999));
  auto const tensor = make_tensor(make_gmem_ptr(first), layout);
  auto const tma = make_tma_copy<Word>(SM90_TMA_LOAD{}, tensor, Smem{}, Tiler{}, Int<1>{});
  tilewright::launch({.grid = static_cast<unsigned>(tiles), .block = 32}, load_tiles<T, Tiler, Smem>{}, tma, layout,
                     make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(Int<each>{}, tiles))));
  auto const expected = zipped_divide(tensor, Tiler{});  // ((TileM, TileN), (RestM, RestN))
  for (int tile = 0; tile < tiles; ++tile)
    for (int i = 0; i < each; ++i)
      ASSERT_TRUE(out[static_cast<std::size_t>(i + each * tile)] == expected(i, tile)) << tile << ", " << i;
}
TEST(compat_tma_tiles, tiler_of_several_modes_and_flat_shared_memory) {
  expect_tiles<float, float, Shape<Shape<_16, _8>, Shape<_8, _2>>, Layout<Shape<_128, _16>>>(
      make_shape(make_shape(32, 16), make_shape(16, 4)));
}
TEST(compat_tma_tiles, more_than_five_modes) {
  expect_tiles<float, float, Shape<Shape<_32>, Shape<_8, _2>>, Layout<Shape<_32, _16>>>(
      make_shape(make_shape(32, 3, 2, 2), make_shape(8, 4, 2)));
  expect_tiles<float, float, Shape<Shape<_32, _3>, Shape<_8, _2>>, Layout<Shape<Int<96>, _16>>>(
      make_shape(make_shape(64, 3, 2, 2), make_shape(8, 4, 2)));
  expect_tiles<float, float, Shape<Shape<_32>, Shape<_8, _2>>, Layout<Shape<_32, _16>>>(
      make_shape(make_shape(64, 3, 2, 3, 2), make_shape(8, 4, 2, 2)));
  expect_tiles<float, float, Shape<Shape<_32>, Shape<_8, _2>>, Layout<Shape<_32, _16>>>(
      make_shape(Shape<_32, _3, _2, _2>{}, Shape<_8, _4, _2>{}));
}
TEST(compat_tma_tiles, modes_whose_strides_do_not_share_a_mode) {
  std::vector<float> in(1 << 16);
  auto const layout = make_layout(make_shape(make_shape(32, 2, 2, 2), make_shape(8, 2, 2)),
                                  make_stride(make_stride(_1{}, 2048, 4096, 6144), make_stride(32, 12288, 16388)));
  EXPECT_THROW(make_tma_copy(SM90_TMA_LOAD{}, make_tensor(make_gmem_ptr(aligned(in)), layout), Layout<Shape<_32, _8>>{},
                             Shape<Shape<_32>, Shape<_8>>{}, Int<1>{}),
               tilewright::layout_error);
}
TEST(compat_tma_tiles, shared_tensor_larger_than_the_tile) {
  std::vector<float> in(1 << 14);
  auto const tensor = make_tensor(make_gmem_ptr(aligned(in)), make_layout(make_shape(96, 32), make_stride(_1{}, 96)));
  auto const tma = make_tma_copy(SM90_TMA_LOAD{}, tensor, Layout<Shape<_48, _16>>{});
  auto const shared = make_tensor(make_smem_ptr(in.data()), Layout<Shape<_64, _16>>{});
  auto const part = tma.get_slice(_0{}).partition_D(shared);  // ((AtomV, Value), RestM, RestN)
  static_assert(decltype(size<0>(part))::value == 48 * 16 && decltype(size<1>(part))::value == 2);
  static_assert(decltype(size<2>(part))::value == 1);
}
TEST(compat_tma_tiles, elements_of_128_bits) {
  using Complex = cutlass::complex<double>;
  expect_tiles<std::uint64_t, Complex, Shape<_32, _8>, Layout<Shape<_32, _8>>>(make_shape(64, 32));
  expect_tiles<std::uint32_t, Complex, Shape<_32, _8>, Layout<Shape<_32, _8>>>(make_shape(64, 32));
  expect_tiles<std::uint8_t, Complex, Shape<_8, _8>, Layout<Shape<_8, _8>>>(make_shape(64, 32));
}

}  // namespace
