// cp.async on the CPU: copies complete when their thread waits, groups in order, zeros where a predicate says so; and
// what a checked launch says of kernels that forget to wait.
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

using namespace tilewright;

namespace {

using async_16 = Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, float>;
using async_4 = Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<word<32>>, float>;

/// The tile through shared memory; every thread reads what its neighbour brought.
template <bool Waits, bool Syncs>
constexpr auto through_shared = [](auto& block, auto tiled, auto in, auto out) {
  auto tile = shared<float>(block, Shape<_16, _8>{});
  auto const thr = tiled.get_slice(block.thread());
  copy(tiled, thr.partition_S(in), thr.partition_D(tile));
  cp_async_fence();
  if constexpr (Waits) cp_async_wait<0>();
  if constexpr (Syncs) block.sync();
  auto const next = tiled.get_slice((block.thread() + 1) % block.threads());
  copy(next.partition_S(tile), next.partition_S(out));
};

struct problem {
  std::vector<float> in = std::vector<float>(128);
  std::vector<float> out = std::vector<float>(128);
  problem() { std::iota(in.begin(), in.end(), 1.0f); }
  auto src() const { return make_tensor(make_gmem_ptr(in.data()), Shape<_16, _8>{}); }
  auto dst() { return make_tensor(make_gmem_ptr(out.data()), Shape<_16, _8>{}); }
};

auto const tiled_16 = make_tiled_copy(async_16{}, make_layout(Shape<_4, _8>{}), make_layout(Shape<_4, _1>{}));
auto const tiled_4 = make_tiled_copy(async_4{}, make_layout(Shape<_4, _8>{}), make_layout(Shape<_4, _1>{}));

template <class Kernel>
execution_report fault_of(Kernel const& kernel) {
  problem p;
  try {
    launch_checked(1, 32, kernel, tiled_16, p.src(), p.dst());
  } catch (execution_error const& e) {
    return e.report();
  }
  ADD_FAILURE() << "no fault was reported";
  return {};
}

}  // namespace

TEST(cp_async, brings_the_tile) {
  for (bool const checked : {false, true}) {
    problem wide, narrow;
    if (checked) {
      launch_checked({.grid = 1, .block = 32, .seed = 4}, through_shared<true, true>, tiled_16, wide.src(), wide.dst());
      launch_checked({.grid = 1, .block = 32, .seed = 4}, through_shared<true, true>, tiled_4, narrow.src(),
                     narrow.dst());
    } else {
      launch(1, 32, through_shared<true, true>, tiled_16, wide.src(), wide.dst());
      launch(1, 32, through_shared<true, true>, tiled_4, narrow.src(), narrow.dst());
    }
    EXPECT_EQ(wide.out, wide.in);
    EXPECT_EQ(narrow.out, narrow.in);
  }
}

TEST(cp_async, without_a_wait_the_data_are_not_there) {
  EXPECT_EQ((fault_of(through_shared<false, true>).kind), fault::uninitialised_read);
}

TEST(cp_async, without_a_barrier_the_other_thread_reads_too_early) {
  auto const kind = fault_of(through_shared<true, false>).kind;
  EXPECT_TRUE(kind == fault::unordered_read || kind == fault::uninitialised_read);
}

TEST(cp_async, copies_nobody_waits_for_are_reported) {
  auto const kernel = [](auto& block, auto tiled, auto in, auto) {
    auto tile = shared<float>(block, Shape<_16, _8>{});
    auto const thr = tiled.get_slice(block.thread());
    copy(tiled, thr.partition_S(in), thr.partition_D(tile));
    if (block.thread() > 4) cp_async_wait_all();
  };
  auto const report = fault_of(kernel);
  EXPECT_EQ(report.kind, fault::unfinished_copy);
  EXPECT_EQ(report.thread, 0);
  EXPECT_EQ(to_string(report),
            "unfinished_copy: thread 0 of block (0,0,0): exits while 1 of its asynchronous copies, 1 of them in no "
            "committed group, may be in flight; call cp_async_fence() and cp_async_wait<0>() before the barrier that "
            "hands the data on");
  problem p;  // a plain launch lets them complete
  launch(1, 32, kernel, tiled_16, p.src(), p.dst());
}

TEST(cp_async, groups_complete_in_their_order) {
  auto const kernel = [](auto&, auto in, auto out) {
    float memory[12] = {};
    auto const slot = [&](int i) { return make_tensor(make_smem_ptr(memory + i), Shape<_1>{}); };
    auto const part = [&](int i) { return make_tensor(in.data() + i, Shape<_1>{}); };
    for (int group = 0; group < 3; ++group) {
      for (int i = 0; i < 4; ++i) copy(async_4{}, part(4 * group + i), slot(4 * group + i));
      cp_async_fence();
    }
    int at = 0;
    auto const arrived = [&] {
      int n = 0;
      for (float const f : memory) n += f != 0 ? 1 : 0;
      out(at++) = n;
    };
    arrived();
    cp_async_wait<2>();
    arrived();
    cp_async_wait(Int<1>{});
    arrived();
    cp_async_wait<0>();
    arrived();
  };
  problem p;
  std::vector<int> counts(4);
  launch(1, 1, kernel, p.src(), make_tensor(make_gmem_ptr(counts.data()), Shape<_4>{}));
  EXPECT_EQ(counts, (std::vector<int>{0, 4, 8, 12}));
}

TEST(cp_async, zeros_where_the_predicate_is_false) {
  auto const check = [](auto atom) {
    using Atom = decltype(atom);
    auto const tiled = make_tiled_copy(Atom{}, make_layout(Shape<_4, _8>{}), make_layout(Shape<_4, _1>{}));
    auto const kernel = [](auto& block, auto copy_of, auto in, auto out) {
      auto tile = shared<float>(block, Shape<_16, _8>{});
      auto const thr = copy_of.get_slice(block.thread());
      auto moves = make_tensor<bool>(Shape<_1, _1>{});
      fill(moves, block.thread() % 3 == 0);
      copy_if(copy_of, moves, thr.partition_S(in), thr.partition_D(tile));
      cp_async_wait_all();
      copy(thr.partition_S(tile), thr.partition_D(out));
    };
    problem p;
    launch_checked(1, 32, kernel, tiled, p.src(), p.dst());
    for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(p.out[i], i / 4 % 3 == 0 ? p.in[i] : 0.0f) << i;
  };
  check(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, float>{});
  check(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>, float>{});
}

TEST(cp_async, zero_fill_does_not_read_the_source) {
  auto const kernel = [](auto& block, auto in, auto out) {
    auto slot = shared<float>(block, Shape<_4>{});
    auto const outside = make_tensor(in.data() + 1000, Shape<_4>{});  // a checked launch would report the read
    copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, float>{}.with(false), outside, slot);
    cp_async_wait_all();
    for (int i = 0; i < 4; ++i) out(i) = slot(i);
  };
  problem p;
  std::vector<float> four(4, 9.0f);
  launch_checked(1, 1, kernel, p.src(), make_tensor(make_gmem_ptr(four.data()), Shape<_4>{}));
  EXPECT_EQ(four, std::vector<float>(4, 0.0f));
}

TEST(cp_async, works_outside_of_launches) {
  alignas(16) float from[4] = {1, 2, 3, 4};
  alignas(16) float to[4] = {};
  copy(async_16{}, make_tensor(make_gmem_ptr(from), Shape<_4>{}), make_tensor(make_smem_ptr(to), Shape<_4>{}));
  EXPECT_EQ(to[3], 0.0f);
  cp_async_fence();
  cp_async_wait<1>();
  EXPECT_EQ(to[3], 0.0f);
  cp_async_wait<0>();
  EXPECT_EQ(to[3], 4.0f);
}

TEST(cp_async, into_swizzled_shared_memory) {
  auto const layout = composition(Swizzle<3, 2, 3>{}, make_layout(Shape<_32, _32>{}));
  auto const kernel = [](auto& block, auto tiled, auto in, auto smem_layout, auto out) {
    auto tile = shared<float>(block, smem_layout);
    auto const thr = tiled.get_slice(block.thread());
    copy(tiled, thr.partition_S(in), thr.partition_D(tile));
    cp_async_wait_all();
    block.sync();
    for (int i = block.thread(); i < 1024; i += 32) out(i % 32, i / 32) = tile(i % 32, i / 32);
  };
  auto const plain = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, make_layout(Shape<_4, _8>{}),
                                     make_layout(Shape<_4, _1>{}));
  std::vector<float> in(1024), out(1024);
  std::iota(in.begin(), in.end(), 1.0f);
  launch_checked(1, 32, kernel, tiled_16, make_tensor(make_gmem_ptr(in.data()), Shape<_32, _32>{}), layout,
                 make_tensor(make_gmem_ptr(out.data()), Shape<_32, _32>{}));
  EXPECT_EQ(out, in);
  std::fill(out.begin(), out.end(), 0.0f);
  launch_checked(1, 32, kernel, plain, make_tensor(make_gmem_ptr(in.data()), Shape<_32, _32>{}), layout,
                 make_tensor(make_gmem_ptr(out.data()), Shape<_32, _32>{}));
  EXPECT_EQ(out, in);
}
