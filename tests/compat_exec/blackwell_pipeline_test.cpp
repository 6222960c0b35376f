// CUTLASS's pipelines of Blackwell on the host body: a GEMM whose warps have roles, in a cluster of four blocks with products of one
// and of two blocks, next to a triple loop; the other pipelines on numbers; the masks of blocks that share tiles.
#include "tilewright/exec/launch.hpp"

#include <gtest/gtest.h>
#include <cute/arch/tmem_allocator_sm100.hpp>
#include <cute/tensor.hpp>
#include <cutlass/pipeline/sm100_pipeline.hpp>

#include <random>
#include <vector>

using namespace cute;

namespace {

constexpr auto major_k = UMMA::Major::K;
constexpr int stages = 2;
using cluster_shape = Shape<_2, _2, _1>;

/// The masks for blocks (x, y) of a cluster of 4 x 2: row, column, either, and the blocks of the product.
template <class AtomThrShape>
std::vector<int> masks_of(unsigned x, unsigned y) {
  using cutlass::McastDirection;
  auto const shape = make_shape(4, 2, _1{});
  tilewright::dim3 const block(x, y, 0);
  return {cutlass::detail::calculate_multicast_mask<McastDirection::kRow>(shape, AtomThrShape{}, block),
          cutlass::detail::calculate_multicast_mask<McastDirection::kCol>(shape, AtomThrShape{}, block),
          cutlass::detail::calculate_multicast_mask<McastDirection::kRowCol>(shape, AtomThrShape{}, block),
          cutlass::detail::calculate_umma_peer_mask(shape, AtomThrShape{}, block)};
}

TEST(compat_blackwell_pipeline, masks_of_blocks_that_share_tiles) {
  EXPECT_EQ((masks_of<Shape<_1, _1, _1>>(1, 0)), (std::vector<int>{0x22, 0x0f, 0x2f, 0x02}));
  EXPECT_EQ((masks_of<Shape<_1, _1, _1>>(3, 1)), (std::vector<int>{0x88, 0xf0, 0xf8, 0x80}));
  EXPECT_EQ((masks_of<Shape<_2, _1, _1>>(1, 0)), (std::vector<int>{0x33, 0x0f, 0x3f, 0x03}));
  EXPECT_EQ((masks_of<Shape<_2, _1, _1>>(2, 1)), (std::vector<int>{0xcc, 0xf0, 0xfc, 0xc0}));
}

/// Warp 0 loads, warp 1 multiplies, warps 4 to 7 say that the accumulators may be written, and store them.
template <class Mma, class LayoutA, class LayoutB, class Tiler>
struct gemm_of_roles {
  static constexpr int atom_blocks = decltype(size(typename Mma::AtomThrID{}))::value;
  using atom_shape = Shape<Int<atom_blocks>, _1, _1>;
  using Loads = cutlass::PipelineTmaUmmaAsync<stages, cluster_shape, atom_shape>;
  using Sums = cutlass::PipelineUmmaAsync<1, atom_shape>;
  using Ready = cutlass::PipelineUmmaConsumerAsync<1, atom_shape>;
  struct storage {
    typename Loads::SharedStorage loads;
    typename Sums::SharedStorage sums;
    typename Ready::SharedStorage ready;
  };

  template <class TmaA, class TmaB, class GA, class GB, class SA, class SB, class Cluster, class Here>
  static void load(Loads& pipeline, TmaA const& tma_a, TmaB const& tma_b, GA const& tCgA, GB const& tCgB, SA const& sA,
                   SB const& sB, Cluster const& cluster, Here const& here) {
    auto const [tAgA, tAsA] = tma_partition(tma_a, get<2>(here), make_layout(size<2>(cluster)), group_modes<0, 3>(sA),
                                            group_modes<0, 3>(tCgA));
    auto const [tBgB, tBsB] = tma_partition(tma_b, get<1>(here), make_layout(size<1>(cluster)), group_modes<0, 3>(sB),
                                            group_modes<0, 3>(tCgB));
    std::uint16_t const mask_a = create_tma_multicast_mask<2>(cluster, here);
    std::uint16_t const mask_b = create_tma_multicast_mask<1>(cluster, here);
    auto state = cutlass::make_producer_start_state<Loads>();
    for (int k = 0; k < size<3>(tCgA); ++k, ++state) {
      pipeline.producer_acquire(state);
      auto& barrier = *pipeline.producer_get_barrier(state);
      copy(tma_a.with(barrier, mask_a), tAgA(_, k), tAsA(_, state.index()));
      copy(tma_b.with(barrier, mask_b), tBgB(_, k), tBsB(_, state.index()));
    }
    pipeline.producer_tail(state);
  }
  template <class A, class B, class C>
  static void multiply(Loads& loads, Sums& sums, Ready& ready, A const& tCrA, B const& tCrB, C& tCtC, int k_tiles) {
    Mma mma;
    mma.accumulate_ = UMMA::ScaleOut::Zero;
    typename Ready::PipelineState ready_state;
    ready.consumer_wait(ready_state);
    auto const sums_state = cutlass::make_producer_start_state<Sums>();
    sums.producer_acquire(sums_state);
    typename Loads::PipelineState state;
    for (int k = 0; k < k_tiles; ++k, ++state) {
      loads.consumer_wait(state);
      for (int step = 0; step < size<2>(tCrA); ++step) {
        gemm(mma, tCrA(_, _, step, state.index()), tCrB(_, _, step, state.index()), tCtC);
        mma.accumulate_ = UMMA::ScaleOut::One;
      }
      loads.consumer_release(state);
    }
    sums.producer_commit(sums_state);
    ready.consumer_release(ready_state);
    auto after = sums_state;
    ++after;
    sums.producer_tail(after);
  }
  template <class C, class G>
  static void store(Sums& sums, Ready& ready, C const& tCtC, G const& tCgC, int thread) {
    auto ready_state = cutlass::make_producer_start_state<Ready>();
    ready.producer_acquire(ready_state);
    ready.producer_commit(ready_state);
    typename Sums::PipelineState state;
    sums.consumer_wait(state);
    TiledCopy const to_registers = make_tmem_copy(SM100_TMEM_LOAD_32dp32b8x{}, tCtC);
    ThrCopy const mine = to_registers.get_slice(thread);
    auto const tDgC = mine.partition_D(tCgC);
    auto tDrC = make_tensor<float>(shape(tDgC));
    copy(to_registers, mine.partition_S(tCtC), tDrC);
    cutlass::arch::fence_view_async_tmem_load();
    sums.consumer_release(state);
    copy(tDrC, tDgC);
    ++ready_state;
    ready.producer_acquire(ready_state);
  }

  template <class Block, class TmaA, class TmaB, class C, class Extents>
  void operator()(Block& block, TmaA const& tma_a, TmaB const& tma_b, C c, Extents extents) const {
    Mma mma;
    Tiler tiler;
    auto sA = block.template shared<half_t>(LayoutA{});
    auto sB = block.template shared<half_t>(LayoutB{});
    auto& barriers = *block.template shared_array<storage>(1);
    auto* const tmem_base = block.template shared_array<std::uint32_t>(1);

    auto const cluster = tiled_divide(make_layout(cluster_shape{}), make_tile(typename Mma::AtomThrID{}));
    auto const here = cluster.get_flat_coord(static_cast<int>(block_rank_in_cluster()));
    auto const tile = make_coord(block.index().x / size<0>(cluster), block.index().y, _);
    auto const cta_mma = mma.get_slice(get<0>(here));
    auto const tCgA =
        cta_mma.partition_A(local_tile(tma_a.get_tma_tensor(select<0, 2>(extents)), tiler, tile, Step<_1, X, _1>{}));
    auto const tCgB =
        cta_mma.partition_B(local_tile(tma_b.get_tma_tensor(select<1, 2>(extents)), tiler, tile, Step<X, _1, _1>{}));
    auto const tCgC = cta_mma.partition_C(local_tile(c, tiler, tile, Step<_1, _1, X>{}));
    auto const tCrA = cta_mma.make_fragment_A(sA);
    auto const tCrB = cta_mma.make_fragment_B(sB);
    auto tCtC = cta_mma.make_fragment_C(tCgC);

    using Allocator = std::conditional_t<atom_blocks == 2, TMEM::Allocator2Sm, TMEM::Allocator1Sm>;
    Allocator allocator;
    int const warp = block.thread() / 32;
    if (warp == 0) allocator.allocate(256, tmem_base);
    bool const leads = get<0>(here) == 0;
    typename Loads::Params load_params;
    load_params.role = warp == 0 ? Loads::ThreadCategory::Producer : Loads::ThreadCategory::Consumer;
    load_params.is_leader = block.thread() == 0 && leads;
    load_params.transaction_bytes = static_cast<std::uint32_t>(
        atom_blocks * sizeof(half_t) * (cosize(take<0, 3>(LayoutA{})) + cosize(take<0, 3>(LayoutB{}))));
    Loads loads(barriers.loads, load_params, cluster_shape{});
    typename Sums::Params sums_params;
    sums_params.consumer_arv_count = 128 * atom_blocks;
    Sums sums(barriers.sums, sums_params, cluster_shape{});
    typename Ready::Params ready_params;
    ready_params.producer_arv_count = 128 * atom_blocks;
    Ready ready(barriers.ready, ready_params, cluster_shape{});
    cutlass::pipeline_init_arrive_relaxed(4);
    cutlass::pipeline_init_wait(4);
    tCtC.data() = *tmem_base;

    if (block.thread() == 0) load(loads, tma_a, tma_b, tCgA, tCgB, sA, sB, cluster, here);
    if (warp == 1 && leads) multiply(loads, sums, ready, tCrA, tCrB, tCtC, static_cast<int>(size<3>(tCgA)));
    if (warp >= 4) store(sums, ready, tCtC, tCgC, block.thread() - 128);
    cluster_sync();
    if (warp == 0) {
      allocator.release_allocation_lock();
      allocator.free(*tmem_base, 256);
    }
  }
};

template <class Operation, class Load>
void expect_gemm_of_roles(Operation operation, Load load) {
  int const M = 512, N = 128, K = 320;
  std::mt19937 random(11);
  std::vector<half_t> a(static_cast<std::size_t>(M * K)), b(static_cast<std::size_t>(N * K));
  for (auto* v : {&a, &b})
    for (auto& x : *v) x = static_cast<half_t>(static_cast<float>(static_cast<int>(random() % 9) - 4));
  std::vector<float> c(static_cast<std::size_t>(M * N), -1.0f);
  auto const tensor_a = make_tensor(make_gmem_ptr(a.data()), make_layout(make_shape(M, K), make_stride(K, _1{})));
  auto const tensor_b = make_tensor(make_gmem_ptr(b.data()), make_layout(make_shape(N, K), make_stride(K, _1{})));
  auto const tensor_c = make_tensor(make_gmem_ptr(c.data()), make_layout(make_shape(M, N), make_stride(N, _1{})));

  auto const mma = make_tiled_mma(operation);
  using Mma = std::remove_const_t<decltype(mma)>;
  using Rows = decltype(tile_size<0>(mma));
  using Tiler = Shape<Rows, _64, _64>;
  auto const atom = UMMA::Layout_K_SW128_Atom<half_t>{};
  auto const shape_a = append(partition_shape_A(mma, make_shape(Rows{}, _64{})), Int<stages>{});
  auto const shape_b = append(partition_shape_B(mma, make_shape(_64{}, _64{})), Int<stages>{});
  auto const layout_a = UMMA::tile_to_mma_shape(atom, shape_a);
  auto const layout_b = UMMA::tile_to_mma_shape(atom, shape_b);
  auto const cluster = tiled_divide(make_layout(cluster_shape{}), make_tile(typename Mma::AtomThrID{}));
  Copy_Atom const tma_a = make_tma_atom_A_sm100(load, tensor_a, layout_a(_, _, _, _0{}), Tiler{}, mma, cluster);
  Copy_Atom const tma_b = make_tma_atom_B_sm100(load, tensor_b, layout_b(_, _, _, _0{}), Tiler{}, mma, cluster);
  tilewright::launch(
      {.grid = {4, 2}, .block = 256, .cluster = {2, 2}},
      gemm_of_roles<Mma, std::remove_const_t<decltype(layout_a)>, std::remove_const_t<decltype(layout_b)>, Tiler>{},
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

TEST(compat_blackwell_pipeline, a_gemm_of_roles_with_products_of_two_blocks) {
  expect_gemm_of_roles(SM100_MMA_F16BF16_2x1SM_SS<half_t, half_t, float, 256, 64, major_k, major_k>{},
                       SM100_TMA_2SM_LOAD_MULTICAST{});
}

TEST(compat_blackwell_pipeline, a_gemm_of_roles_with_products_of_one_block) {
  expect_gemm_of_roles(SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 64, major_k, major_k>{},
                       SM90_TMA_LOAD_MULTICAST{});
}

/// The first warp fills stages, half by its own stores and half by a bulk copy.
struct filled_by_both {
  template <class Block, class In, class Out>
  void operator()(Block& block, In in, Out out) const {
    using Pipeline = cutlass::PipelineTransactionAsync<2>;
    auto numbers = block.template shared<int>(Shape<_64, _2>{});
    typename Pipeline::Params params;
    params.transaction_bytes = 32 * sizeof(int);
    params.producer_arv_count = 32;
    params.consumer_arv_count = 32;
    Pipeline pipeline(*block.template shared_array<typename Pipeline::SharedStorage>(1), params);
    block.sync();
    int const lane = block.thread() % 32;
    if (block.thread() < 32) {
      auto state = cutlass::make_producer_start_state<Pipeline>();
      for (int i = 0; i < size<1>(in); ++i, ++state) {
        pipeline.producer_acquire(state);
        if (lane == 0) {
          pipeline.producer_expect_transaction(state);
          copy(Copy_Atom<SM90_BULK_COPY_G2S, int>{}.with(*pipeline.producer_get_barrier(state)), in(_, i),
               local_tile(numbers(_, state.index()), Shape<_32>{}, 0));
        }
        numbers(32 + lane, state.index()) = 1000 * i + lane;
        pipeline.producer_commit(state);
      }
      pipeline.producer_tail(state);
    } else {
      typename Pipeline::PipelineState state;
      for (int i = 0; i < size<1>(in); ++i, ++state) {
        pipeline.consumer_wait(state, pipeline.consumer_try_wait(state));
        out(lane, i) = numbers(31 - lane, state.index()) + numbers(63 - lane, state.index());
        pipeline.consumer_release(state);
      }
    }
  }
};

TEST(compat_blackwell_pipeline, stages_filled_by_threads_and_by_copies) {
  std::vector<int> in(32 * 5), out(32 * 5, -1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(7 * i);
  tilewright::launch({.grid = 1, .block = 64}, filled_by_both{},
                     make_tensor(make_gmem_ptr(in.data()), Shape<_32, _5>{}),
                     make_tensor(make_gmem_ptr(out.data()), Shape<_32, _5>{}));
  for (std::size_t i = 0; i < out.size(); ++i) {
    auto const lane = i % 32, step = i / 32;
    ASSERT_EQ(out[i], static_cast<int>(7 * (32 * step + 31 - lane) + 1000 * step + 31 - lane)) << i;
  }
}

/// Each block's last warp loads half of a tile for both blocks of its column; the first four warps transform the tile.
struct transformed_tiles {
  template <class Block, class Tma, class Out>
  void operator()(Block& block, Tma const& tma, Out out, int steps) const {
    using Pipeline = cutlass::PipelineTmaTransformAsync<2, Shape<_2, _1, _1>>;
    auto tile = block.template shared<int>(Shape<_64, _2>{});
    auto const rank = static_cast<int>(block_rank_in_cluster());
    bool const loads = block.thread() >= 128;
    typename Pipeline::Params params;
    params.role = loads ? Pipeline::ThreadCategory::Producer : Pipeline::ThreadCategory::Consumer;
    params.transaction_bytes = 64 * sizeof(int);
    params.is_leader = block.thread() == 128;
    params.num_consumers = 128;
    Pipeline pipeline(*block.template shared_array<typename Pipeline::SharedStorage>(1), params, Shape<_2, _1, _1>{},
                      cutlass::McastDirection::kCol);
    cutlass::pipeline_init_arrive_relaxed(2);
    cutlass::pipeline_init_wait(2);
    if (block.thread() == 128) {
      auto const slice = tma.get_slice(rank);
      auto const from =
          slice.partition_S(local_tile(tma.get_tma_tensor(make_shape(64, steps)), Shape<_64, _1>{}, make_coord(0, _)));
      auto const to = slice.partition_D(make_tensor(tile.data(), Layout<Shape<_64, _1, _2>, Stride<_1, _0, _64>>{}));
      auto state = cutlass::make_producer_start_state<Pipeline>();
      for (int i = 0; i < steps; ++i, ++state) {
        pipeline.producer_acquire(state, pipeline.producer_try_acquire(state));
        copy(tma.with(*pipeline.producer_get_barrier(state), std::uint16_t{3}), from(_, _, _, i),
             to(_, _, _, state.index()));
      }
      pipeline.producer_tail(state);
    } else if (!loads) {
      typename Pipeline::PipelineState state;
      for (int i = 0; i < steps; ++i, ++state) {
        pipeline.consumer_wait(state, pipeline.consumer_try_wait(state));
        out(block.thread(), i, rank) = 2 * tile(block.thread() % 64, state.index()) + rank;
        pipeline.consumer_release(state);
      }
    }
    cluster_sync();
  }
};

TEST(compat_blackwell_pipeline, tiles_of_two_blocks_to_transform) {
  int const steps = 7;
  std::vector<int> in(static_cast<std::size_t>(64 * steps)), out(static_cast<std::size_t>(128 * steps * 2), -1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(3 * i);
  auto const tma =
      make_tma_copy(SM90_TMA_LOAD_MULTICAST{}, make_tensor(make_gmem_ptr(in.data()), make_shape(64, steps)),
                    Layout<Shape<_64, _1>>{}, Shape<_64, _1>{}, _2{});
  tilewright::launch({.grid = 2, .block = 160, .cluster = 2}, transformed_tiles{}, tma,
                     make_tensor(make_gmem_ptr(out.data()), make_shape(_128{}, steps, _2{})), steps);
  for (std::size_t i = 0; i < out.size(); ++i) {
    auto const thread = i % 128, step = i / 128 % 7, rank = i / 128 / 7;
    ASSERT_EQ(out[i], static_cast<int>(2 * 3 * (thread % 64 + 64 * step) + rank)) << i;
  }
}

/// Every second step brings 32 more numbers, the metadata of two steps.
struct steps_with_metadata {
  template <class Block, class In, class Metadata, class Out>
  void operator()(Block& block, In in, Metadata metadata, Out out) const {
    using Pipeline = cutlass::PipelineTmaSparseUmmaAsync<4, Shape<_1, _1, _1>>;
    auto numbers = block.template shared<int>(Shape<_32, _4>{});
    auto more = block.template shared<int>(Shape<_32, _4>{});
    typename Pipeline::Params params;
    params.is_leader = block.thread() == 0;
    typename Pipeline::ParamsMetadata bytes;
    bytes.transaction_bytes = 32 * sizeof(int);
    bytes.metadata_transaction_bytes = 32 * sizeof(int);
    Pipeline pipeline(*block.template shared_array<typename Pipeline::SharedStorage>(1), params, bytes,
                      Shape<_1, _1, _1>{});
    block.sync();
    int const steps = size<1>(in);
    if (block.thread() == 0) {
      auto state = cutlass::make_producer_start_state<Pipeline>();
      for (int i = 0; i < steps; ++i, ++state) {
        pipeline.producer_acquire(state, i % 2 == 0);
        auto const load = Copy_Atom<SM90_BULK_COPY_G2S, int>{}.with(*pipeline.producer_get_barrier(state));
        copy(load, in(_, i), numbers(_, state.index()));
        if (i % 2 == 0) copy(load, metadata(_, i / 2), more(_, state.index()));
      }
      pipeline.producer_tail(state);
    } else if (block.thread() >= 32) {
      int const lane = block.thread() - 32;
      typename Pipeline::PipelineState state;
      for (int i = 0; i < steps; ++i, ++state) {
        pipeline.consumer_wait(state);
        out(lane, i) = numbers(lane, state.index()) + more(lane, state.index() / 2 * 2);
        block.sync_warp();
        pipeline.consumer_release(state);
      }
    }
  }
};

TEST(compat_blackwell_pipeline, metadata_for_several_steps) {
  std::vector<int> in(32 * 10), metadata(32 * 5), out(32 * 10, -1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  for (std::size_t i = 0; i < metadata.size(); ++i) metadata[i] = static_cast<int>(1000 * i);
  tilewright::launch({.grid = 1, .block = 64}, steps_with_metadata{},
                     make_tensor(make_gmem_ptr(in.data()), Shape<_32, Int<10>>{}),
                     make_tensor(make_gmem_ptr(metadata.data()), Shape<_32, _5>{}),
                     make_tensor(make_gmem_ptr(out.data()), Shape<_32, Int<10>>{}));
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], static_cast<int>(i + 1000 * (i % 32 + 32 * (i / 64)))) << i;
}

/// Block 0's first warp gives both blocks a number for each step; bytes that it completes stand for cluster launch control's answer.
struct answers_for_the_cluster {
  template <class Block, class Answers, class Out>
  void operator()(Block& block, Answers answers, Out out) const {
    using Pipeline = cutlass::PipelineCLCFetchAsync<2, Shape<_2, _1, _1>>;
    auto& barriers = *block.template shared_array<typename Pipeline::SharedStorage>(1);
    typename Pipeline::Params params;
    params.transaction_bytes = 16;
    params.producer_arv_count = 1;
    params.consumer_arv_count = 2 * 32;
    Pipeline pipeline(barriers, params, Shape<_2, _1, _1>{});
    cutlass::pipeline_init_arrive_relaxed(2);
    cutlass::pipeline_init_wait(2);
    auto const rank = block_rank_in_cluster();
    auto const lane = static_cast<std::uint32_t>(block.thread() % 32);
    if (block.thread() < 32 && rank == 0) {
      auto state = cutlass::make_producer_start_state<Pipeline>();
      for (int i = 0; i < size<0>(out); ++i, ++state) {
        pipeline.producer_acquire(state);
        if (lane < 2) answers(static_cast<int>(lane), state.index()) = 100 * i + static_cast<int>(lane);
        barriers.full_barrier_[state.index()].complete_transaction(lane, 16, lane < 2);
        pipeline.producer_commit(state);
      }
      pipeline.producer_tail(state);
    } else if (block.thread() >= 32) {
      typename Pipeline::PipelineState state;
      for (int i = 0; i < size<0>(out); ++i, ++state) {
        pipeline.consumer_wait(state);
        out(i, static_cast<int>(lane), static_cast<int>(rank)) = answers(static_cast<int>(rank), state.index());
        pipeline.consumer_release(state);
      }
    }
    cluster_sync();
  }
};

TEST(compat_blackwell_pipeline, answers_reach_every_block_of_a_cluster) {
  std::vector<int> answers(2 * 2), out(6 * 32 * 2, -1);
  tilewright::launch({.grid = 2, .block = 64, .cluster = 2}, answers_for_the_cluster{},
                     make_tensor(make_gmem_ptr(answers.data()), Shape<_2, _2>{}),
                     make_tensor(make_gmem_ptr(out.data()), Shape<_6, _32, _2>{}));
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<int>(100 * (i % 6) + i / (6 * 32))) << i;
}

}  // namespace
