// CuTe's and CUTLASS's names for products of a warpgroup and pipelines: the two names of an operation are one type; a kernel as
// programs write it, with PipelineTmaAsync between a producer and a consumer warpgroup, next to a triple loop.
#include "tilewright/exec/launch_checked.hpp"

#include <cutlass/arch/mma_sm90.h>
#include <gtest/gtest.h>
#include <cute/arch/mma_sm90_gmma_ext.hpp>
#include <cute/tensor.hpp>
#include <cutlass/pipeline/pipeline.hpp>

#include <random>
#include <vector>

using namespace cute;

namespace {

constexpr auto major_k = GMMA::Major::K;
constexpr auto major_mn = SM90::GMMA::Major::MN;

// Selectors of programs expand a pack of signs.
template <auto... Signs>
using of_pack = SM90_64x128x16_F32F16F16_SS<major_k, major_mn, Signs...>;
template <auto... Signs>
constexpr auto selected() {
  return SM90::GMMA::MMA_64x64x32_F32E4M3E4M3_RS_TN<Signs...>{};
}

TEST(compat_gmma, signs_are_a_pack) {
  constexpr auto plus = GMMA::ScaleIn::One, minus = GMMA::ScaleIn::Neg;
  static_assert(is_same_v<of_pack<>, SM90_64x128x16_F32F16F16_SS<major_k, major_mn, plus, plus>>);
  static_assert(is_same_v<of_pack<minus>, SM90_64x128x16_F32F16F16_SS<major_k, major_mn, minus, plus>>);
  static_assert(!is_same_v<of_pack<minus>, of_pack<plus, minus>>);
  static_assert(is_same_v<decltype(selected<>()), SM90_64x64x32_F32E4M3E4M3_RS_TN<plus, plus>>);
  static_assert(is_same_v<decltype(selected<plus, minus>()), SM90_64x64x32_F32E4M3E4M3_RS_TN<plus, minus>>);
}

TEST(compat_gmma, an_operation_has_two_names) {
  static_assert(is_same_v<SM90::GMMA::MMA_64x128x16_F32BF16BF16_SS<major_k, major_mn>,
                          SM90_64x128x16_F32BF16BF16_SS<major_k, major_mn>>);
  static_assert(is_same_v<GMMA::MMA_64x8x8_F32TF32TF32_RS_TN<>, SM90_64x8x8_F32TF32TF32_RS_TN<>>);
  static_assert(is_same_v<GMMA::MMA_64x24x32_S32S8U8_SS_TN_SATURATE, SM90_64x24x32_S32S8U8_SS_TN_SATURATE>);
  using Traits = MMA_Traits<SM90_64x64x16_F16F16F16_SS<major_mn, major_mn>>;
  static_assert(is_same_v<Traits::CLayout, GMMA::CLayout_64x64>);
  static_assert(is_same_v<Traits::ALayout, GMMA::ABLayout<64, 16>>);
  static_assert(is_same_v<Traits::FrgTypeA, GMMA::smem_desc<major_mn>>);
  static_assert(is_same_v<MMA_Traits<SM90_64x8x32_F32E4M3E4M3_RS_TN<>>::ALayout, GMMA::ALayout_64x32>);
  // CuTe's common shapes alone: 160 = 5 * 32.
  static_assert(is_same_v<decltype(GMMA::ss_op_selector<half_t, half_t, float, Shape<_128, Int<160>, _64>>()),
                          SM90_64x32x16_F32F16F16_SS<major_k, major_k>>);
  static_assert(is_same_v<decltype(SM90::GMMA::rs_op_selector<bfloat16_t, bfloat16_t, float, Shape<_64, _192, _64>,
                                                              major_k, major_mn>()),
                          SM90_64x192x16_F32BF16BF16_RS<major_k, major_mn>>);
}

TEST(compat_gmma, states_of_pipelines_go_around) {
  cutlass::PipelineState<3> state;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(state.index(), i % 3);
    EXPECT_EQ(state.phase(), static_cast<unsigned>(i / 3 % 2));
    EXPECT_EQ(state.count(), static_cast<unsigned>(i));
    auto const same = cutlass::PipelineState<3>::make_pipeline_state({}, static_cast<unsigned>(i));
    EXPECT_EQ(same.index(), state.index());
    EXPECT_EQ(same.phase(), state.phase());
    ++state;
  }
  auto const producer = cutlass::make_producer_start_state<cutlass::PipelineTmaAsync<3>>();
  EXPECT_EQ(producer.index(), 0);
  EXPECT_EQ(producer.phase(), 1u);
}

using SharedA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64, _2>{}));
using SharedB = decltype(tile_to_shape(GMMA::Layout_MN_SW64_Atom<half_t>{}, Shape<_32, _64, _2>{}));

/// Warp 0 loads tiles by TMA, warps 4 to 7 multiply them.
struct pipelined {
  template <class Block, class TmaA, class TmaB, class C>
  void operator()(Block& block, TmaA const& tma_a, TmaB const& tma_b, C c, int k) const {
    using Pipeline = cutlass::PipelineTmaAsync<2>;
    auto sA = block.template shared<half_t>(SharedA{});
    auto sB = block.template shared<half_t>(SharedB{});
    auto const memory = block.template shared_array<typename Pipeline::SharedStorage>(1);
    auto& storage = *memory.unwatched();
    auto const gA = local_tile(tma_a.get_tma_tensor(make_shape(64, k)), Shape<_64, _64>{}, make_coord(0, _));
    auto const gB = local_tile(tma_b.get_tma_tensor(make_shape(32, k)), Shape<_32, _64>{}, make_coord(0, _));
    auto const [tAgA, tAsA] =
        tma_partition(tma_a, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sA), group_modes<0, 2>(gA));
    auto const [tBgB, tBsB] =
        tma_partition(tma_b, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sB), group_modes<0, 2>(gB));
    bool const is_producer = block.thread() < 128;
    typename Pipeline::Params params;
    params.transaction_bytes = (64 + 32) * 64 * 2;
    params.role = is_producer ? Pipeline::ThreadCategory::Producer : Pipeline::ThreadCategory::Consumer;
    params.is_leader = block.thread() == 0;
    params.num_consumers = 128;
    Pipeline pipeline(storage, params, Shape<_1, _1, _1>{});
    block.sync();
    int const steps = ceil_div(k, 64);
    if (is_producer) {
      if (block.thread() != 0) return;
      auto state = cutlass::make_producer_start_state<Pipeline>();
      for (int i = 0; i < steps; ++i, ++state) {
        pipeline.producer_acquire(state, pipeline.producer_try_acquire(state));
        auto* const barrier = pipeline.producer_get_barrier(state);
        copy(tma_a.with(*barrier), tAgA(_, i), tAsA(_, state.index()));
        copy(tma_b.with(*barrier), tBgB(_, i), tBsB(_, state.index()));
      }
      pipeline.producer_tail(state);
    } else {
      TiledMMA mma = make_tiled_mma(SM90_64x32x16_F32F16F16_SS<major_k, major_mn>{});
      ThrMMA thr_mma = mma.get_thread_slice(block.thread() - 128);
      Tensor tCrA = thr_mma.make_fragment_A(thr_mma.partition_A(sA));
      Tensor tCrB = thr_mma.make_fragment_B(thr_mma.partition_B(sB));
      Tensor tCgC = thr_mma.partition_C(c);
      Tensor tCrC = thr_mma.make_fragment_C(tCgC);
      mma.accumulate_ = GMMA::ScaleOut::Zero;
      cutlass::PipelineState<2> state;
      for (int i = 0; i < steps; ++i, ++state) {
        pipeline.consumer_wait(state, pipeline.consumer_try_wait(state));
        warpgroup_fence_operand(tCrC);
        warpgroup_arrive();
        for (int kb = 0; kb < size<2>(tCrA); ++kb) {
          cute::gemm(mma, tCrA(_, _, kb, state.index()), tCrB(_, _, kb, state.index()), tCrC);
          mma.accumulate_ = GMMA::ScaleOut::One;
        }
        warpgroup_commit_batch();
        warpgroup_wait<0>();
        block.sync_warp();
        if (block.thread() % 128 < 32) pipeline.consumer_release(state);
      }
      copy(tCrC, tCgC);
    }
  }
};

TEST(compat_gmma, a_pipeline_feeds_a_warpgroup) {
  int const k = 320;
  std::mt19937 random(5);
  std::vector<half_t> a(64 * k), b(32 * k);
  for (auto& x : a) x = half_t(static_cast<float>(static_cast<int>(random() % 17) - 8) / 4.0f);
  for (auto& x : b) x = half_t(static_cast<float>(static_cast<int>(random() % 17) - 8) / 4.0f);
  std::vector<float> c(64 * 32);
  auto const tma_a = make_tma_atom(SM90_TMA_LOAD{}, make_tensor(a.data(), make_shape(64, k), make_stride(k, _1{})),
                                   SharedA{}(_, _, 0), Shape<_64, _64>{});
  auto const tma_b = make_tma_copy(SM90_TMA_LOAD{}, make_tensor(b.data(), make_shape(32, k), make_stride(_1{}, 32)),
                                   SharedB{}(_, _, 0), Shape<_32, _64>{});
  tilewright::launch_checked(tilewright::checked_config{.grid = 1, .block = 256, .exited_threads_leave_barriers = true},
                             pipelined{}, tma_a, tma_b, make_tensor(make_gmem_ptr(c.data()), Layout<Shape<_64, _32>>{}),
                             k);
  for (int m = 0; m < 64; ++m)
    for (int n = 0; n < 32; ++n) {
      float sum = 0;
      for (int l = 0; l < k; ++l)
        sum += static_cast<float>(a[static_cast<std::size_t>(m * k + l)]) *
               static_cast<float>(b[static_cast<std::size_t>(n + 32 * l)]);
      ASSERT_EQ(c[static_cast<std::size_t>(m + 64 * n)], sum) << m << "," << n;
    }
}

/// The tile's share of an atom alone is that of the copy that it came from.
TEST(compat_gmma, atoms_partition_as_their_copies_do) {
  alignas(128) static half_t memory[64 * 128];
  alignas(1024) static half_t tile[64 * 128];
  auto const from = make_tensor(memory, make_shape(64, 128), make_stride(128, _1{}));
  using Shared = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _128>{}));
  auto const tma = make_tma_copy(SM90_TMA_LOAD{}, from, Shared{}, Shape<_64, _128>{});
  Copy_Atom atom = tma;
  auto const s = group_modes<0, 2>(make_tensor(make_smem_ptr(tile), Shared{}));
  auto const g = group_modes<0, 2>(tma.get_tma_tensor(Shape<_64, _128>{}));
  auto const [g1, s1] = tma_partition(tma, Int<0>{}, Layout<_1>{}, s, g);
  auto const [g2, s2] = tma_partition(atom, Int<0>{}, Layout<_1>{}, s, g);
  ASSERT_EQ(size(s1), size(s2));
  for (int i = 0; i < size(s1); ++i) {
    ASSERT_EQ(&s1(i), &s2(i)) << i;
    ASSERT_TRUE(g1(i) == g2(i)) << i;
  }
}

}  // namespace
