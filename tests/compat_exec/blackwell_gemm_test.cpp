// A kernel for Blackwell in CuTe's names, as programs write it: clusters of four blocks in pairs, operands by TMA to both blocks of
// a pair and to the pairs beside it, products of two blocks, sums by way of registers; next to a triple loop. What print says of
// its parts is what CuTe's documentation shows.
#include "tilewright/exec/launch.hpp"

#include <cutlass/arch/barrier.h>
#include <gtest/gtest.h>
#include <cute/arch/tmem_allocator_sm100.hpp>
#include <cute/tensor.hpp>

#include <random>
#include <string>
#include <vector>

using namespace cute;

namespace {

constexpr auto major_k = UMMA::Major::K;

template <class T>
std::string printed(T const& t) {
  testing::internal::CaptureStdout();
  print(t);
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

TEST(compat_umma, prints_as_cute_documents_it) {
  auto const mma = make_tiled_mma(SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 256, major_k, major_k>{});
  EXPECT_EQ(printed(mma),
            "TiledMMA\n"
            "  ThrLayoutVMNK:  (_1,_1,_1,_1):(_0,_0,_0,_0)\n"
            "  PermutationMNK: (_,_,_)\n"
            "MMA_Atom\n"
            "  ThrID:      _1:_0\n"
            "  Shape_MNK:  (_128,_256,_16)\n"
            "  LayoutA_TV: (_1,(_128,_16)):(_0,(_1,_128))\n"
            "  LayoutB_TV: (_1,(_256,_16)):(_0,(_1,_256))\n"
            "  LayoutC_TV: (_1,(_128,_256)):(_0,(_1,_128))\n");
  auto const shape_a = partition_shape_A(mma, make_shape(Int<128>{}, Int<64>{}));
  EXPECT_EQ(printed(shape_a), "((_128,_16),_1,_4)");
  auto const layout_a = UMMA::tile_to_mma_shape(UMMA::Layout_K_SW128_Atom<half_t>{}, shape_a);
  EXPECT_EQ(printed(layout_a), "Sw<3,4,3> o smem_ptr[16b](unset) o ((_128,_16),_1,_4):((_64,_1),_0,_16)");
  auto const sums = mma.get_slice(0).make_fragment_C(
      make_tensor(make_gmem_ptr(static_cast<float*>(nullptr)), make_shape(make_shape(_128{}, _256{}), _1{}, _1{})));
  EXPECT_EQ(printed(sums), "tmem_[32b](0x0000.0000) o ((_128,_256),_1,_1):((_65536,_1),_0,_0)");
  auto const pairs = make_tiled_mma(SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, 256, 256, major_k, major_k>{});
  EXPECT_EQ(printed(pairs),
            "TiledMMA\n"
            "  ThrLayoutVMNK:  (_2,_1,_1,_1):(_1,_0,_0,_0)\n"
            "  PermutationMNK: (_,_,_)\n"
            "MMA_Atom\n"
            "  ThrID:      _2:_1\n"
            "  Shape_MNK:  (_256,_256,_16)\n"
            "  LayoutA_TV: (_2,(_128,_16)):(_128,(_1,_256))\n"
            "  LayoutB_TV: (_2,(_128,_16)):(_128,(_1,_256))\n"
            "  LayoutC_TV: (_2,(_128,_256)):(_128,(_1,_256))\n");
}

/// One tile of C for each pair of blocks.
template <class Mma, class LayoutA, class LayoutB, class Tiler>
struct gemm_of_pairs {
  template <class Block, class TmaA, class TmaB, class C, class Extents>
  void operator()(Block& block, TmaA const& tma_a, TmaB const& tma_b, C c, Extents extents) const {
    Mma mma;
    Tiler tiler;
    auto sA = block.template shared<half_t>(LayoutA{});
    auto sB = block.template shared<half_t>(LayoutB{});
    auto* const words = block.template shared_array<std::uint64_t>(3);
    std::uint64_t *const mma_barrier = words, *const tma_barrier = words + 1;
    auto* const tmem_base = reinterpret_cast<std::uint32_t*>(words + 2);

    auto const cluster = tiled_divide(make_layout(Shape<_2, _2, _1>{}), make_tile(typename Mma::AtomThrID{}));
    auto const here = cluster.get_flat_coord(static_cast<int>(block_rank_in_cluster()));
    auto const tile = make_coord(block.index().x / size<0>(cluster), block.index().y, _);
    auto const gA = local_tile(tma_a.get_tma_tensor(select<0, 2>(extents)), tiler, tile, Step<_1, X, _1>{});
    auto const gB = local_tile(tma_b.get_tma_tensor(select<1, 2>(extents)), tiler, tile, Step<X, _1, _1>{});
    auto const gC = local_tile(c, tiler, tile, Step<_1, _1, X>{});
    auto const cta_mma = mma.get_slice(get<0>(here));
    auto const tCgA = cta_mma.partition_A(gA);
    auto const tCgB = cta_mma.partition_B(gB);
    auto const tCgC = cta_mma.partition_C(gC);
    auto const tCrA = cta_mma.make_fragment_A(sA);
    auto const tCrB = cta_mma.make_fragment_B(sB);
    auto sums = cta_mma.make_fragment_C(tCgC);

    bool const first_warp = block.thread() < 32;
    TMEM::Allocator2Sm allocator;
    if (first_warp) allocator.allocate(256, tmem_base);
    auto const [tAgA, tAsA] = tma_partition(tma_a, get<2>(here), make_layout(size<2>(cluster)), group_modes<0, 3>(sA),
                                            group_modes<0, 3>(tCgA));
    auto const [tBgB, tBsB] = tma_partition(tma_b, get<1>(here), make_layout(size<1>(cluster)), group_modes<0, 3>(sB),
                                            group_modes<0, 3>(tCgB));
    std::uint16_t const mask_a = create_tma_multicast_mask<2>(cluster, here);
    std::uint16_t const mask_b = create_tma_multicast_mask<1>(cluster, here);
    std::uint16_t const mask_c =
        create_tma_multicast_mask<0, 1>(cluster, here) | create_tma_multicast_mask<0, 2>(cluster, here);
    int const bytes =
        static_cast<int>(size<0>(cluster) * (sizeof(make_tensor_like(tAsA)) + sizeof(make_tensor_like(tBsB))));
    if (block.thread() == 0) {
      initialize_barrier(*mma_barrier, size<1>(cluster) + size<2>(cluster) - 1);
      initialize_barrier(*tma_barrier, 1);
    }
    cluster_sync();
    sums.data() = *tmem_base;

    bool const leads = get<0>(here) == 0;
    int tma_phase = 0, mma_phase = 0;
    mma.accumulate_ = UMMA::ScaleOut::Zero;
    for (int k = 0; k < size<3>(tCgA); ++k) {
      if (block.thread() == 0) {
        if (leads) set_barrier_transaction_bytes(*tma_barrier, static_cast<std::uint32_t>(bytes));
        copy(tma_a.with(*tma_barrier, mask_a), tAgA(_, k), tAsA);
        copy(tma_b.with(*tma_barrier, mask_b), tBgB(_, k), tBsB);
      }
      if (leads) {
        wait_barrier(*tma_barrier, tma_phase);
        tma_phase ^= 1;
        if (first_warp) {
          for (int step = 0; step < size<2>(tCrA); ++step) {
            gemm(mma, tCrA(_, _, step), tCrB(_, _, step), sums);
            mma.accumulate_ = UMMA::ScaleOut::One;
          }
          cutlass::arch::umma_arrive_multicast_2x1SM(mma_barrier, mask_c);
        }
      }
      wait_barrier(*mma_barrier, mma_phase);
      mma_phase ^= 1;
    }
    TiledCopy const to_registers = make_tmem_copy(SM100_TMEM_LOAD_32dp32b8x{}, sums);
    ThrCopy const mine = to_registers.get_slice(block.thread());
    auto const tDgC = mine.partition_D(tCgC);
    auto tDrC = make_tensor<float>(shape(tDgC));
    copy(to_registers, mine.partition_S(sums), tDrC);
    cutlass::arch::fence_view_async_tmem_load();
    copy(tDrC, tDgC);
    cluster_sync();
    if (first_warp) {
      allocator.release_allocation_lock();
      allocator.free(*tmem_base, 256);
    }
  }
};

template <int RestM>
void expect_gemm_of_pairs() {
  int const M = 512 * RestM, N = 128, K = 192;
  std::mt19937 random(7);
  std::vector<half_t> a(static_cast<std::size_t>(M * K)), b(static_cast<std::size_t>(N * K));
  for (auto* v : {&a, &b})
    for (auto& x : *v) x = static_cast<half_t>(static_cast<float>(static_cast<int>(random() % 9) - 4));
  std::vector<float> c(static_cast<std::size_t>(M * N), -1.0f);
  auto const tensor_a = make_tensor(make_gmem_ptr(a.data()), make_layout(make_shape(M, K), make_stride(K, _1{})));
  auto const tensor_b = make_tensor(make_gmem_ptr(b.data()), make_layout(make_shape(N, K), make_stride(K, _1{})));
  auto const tensor_c = make_tensor(make_gmem_ptr(c.data()), make_layout(make_shape(M, N), make_stride(N, _1{})));

  using Mma = decltype(make_tiled_mma(SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, 256, 64, major_k, major_k>{}));
  using Tiler = Shape<Int<256 * RestM>, _64, _64>;
  Mma mma;
  auto const layout_a = UMMA::tile_to_mma_shape(UMMA::Layout_K_SW128_Atom<half_t>{},
                                                partition_shape_A(mma, make_shape(Int<256 * RestM>{}, _64{})));
  auto const layout_b =
      UMMA::tile_to_mma_shape(UMMA::Layout_K_SW128_Atom<half_t>{}, partition_shape_B(mma, make_shape(_64{}, _64{})));
  // A grid of blocks: two along M are a pair, two along N share A.
  auto const cluster = tiled_divide(make_layout(Shape<_2, _2, _1>{}), make_tile(typename Mma::AtomThrID{}));
  Copy_Atom const tma_a =
      make_tma_atom_A_sm100(SM100_TMA_2SM_LOAD_MULTICAST{}, tensor_a, layout_a, Tiler{}, mma, cluster);
  Copy_Atom const tma_b =
      make_tma_atom_B_sm100(SM100_TMA_2SM_LOAD_MULTICAST{}, tensor_b, layout_b, Tiler{}, mma, cluster);
  tilewright::launch(
      {.grid = {4, 2}, .block = 128, .cluster = {2, 2}},
      gemm_of_pairs<Mma, std::remove_const_t<decltype(layout_a)>, std::remove_const_t<decltype(layout_b)>, Tiler>{},
      tma_a, tma_b, tensor_c, make_shape(M, N, K));
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += static_cast<float>(a[static_cast<std::size_t>(m * K + k)]) *
               static_cast<float>(b[static_cast<std::size_t>(n * K + k)]);
      ASSERT_EQ(c[static_cast<std::size_t>(m * N + n)], sum) << m << "," << n;
    }
}

TEST(compat_umma, a_gemm_of_pairs_of_blocks_with_tma) { expect_gemm_of_pairs<1>(); }

TEST(compat_umma, a_tile_of_two_products) { expect_gemm_of_pairs<2>(); }

}  // namespace
