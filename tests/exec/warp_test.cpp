// The warp on the CPU: its barrier, what a checked launch takes it to order, and the errors of warps that do not hold
// together.
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace tilewright;

namespace {

/// Each thread hands its number to the next of its warp, `rounds` times.
template <bool Syncs>
constexpr auto pass_on = [](auto& block, auto out) {
  auto slots = shared<int>(block, make_layout(make_shape(128)));
  int const t = block.thread(), lane = t % 32, warp = t / 32;
  int mine = t;
  for (int round = 0; round < 3; ++round) {
    slots(t) = mine;
    if constexpr (Syncs) block.sync_warp();
    mine = slots(32 * warp + (lane + 1) % 32);
    if constexpr (Syncs) block.sync_warp();
  }
  out(t) = mine;
};

template <class Kernel>
std::string failure_of(int threads, Kernel const& kernel, bool checked = false) {
  std::vector<int> out(128);
  auto const tensor = make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(128)));
  try {
    if (checked) launch_checked(1, static_cast<unsigned>(threads), kernel, tensor);
    else launch(1, static_cast<unsigned>(threads), kernel, tensor);
  } catch (std::exception const& e) {
    return e.what();
  }
  return "no failure";
}

using half_bits = std::uint16_t;

template <class Block>
void load_matrix(Block& block) {
  auto rows = shared<half_bits>(block, Shape<_256>{});
  auto fragment = make_tensor<half_bits>(Shape<_8>{});
  int const lane = block.thread() % 32;
  auto const mine = make_tensor(rows.data() + 8 * lane, Shape<_8>{});
  for (int i = 0; i < 8; ++i) mine(i) = half_bits(0);
  copy(Copy_Atom<SM75_U32x4_LDSM_N, half_bits>{}, mine, fragment);
}

}  // namespace

TEST(warp, barrier_lets_threads_hand_values_on) {
  for (int const mode : {0, 1, 2}) {
    std::vector<int> out(128);
    auto const tensor = make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(128)));
    if (mode == 0) launch(1, 128, pass_on<true>, tensor);
    else launch_checked({.grid = 1, .block = 128, .seed = mode == 1 ? 0u : 9u}, pass_on<true>, tensor);
    for (int t = 0; t < 128; ++t) EXPECT_EQ(out[static_cast<std::size_t>(t)], t / 32 * 32 + (t + 3) % 32);
  }
}

TEST(warp, many_blocks_of_many_warps) {
  std::vector<int> out(64 * 128);
  auto const kernel = [](auto& block, auto tensor) {
    auto column = tensor(_, static_cast<int>(block.index().x));
    pass_on<true>(block, column);
    block.sync();
    pass_on<true>(block, column);
  };
  launch(64, 128, kernel, make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(128, 64))));
  for (std::size_t i = 0; i < out.size(); ++i) {
    int const t = static_cast<int>(i % 128);
    EXPECT_EQ(out[i], t / 32 * 32 + (t + 3) % 32);
  }
}

TEST(warp, without_its_barrier_is_reported) {
  auto const sentence = failure_of(128, pass_on<false>, true);
  EXPECT_NE(sentence.find("uninitialised_read: thread 0"), std::string::npos) << sentence;
}

TEST(warp, barrier_orders_its_own_warp_alone) {
  auto const across = [](auto& block, auto out) {
    auto slots = shared<int>(block, make_layout(make_shape(128)));
    slots(block.thread()) = block.thread();
    block.sync_warp();
    out(block.thread()) = slots(block.thread() ^ 32);
  };
  auto const sentence = failure_of(64, across, true);
  EXPECT_NE(sentence.find("read"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("no failure"), 0u);
}

TEST(warp, write_after_a_read_across_warps_is_found_through_a_warp_barrier) {
  auto const kernel = [](auto& block, auto out) {
    auto slot = shared<int>(block, make_layout(make_shape(1)));
    int const t = block.thread();
    if (t == 0) slot(0) = 1;
    block.sync();
    if (t == 0 || t == 40) out(t) = slot(0);
    block.sync_warp();
    if (t == 1) slot(0) = 2;  // thread 0's read is ordered, thread 40's is not
  };
  auto const sentence = failure_of(64, kernel, true);
  EXPECT_TRUE(sentence.find("write_after_read: thread 1") == 0 || sentence.find("unordered_read: thread 40") == 0)
      << sentence;
}

TEST(warp, the_last_warp_may_be_smaller) {
  std::vector<int> out(40);
  auto const kernel = [](auto& block, auto tensor) {
    block.sync_warp();
    tensor(block.thread()) = 1;
  };
  launch(1, 40, kernel, make_tensor(make_gmem_ptr(out.data()), make_layout(make_shape(40))));
  EXPECT_EQ(out, std::vector<int>(40, 1));
}

TEST(warp, threads_that_have_exited_are_not_waited_for) {
  auto const kernel = [](auto& block, auto out) {
    if (block.thread() % 2 == 1) return;
    block.sync_warp();
    out(block.thread()) = 1;
  };
  EXPECT_EQ(failure_of(64, kernel), "no failure");
  EXPECT_EQ(
      failure_of(64, kernel, true),
      "sync_warp(): thread 0 of block (0,0,0) waits for thread 1 of its warp, which has exited; let all threads of "
      "a warp make the same calls in the same order");
}

TEST(warp, collective_copies_need_every_thread) {
  EXPECT_EQ(
      failure_of(64,
                 [](auto& block, auto) {
                   if (block.thread() != 35) load_matrix(block);
                 }),
      "ldmatrix: thread 32 of block (0,0,0) waits for thread 35 of its warp, which has exited; let all threads of "
      "a warp make the same calls in the same order");
  auto const divided = failure_of(32, [](auto& block, auto) {
    if (block.thread() == 3) block.sync();
    load_matrix(block);
  });
  EXPECT_NE(
      divided.find("ldmatrix: thread 0 of block (0,0,0) waits for thread 3 of its warp, which waits for the block"),
      std::string::npos)
      << divided;
  auto const mixed = failure_of(32, [](auto& block, auto) {
    if (block.thread() == 3) block.sync_warp();
    load_matrix(block);
  });
  EXPECT_NE(mixed.find("sync_warp(): thread 3 of block (0,0,0) calls it while thread 0 of its warp is in ldmatrix"),
            std::string::npos)
      << mixed;
}

TEST(warp, collective_copies_need_a_whole_warp) {
  EXPECT_EQ(failure_of(48, [](auto& block, auto) { load_matrix(block); }),
            "ldmatrix: warp 1 of block (0,0,0) has 16 threads; launch blocks of whole warps of 32");
  alignas(16) half_bits rows[8] = {};
  auto fragment = make_tensor<half_bits>(Shape<_8>{});
  try {
    copy(Copy_Atom<SM75_U32x4_LDSM_N, half_bits>{}, make_tensor(make_smem_ptr(rows), Shape<_8>{}), fragment);
    FAIL() << "outside of a launch there is no warp";
  } catch (layout_error const& e) {
    EXPECT_EQ(e.cause().code, errc::needs_a_warp);
  }
}
