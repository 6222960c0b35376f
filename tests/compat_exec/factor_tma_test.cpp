// TMA loads of the factors of block-scaled products, written as CUTLASS's kernels are: 16 bytes of a lane have the factors of four
// rows, of which the tensor has two modes. And retile_S of a partition of swizzled shared memory.
#include <cutlass/arch/barrier.h>
#include <gtest/gtest.h>
#include <cute/tensor.hpp>
#include <cutlass/detail/sm100_blockscaled_layout.hpp>

#include <cstdint>
#include <vector>

#include "tilewright/exec/launch.hpp"

using namespace cute;

namespace {

constexpr int vector = 16, M = 384, K = 1024;
using Config = cutlass::detail::Sm1xxBlockScaledConfig<vector>;
using Op = SM100_MMA_MXF4_SS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, 128, 128, vector, UMMA::Major::K,
                             UMMA::Major::K>;
using Mma = decltype(make_tiled_mma(Op{}));
using CtaTile = Shape<_128, _128, _256>;
using SmemLayout = decltype(Config::deduce_smem_layoutSFA(Mma{}, CtaTile{}));
constexpr int factors_of_a_tile = 128 * 256 / vector;

float_ue4m3_t factor(int i) { return float_ue4m3_t::bitcast(static_cast<std::uint8_t>((i * 29 + i / 256) % 126)); }

/// out(row, group of 16 elements, tile along K, tile along M)
struct load_factors {
  template <class Block, class Tma, class L, class Out>
  void operator()(Block& block, Tma const& tma, L const& layout, Out out) const {
    auto sSF = block.template shared<float_ue4m3_t>(Layout<Int<factors_of_a_tile>>{});
    auto const tCsSF = make_tensor(sSF.data(), SmemLayout{});
    auto* const barrier = block.template shared_array<cutlass::arch::ClusterTransactionBarrier>(1);
    if (block.thread() == 0) {
      barrier->init(1);
      cutlass::arch::fence_barrier_init();
    }
    block.sync();
    auto const mSF = tma.get_tma_tensor(shape(layout));
    auto const gSF = local_tile(mSF, CtaTile{}, make_coord(_, _, _), Step<_1, X, _1>{});
    auto const tCgSF = Mma{}.get_slice(0).partition_A(gSF);  // ((M,K), 1, RestK, m, k, l)
    auto const [tSFg, tSFs] =
        tma_partition(tma, _0{}, make_layout(_1{}), group_modes<0, 3>(tCsSF), group_modes<0, 3>(tCgSF));
    int const m = static_cast<int>(block.index().x);
    for (int k = 0; k < K / 256; ++k) {
      if (block.thread() == 0) {
        barrier->arrive_and_expect_tx(factors_of_a_tile);
        copy(tma.with(*reinterpret_cast<std::uint64_t*>(barrier)), tSFg(_, m, k, 0), tSFs);
      }
      barrier->wait(static_cast<std::uint32_t>(k % 2));
      for (int group = 0; group < 16; ++group)
        out(block.thread(), group, k, m) =
            tCsSF(make_coord(make_coord(block.thread(), 16 * group % 64), 0, group / 4)).storage;
      block.sync();
    }
  }
};

TEST(compat_factor_tma, tiles_of_factors) {
  auto const layout = Config::tile_atom_to_shape_SFA(make_shape(M, 128, K, 1));
  std::vector<float_ue4m3_t> factors(static_cast<std::size_t>(M * K / vector));
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = factor(static_cast<int>(i));
  auto const tensor = make_tensor(make_gmem_ptr(factors.data()), layout);
  auto const cluster = tiled_divide(make_layout(Shape<_1, _1, _1>{}), make_tile(typename Mma::AtomThrID{}));
  auto const tma =
      make_tma_atom_A_sm100<std::uint16_t>(SM90_TMA_LOAD{}, tensor, SmemLayout{}, CtaTile{}, Mma{}, cluster);
  std::vector<std::uint8_t> out(static_cast<std::size_t>(M * K / vector));
  tilewright::launch({.grid = M / 128, .block = 128}, load_factors{}, tma, layout,
                     make_tensor(make_gmem_ptr(out.data()), Shape<_128, _16, _4, _3>{}));
  // CUTLASS's documentation, "Scale factor layouts": blocks of 128 rows by four factors, along K first.
  for (int row = 0; row < M; ++row)
    for (int group = 0; group < K / vector; ++group) {
      int const block = row / 128 * (K / vector / 4) + group / 4;
      int const at = 512 * block + 16 * (row % 32) + 4 * (row % 128 / 32) + group % 4;
      int const read = row % 128 + 128 * (group % 16 + 16 * (group / 16 + 4 * (row / 128)));
      ASSERT_EQ(out[static_cast<std::size_t>(read)], factor(at).storage) << row << "," << group;
    }
}

/// A tile whose contiguous elements are in three modes of the tensor.
template <class Tma, class Smem>
struct load_tile {
  template <class Block, class Out>
  void operator()(Block& block, Tma const& tma, Out out) const {
    auto s = block.template shared<std::uint8_t>(Smem{});
    auto* const barrier = block.template shared_array<cutlass::arch::ClusterTransactionBarrier>(1);
    if (block.thread() == 0) {
      barrier->init(1);
      cutlass::arch::fence_barrier_init();
      barrier->arrive_and_expect_tx(static_cast<std::uint32_t>(size(Smem{})));
      auto const g = local_tile(tma.get_tma_tensor(Shape<Shape<_8, _4>, Shape<_2, _12>>{}), Shape<_32, _8>{},
                                make_coord(0, block.index().x));
      auto const slice = tma.get_slice(0);
      copy(tma.with(*reinterpret_cast<std::uint64_t*>(barrier)), slice.partition_S(g), slice.partition_D(s));
    }
    block.sync();
    barrier->wait(0);
    for (int i = block.thread(); i < 256; i += 32) out(i, block.index().x) = s(i);
  }
};
/// By a tiled copy, out of a compact tensor.
template <class Smem>
void expect_tiles() {
  using Compact = Layout<Shape<Shape<_8, _4>, Shape<_2, _12>>, Stride<Stride<_8, _2>, Stride<_1, _64>>>;
  std::vector<std::uint8_t> in(768 + 16), out(768);
  auto* const aligned = in.data() + (16 - reinterpret_cast<std::uintptr_t>(in.data()) % 16) % 16;
  for (int i = 0; i < 768; ++i) aligned[i] = static_cast<std::uint8_t>(i % 251);
  auto const tensor = make_tensor(make_gmem_ptr(aligned), Compact{});
  auto const tma = make_tma_copy(SM90_TMA_LOAD{}, tensor, Smem{}, Shape<_32, _8>{});
  tilewright::launch({.grid = 3, .block = 32}, load_tile<std::remove_const_t<decltype(tma)>, Smem>{}, tma,
                     make_tensor(make_gmem_ptr(out.data()), Shape<Int<256>, _3>{}));
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 24; ++column)
      ASSERT_EQ(out[static_cast<std::size_t>(row + 32 * column)],
                aligned[8 * (row % 8) + 2 * (row / 8) + column % 2 + 64 * (column / 2)])
          << row << "," << column;
}
TEST(compat_factor_tma, contiguous_elements_of_several_modes) {
  expect_tiles<Layout<Shape<Shape<_8, _4>, Shape<_2, _4>>, Stride<Stride<_8, _2>, Stride<_1, _64>>>>();
}
TEST(compat_factor_tma, tiles_with_gaps_in_shared_memory) {
  expect_tiles<Layout<Shape<Shape<_8, _4>, Shape<_2, _4>>, Stride<Stride<_8, _2>, Stride<_1, _128>>>>();
}

TEST(compat_retile, of_swizzled_shared_memory) {
  std::vector<half_t> memory(64 * 64);
  auto const layout =
      tile_to_shape(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}), Shape<_64, _64>{});
  auto const tile = make_tensor(make_smem_ptr(memory.data()), layout);
  auto const plain = make_tensor(make_smem_ptr(memory.data()), layout.layout_b());
  auto const store = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                     Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto const load = make_tiled_copy(Copy_Atom<UniversalCopy<std::uint32_t>, half_t>{},
                                    Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto const mine = load.get_slice(5).retile_S(store.get_slice(5).partition_D(tile));
  auto const offsets = load.get_slice(5).retile_S(store.get_slice(5).partition_D(plain));
  ASSERT_EQ(size(mine), size(offsets));
  for (int i = 0; i < size(mine); ++i) {
    auto const at = static_cast<int>(&offsets(i) - memory.data());
    EXPECT_EQ(&mine(i) - memory.data(), (Swizzle<3, 3, 3>{}(at))) << i;
  }
}

}  // namespace
