// Barriers, clusters and bulk copies by the names that kernels for sm_90 use, on one thread of the host: phases end with
// the last arrival and the last byte.
#include <cutlass/arch/barrier.h>
#include <gtest/gtest.h>
#include <cute/arch/cluster_sm90.hpp>
#include <cute/arch/copy_sm90_desc.hpp>
#include <cute/arch/copy_sm90_tma.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/tensor.hpp>
#include <cutlass/pipeline/sm90_pipeline.hpp>

#include <numeric>

using namespace cute;

namespace {

TEST(CuteBarriers, PhasesEndWithTheLastArrival) {
  cutlass::arch::ClusterBarrier barrier{};
  static_assert(is_same_v<cutlass::arch::ClusterBarrier::ValueType, uint64_t>);
  static_assert(sizeof(barrier) == sizeof(uint64_t));
  barrier.init(2);
  cutlass::arch::fence_barrier_init();
  for (uint32_t phase = 0; phase < 4; ++phase) {
    EXPECT_FALSE(barrier.test_wait(phase & 1));
    barrier.arrive();
    EXPECT_FALSE(barrier.try_wait(phase & 1));
    barrier.arrive();
    EXPECT_TRUE(barrier.try_wait(phase & 1));
    EXPECT_FALSE(barrier.test_wait(phase & 1, false));
    barrier.wait(phase & 1);
  }
  barrier.invalidate();

  using Barrier = cutlass::arch::ClusterBarrier;
  alignas(8) uint64_t word = 0;
  Barrier::init(&word, 1);
  Barrier::arrive(&word, block_rank_in_cluster(), true);
  Barrier::wait(&word, 0);
  EXPECT_FALSE(Barrier::try_wait(&word, 1));
}

TEST(CuteBarriers, ReservedNumbersAreThoseOfCutlass) {
  using cutlass::arch::ReservedNamedBarriers;
  EXPECT_EQ(static_cast<int>(ReservedNamedBarriers::EpilogueBarrier), 1);
  EXPECT_EQ(static_cast<int>(ReservedNamedBarriers::FirstUserBarrier), 8);
}

TEST(CuteBarriers, ArraysOfBarriersAreInitialized) {
  namespace detail = cutlass::arch::detail;
  using Barrier = cutlass::arch::ClusterBarrier;
  alignas(8) uint64_t words[3] = {};
  Barrier objects[2] = {};
  detail::initialize_barrier_array_pair_aligned<Barrier, Barrier*, 2>(&words[0], &objects[0], 1, 2);
  detail::initialize_barrier_array_aligned<Barrier, 1>(&words[2], 2);
  for (uint64_t& word : words) {
    bool const takes_two = &word == &words[2];
    Barrier::arrive(&word);
    EXPECT_EQ(Barrier::try_wait(&word, 0), !takes_two);
  }
  for (Barrier& barrier : objects) {
    barrier.arrive();
    EXPECT_FALSE(barrier.try_wait(0));
    barrier.arrive();
    EXPECT_TRUE(barrier.try_wait(0));
  }
}

TEST(CuteBarriers, PhasesWaitForBytes) {
  alignas(128) float source[64], target[64] = {};
  std::iota(source, source + 64, 1.0f);
  Tensor gS = make_tensor(make_gmem_ptr(&source[0]), Shape<_64>{});
  Tensor sD = make_tensor(make_smem_ptr(&target[0]), Shape<_64>{});

  alignas(8) uint64_t full = 0;
  initialize_barrier(full, 1);
  set_barrier_transaction_bytes(full, sizeof(source));
  EXPECT_FALSE(cutlass::arch::ClusterBarrier::try_wait(&full, 0));
  copy(Copy_Atom<SM90_BULK_COPY_G2S, float>{}.with(full), gS, sD);
  wait_barrier(full, 0);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(target[i], source[i]);

  // The same by the class, with the bytes expected ahead of the arrival.
  using TransactionBarrier = cutlass::arch::ClusterTransactionBarrier;
  alignas(8) uint64_t word = 0;
  TransactionBarrier::init(&word, 1);
  TransactionBarrier::expect_transaction(&word, 128);
  TransactionBarrier::arrive_and_expect_tx(&word, 128);
  for (float& value : target) value = 0;
  copy(Copy_Atom<SM90_BULK_COPY_AUTO, float>{}.with(word), gS, sD);
  TransactionBarrier::wait(&word, 0);
  EXPECT_EQ(target[63], 64.0f);

  // And back, in a group of stores.
  for (float& value : source) value = 0;
  cutlass::arch::fence_view_async_shared();
  tma_store_fence();
  copy(Copy_Atom<SM90_BULK_COPY_S2G, float>{}, sD, gS);
  tma_store_arrive();
  tma_store_wait<0>();
  EXPECT_EQ(source[63], 64.0f);
}

TEST(CuteBulkCopies, OneInstructionByHand) {
  alignas(16) float source[32], shared[32] = {}, back[32] = {};
  std::iota(source, source + 32, 1.0f);
  alignas(8) uint64_t full = 0;
  initialize_barrier(full, 1);
  set_barrier_transaction_bytes(full, 64);
  SM90_BULK_COPY_G2S::copy(source, &full, shared, 64);
  wait_barrier(full, 0);
  EXPECT_EQ(shared[15], 16.0f);
  EXPECT_EQ(shared[16], 0.0f);
  SM90_BULK_COPY_S2G::copy(shared, back, 48);
  tma_store_arrive();
  tma_store_wait<0>();
  EXPECT_EQ(back[11], 12.0f);
  EXPECT_EQ(back[12], 0.0f);
}

TEST(CuteIm2col, LoadsByHand) {
  alignas(16) float images[16 * 5 * 4 * 2];
  std::iota(images, images + 16 * 5 * 4 * 2, 0.0f);
  auto const three = tilewright::filter_positions(3, 1);
  auto const shared = make_layout(Shape<_8, _16>{}, GenRowMajor{});
  auto const tma = tilewright::make_im2col_tma_copy(
      SM90_TMA_LOAD_IM2COL{}, make_tensor(make_gmem_ptr(&images[0]), make_shape(16, 5, 4, 2)), shared, three, three);
  alignas(128) float tile[128];
  alignas(8) uint64_t full = 0;
  initialize_barrier(full, 1);
  set_barrier_transaction_bytes(full, sizeof(tile));
  // The filter's element (1, 2) at the positions from (3, 1) of image 1 on: W 4 and beyond the rim, H 3, then the next row.
  SM90_TMA_LOAD_IM2COL_4D::copy(tma.get_tma_descriptor(), &full, 0x1000000000000000, tile, 0, 3, 1, 1, 1, 2);
  wait_barrier(full, 0);
  auto const at = [](int w, int h, int n) { return static_cast<float>(16 * (w + 5 * (h + 4 * n))); };
  EXPECT_EQ(tile[0], at(4, 3, 1));
  EXPECT_EQ(tile[16], 0.0f);  // the row below the images
  EXPECT_EQ(tile[17], 0.0f);
  EXPECT_EQ(tile[127], 0.0f);
}

TEST(CuteBarriers, CountCpAsync) {
  float source[8], target[8] = {};
  std::iota(source, source + 8, 1.0f);
  auto const load = [&](int i) {
    copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<float>, float>{}, make_tensor(make_gmem_ptr(source + i), Shape<_1>{}),
         make_tensor(make_smem_ptr(target + i), Shape<_1>{}));
  };
  cutlass::arch::ClusterBarrier barrier{};
  barrier.init(1);
  auto const* const word = reinterpret_cast<uint64_t const*>(&barrier);
  for (int i = 0; i < 4; ++i) load(i);
  cutlass::arch::cpasync_barrier_arrive(word);
  barrier.arrive();  // the copies' arrival is one more
  EXPECT_EQ(target[3], 0.0f);
  barrier.wait(0);
  EXPECT_EQ(target[3], 4.0f);
  for (int i = 4; i < 8; ++i) load(i);
  cutlass::arch::cpasync_barrier_arrive_noinc(word);
  EXPECT_EQ(target[7], 0.0f);
  barrier.wait(1);
  EXPECT_EQ(target[7], 8.0f);
}

TEST(CuteClusters, OfOneBlock) {
  EXPECT_EQ(block_rank_in_cluster(), 0u);
  EXPECT_EQ(cluster_shape().x * cluster_shape().y * cluster_shape().z, 1u);
  EXPECT_EQ(block_id_in_cluster().x, 0u);
  EXPECT_EQ(elect_one_sync(), 1u);
  cluster_arrive_relaxed();
  cluster_wait();
  cluster_sync();
  cutlass::pipeline_init_arrive_relaxed(1);
  cutlass::pipeline_init_wait(1);
}

TEST(CuteBarriers, BytesThatAThreadCompletesItself) {
  cutlass::arch::ClusterTransactionBarrier barrier{};
  barrier.init(1);
  barrier.arrive_and_expect_tx(96, 0u);
  EXPECT_FALSE(barrier.test_wait(0));
  barrier.complete_transaction(32);
  EXPECT_FALSE(barrier.test_wait(0));
  barrier.complete_transaction(0u, 64u, 0u);  // the predicate is false
  EXPECT_FALSE(barrier.test_wait(0));
  barrier.complete_transaction(0u, 64u, 1u);
  EXPECT_TRUE(barrier.test_wait(0));
}

}  // namespace
