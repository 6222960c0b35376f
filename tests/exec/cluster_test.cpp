// Clusters on the CPU: who a block is in its cluster, the cluster's barrier, shared memory and barriers of other blocks,
// and what is said of clusters that cannot be or cannot go on.
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace tilewright;

namespace {

template <class F>
std::string sentence_of(F const& f) {
  try {
    f();
  } catch (std::exception const& e) {
    return e.what();
  }
  return "no failure";
}

/// Each block adds up what the blocks of its cluster have put into their shared memory.
constexpr auto gather = [](auto& block, auto out) {
  auto mine = shared<int>(block, make_shape(block.threads()));
  int const t = block.thread(), number = static_cast<int>(block.index().x);
  mine(t) = 1000 * number + t;
  block.cluster_sync();
  int sum = 0;
  for (unsigned r = 0; r < cluster_shape().x; ++r) sum += *map_shared_rank(&mine(t), r);
  out(t, number) = sum;
  block.cluster_sync();
};

/// Passes a tile around the cluster by bulk copies that complete on the next block's barrier. Three places: one is read,
/// one written by the block before, and one may still be read by the copy of the hop before.
constexpr auto around = [](auto& block, auto in, auto out) {
  auto tiles = shared<int>(block, Shape<_64, _3>{});
  auto full = shared<std::uint64_t>(block, Shape<_1>{});
  auto taken = shared<std::uint64_t>(block, Shape<_1>{});
  int const t = block.thread(), rank = block.cluster_rank();
  int const blocks = static_cast<int>(cluster_shape().x), next = (rank + 1) % blocks,
            before = (rank + blocks - 1) % blocks;
  if (t == 0) {
    initialize_barrier(full(0), 1);
    initialize_barrier(taken(0), block.threads());
    fence_barrier_init();
  }
  tiles(t, 0) = in(t, static_cast<int>(block.index().x));
  tma_store_fence();
  block.cluster_sync();
  for (int hop = 0; hop < blocks; ++hop) {
    if (t == 0) {
      set_barrier_transaction_bytes(full(0), 256);
      if (hop > 0) wait_cluster_barrier(taken(0), (hop - 1) % 2);
      copy(Copy_Atom<SM90_BULK_COPY_S2CLUSTER, int>{}.with(full(0), static_cast<unsigned>(next)), tiles(_, hop % 3),
           tiles(_, (hop + 1) % 3));
    }
    wait_barrier(full(0), hop % 2);
    arrive_remote_barrier(taken(0), static_cast<unsigned>(before));
  }
  out(t, static_cast<int>(block.index().x)) = tiles(t, blocks % 3);
  block.cluster_sync();
};

}  // namespace

TEST(cluster, blocks_know_their_places) {
  std::vector<int> seen(4 * 6 * 2);
  auto const kernel = [](auto& block, auto out) {
    auto const i = block.index(), in = block_id_in_cluster(), of = cluster_id_in_grid(), shape = cluster_shape(),
               clusters = cluster_grid_dims();
    bool const fits = i.x == of.x * 2 + in.x && i.y == of.y * 3 + in.y && i.z == of.z && shape == dim3(2, 3, 1) &&
                      clusters == dim3(2, 2, 2) && block_rank_in_cluster() == in.x + 2 * in.y &&
                      block.cluster_rank() == static_cast<int>(in.x + 2 * in.y);
    out(static_cast<int>(linear_index(i, block.grid()))) = fits ? 1 : -1;
  };
  launch({.grid = {4, 6, 2}, .block = 1, .cluster = {2, 3}}, kernel,
         make_tensor(make_gmem_ptr(seen.data()), Shape<C<48>>{}));
  EXPECT_EQ(seen, std::vector<int>(48, 1));
}

TEST(cluster, without_one_a_block_is_alone) {
  auto const kernel = [](auto& block, auto out) {
    block.cluster_sync();
    auto mine = shared<int>(block, Shape<_32>{});
    mine(block.thread()) = block.thread();
    block.cluster_sync();
    out(block.thread()) = mine(31 - block.thread()) + 100 * block.cluster_rank() + static_cast<int>(cluster_shape().x);
  };
  for (bool const checked : {false, true}) {
    std::vector<int> out(32);
    auto const tensor = make_tensor(make_gmem_ptr(out.data()), Shape<_32>{});
    if (checked) launch_checked({.grid = 1, .block = 32, .seed = 3}, kernel, tensor);
    else launch(1, 32, kernel, tensor);
    for (int t = 0; t < 32; ++t) EXPECT_EQ(out[static_cast<std::size_t>(t)], 32 - t);
  }
}

TEST(cluster, blocks_read_one_anothers_shared_memory) {
  for (unsigned const blocks : {1u, 2u, 4u, 8u, 16u}) {
    for (unsigned const threads : {1u, 40u}) {
      std::vector<int> out(threads * 48);
      auto const tensor = make_tensor(make_gmem_ptr(out.data()), make_shape(static_cast<int>(threads), 48));
      launch({.grid = 48, .block = threads, .cluster = blocks}, gather, tensor);
      for (int b = 0; b < 48; ++b) {
        int const n = static_cast<int>(blocks), first = b / n * n;
        for (int t = 0; t < static_cast<int>(threads); ++t)
          EXPECT_EQ(tensor(t, b), n * t + 1000 * (n * first + n * (n - 1) / 2));
      }
    }
  }
}

TEST(cluster, bulk_copies_and_arrivals_reach_the_next_block) {
  for (unsigned const blocks : {1u, 2u, 4u, 8u}) {
    std::vector<int> in(64 * 16), out(64 * 16);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 31 % 1009);
    auto const layout = Layout<Shape<_64, _16>>{};
    launch({.grid = 16, .block = 64, .cluster = blocks}, around,
           make_tensor(make_gmem_ptr(static_cast<int const*>(in.data())), layout),
           make_tensor(make_gmem_ptr(out.data()), layout));
    EXPECT_EQ(out, in) << blocks;
  }
}

TEST(cluster, exited_threads_are_not_waited_for) {
  auto const kernel = [](auto& block, auto out) {
    if (block.thread() % 2 == 1 || block.cluster_rank() == 1) return;
    block.cluster_sync();
    cluster_arrive_relaxed();
    block.sync();
    cluster_wait();
    out(block.thread(), block.cluster_rank()) = 1;
  };
  std::vector<int> out(64);
  launch({.grid = 2, .block = 32, .cluster = 2}, kernel, make_tensor(make_gmem_ptr(out.data()), Shape<_32, _2>{}));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i < 32 && i % 2 == 0 ? 1 : 0);
}

TEST(cluster, that_cannot_be_is_refused) {
  auto const nothing = [](auto&) {};
  EXPECT_EQ(
      sentence_of([&] { launch({.grid = 6, .block = 1, .cluster = 4}, nothing); }),
      "launch: a grid of 6 x 1 x 1 blocks is not a whole number of clusters of 4 x 1 x 1; give each extent of the grid "
      "a multiple of the cluster's");
  EXPECT_EQ(
      sentence_of([&] {
        launch({.grid = {8, 4}, .block = 1, .cluster = {8, 4}}, nothing);
      }),
      "launch: a cluster of 8 x 4 x 1 = 32 blocks exceeds the limit of 16; use 8 blocks or fewer, which every device "
      "with clusters has");
  EXPECT_NE(sentence_of([&] {
              launch_checked({.grid = 4, .block = 1, .cluster = 4}, nothing);
            }).find("check the kernel without a cluster"),
            std::string::npos);
}

TEST(cluster, that_cannot_go_on_is_named) {
  auto const one_waits = [](auto& block) {
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    initialize_barrier(bar(0), 1);
    block.cluster_sync();
    if (block.cluster_rank() == 1) wait_barrier(bar(0), 0);
  };
  EXPECT_EQ(
      sentence_of([&] { launch({.grid = 4, .block = 1, .cluster = 2}, one_waits); }),
      "wait_barrier: thread 0 of block (1,0,0) waits for ever, for every other thread waits too or has exited; let "
      "each phase get all of its arrivals and bytes, and wait for the parity of a phase that ends");
  auto const one_throws = [](auto& block) {
    if (block.index().x == 3) throw std::runtime_error("block 3");
    block.cluster_sync();
    block.cluster_sync();
  };
  EXPECT_EQ(sentence_of([&] { launch({.grid = 8, .block = 33, .cluster = 4}, one_throws); }), "block 3");
}

TEST(cluster, misuse_is_named) {
  auto const run = [](auto const& kernel) {
    return sentence_of([&] { launch({.grid = 2, .block = 1, .cluster = 2}, kernel); });
  };
  EXPECT_EQ(
      run([](auto&) { cluster_wait(); }),
      "cluster_wait: thread 0 of block (0,0,0) has not arrived; let cluster_arrive() and cluster_wait() take turns");
  EXPECT_EQ(run([](auto&) {
              cluster_arrive();
              cluster_arrive();
            }),
            "cluster_arrive: thread 0 of block (0,0,0) arrives again before it has waited; let cluster_arrive() and "
            "cluster_wait() take turns");
  auto const reach = [](unsigned rank, bool syncs, auto pick) {
    return [=](auto& block) {
      auto mine = shared<int>(block, Shape<_4>{});
      int elsewhere = 0;
      if (syncs) block.cluster_sync();
      (void)map_shared_rank(pick(&mine(0), &elsewhere), rank);
    };
  };
  auto const first = [](int* a, int*) { return a; };
  EXPECT_EQ(run(reach(2, true, first)).substr(0, 71),
            "the cluster has no block of this rank (rank 2, blocks of the cluster 2)");
  EXPECT_EQ(run(reach(1, true, [](int*, int* b) { return b; })).substr(0, 67),
            "map_shared_rank: the address is outside of the block's shared memor");
  EXPECT_NE(run(reach(1, false, first)).find("of rank 1 has not started"), std::string::npos);
  auto const leaves = [](auto& block) {
    auto mine = shared<int>(block, Shape<_4>{});
    block.cluster_sync();
    if (block.cluster_rank() == 1) return;
    (void)map_shared_rank(&mine(0), 1);
  };
  EXPECT_NE(run(leaves).find("of rank 1 has exited"), std::string::npos);
}
