// cp.async whose completion arrives at an mbarrier, on the CPU: against a model that keeps lists, in rings of stages, and
// what a kernel sees that forgets to wait.
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <numeric>
#include <vector>

using namespace tilewright;

namespace {

using async_word = Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<word<32>>, int>;

template <bool Counted, class Barrier>
void arrive_after_copies(Barrier&& barrier) {
  if constexpr (Counted) cpasync_barrier_arrive_noinc(barrier);
  else cpasync_barrier_arrive(barrier);
}

/// Every thread brings its elements of each tile, lets their completion arrive, and reads its neighbour's. Plainly arrived,
/// the thread's own arrival is what the barrier counts.
template <int Stages, bool Counted>
struct ring {
  template <class Block, class In, class Out>
  void operator()(Block& block, In in, Out out) const {
    auto tiles = shared<int>(block, Shape<_64, C<Stages>>{});
    auto full = shared<std::uint64_t>(block, Shape<C<Stages>>{});
    auto empty = shared<std::uint64_t>(block, Shape<C<Stages>>{});
    int const t = block.thread(), rounds = static_cast<int>(size<1>(in));
    if (t == 0) {
      for (int s = 0; s < Stages; ++s) {
        initialize_barrier(full(s), block.threads());
        initialize_barrier(empty(s), block.threads());
      }
      fence_barrier_init();
    }
    block.sync();
    auto const load = [&](int r) {
      int const s = r % Stages;
      wait_barrier(empty(s), r / Stages % 2 ^ 1);
      for (int i = t; i < 64; i += block.threads())
        copy(async_word{}, local_tile(in, Shape<_1, _1>{}, make_coord(i, r)),
             local_tile(tiles, Shape<_1, _1>{}, make_coord(i, s)));
      arrive_after_copies<Counted>(full(s));
      if constexpr (!Counted) arrive_barrier(full(s));
    };
    for (int r = 0; r < Stages - 1 && r < rounds; ++r) load(r);
    unsigned sum = 0;
    for (int r = 0; r < rounds; ++r) {
      int const s = r % Stages;
      if (r + Stages - 1 < rounds) load(r + Stages - 1);
      wait_barrier(full(s), r / Stages % 2);
      for (int i = (t + 1) % block.threads(); i < 64; i += block.threads())
        sum = sum * 3 + static_cast<unsigned>(static_cast<int>(tiles(i, s)));
      arrive_barrier(empty(s));
    }
    out(t) = sum;
  }
};

template <int Stages, bool Counted>
void moves(int rounds) {
  std::vector<int> in(static_cast<std::size_t>(64 * rounds));
  std::vector<unsigned> expected(32);
  std::iota(in.begin(), in.end(), 5);
  for (int t = 0; t < 32; ++t)
    for (int r = 0; r < rounds; ++r)
      for (int i = (t + 1) % 32; i < 64; i += 32)
        expected[static_cast<std::size_t>(t)] =
            expected[static_cast<std::size_t>(t)] * 3 + static_cast<unsigned>(in[static_cast<std::size_t>(r * 64 + i)]);
  auto const src = make_tensor(make_gmem_ptr(static_cast<int const*>(in.data())), make_shape(_64{}, rounds));
  for (int mode = 0; mode < 4; ++mode) {
    std::vector<unsigned> out(32);
    auto const dst = make_tensor(make_gmem_ptr(out.data()), Shape<_32>{});
    if (mode == 0) launch(1, 32, ring<Stages, Counted>{}, src, dst);
    else
      launch_checked({.grid = 1, .block = 32, .seed = static_cast<unsigned>(mode - 1)}, ring<Stages, Counted>{}, src,
                     dst);
    EXPECT_EQ(out, expected) << Stages << " stages, mode " << mode;
  }
}

template <class Kernel>
execution_report fault_of(Kernel const& kernel) {
  std::vector<int> in(64, 7);
  try {
    launch_checked(1, 32, kernel, make_tensor(make_gmem_ptr(static_cast<int const*>(in.data())), Shape<_64>{}));
  } catch (execution_error const& e) {
    return e.report();
  }
  ADD_FAILURE() << "no fault was reported";
  return {};
}

/// A barrier and the copies of one thread, told as lists.
struct model {
  struct arrival {
    std::size_t copies;  // those started before it
  };
  int count;
  int phases = 0, pending;
  std::vector<int> group;     // of each copy
  std::vector<bool> arrived;  // of each copy
  std::vector<arrival> promised;
  int groups = 0;

  explicit model(int n) : count(n), pending(n) {}
  void arrive() {
    if (--pending > 0) return;
    pending = count;
    ++phases;
  }
  void complete_before(int g) {
    for (std::size_t i = 0; i < group.size(); ++i)
      if (group[i] < g) arrived[i] = true;
  }
  bool all_before(std::size_t n) const {
    return std::all_of(arrived.begin(), arrived.begin() + static_cast<std::ptrdiff_t>(n), [](bool b) { return b; });
  }
  bool has_ended(int parity) {
    if (phases % 2 != parity) return true;
    for (arrival const& a : promised) {
      std::fill(arrived.begin(), arrived.begin() + static_cast<std::ptrdiff_t>(a.copies), true);
      arrive();
    }
    promised.clear();
    return phases % 2 != parity;
  }
};

}  // namespace

RC_GTEST_PROP(cp_async_barrier, is_the_model, ()) {
  int const count = *rc::gen::inRange(4, 9);
  alignas(8) std::uint64_t word = 0;
  initialize_barrier(word, count);
  model m(count);
  constexpr std::size_t most = 64;
  std::array<int, most> from{}, to{};
  std::iota(from.begin(), from.end(), 1);
  for (int const step : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 8))) {
    // A phase never gets more than it counts: what was promised comes at the next test.
    bool const room = m.pending - static_cast<int>(m.promised.size()) > 1;
    if (step <= 1 && m.group.size() < most) {
      auto const i = m.group.size();
      copy(async_word{}, make_tensor(make_gmem_ptr(&from[i]), Shape<_1>{}),
           make_tensor(make_smem_ptr(&to[i]), Shape<_1>{}));
      m.group.push_back(m.groups);
      m.arrived.push_back(false);
    } else if (step == 2) {
      cp_async_fence();
      ++m.groups;
    } else if (step == 3) {
      cp_async_wait<1>();
      m.complete_before(m.groups - 1);
    } else if (step == 4 && room) {
      cpasync_barrier_arrive_noinc(word);
      if (m.all_before(m.group.size())) m.arrive();
      else m.promised.push_back({m.group.size()});
    } else if (step == 5 && room) {
      cpasync_barrier_arrive(&word);
      ++m.pending;
      if (m.all_before(m.group.size())) m.arrive();
      else m.promised.push_back({m.group.size()});
    } else if (step == 6 && room) {
      arrive_barrier(word);
      m.arrive();
    } else if (step == 7) {
      RC_ASSERT(try_wait_barrier(word, m.phases % 2) == m.has_ended(m.phases % 2));
    }
    for (std::size_t i = 0; i < m.group.size(); ++i) RC_ASSERT(to[i] == (m.arrived[i] ? from[i] : 0));
    RC_ASSERT(host_barrier(word).pending == m.pending);
  }
  (void)try_wait_barrier(word, m.phases % 2);
  cp_async_wait_all();
}

TEST(cp_async_barrier, brings_tiles_through_rings) {
  moves<2, true>(1);
  moves<2, true>(9);
  moves<3, false>(10);
  moves<4, true>(3);
  moves<4, false>(21);
}

TEST(cp_async_barrier, arrives_at_once_where_nothing_is_under_way) {
  std::uint64_t word = 0;
  initialize_barrier(word, 2);
  cpasync_barrier_arrive(word);  // one more, and here it is
  EXPECT_FALSE(try_wait_barrier(word, 0));
  cpasync_barrier_arrive_noinc(word);
  EXPECT_FALSE(try_wait_barrier(word, 0));
  arrive_barrier(word);
  EXPECT_TRUE(try_wait_barrier(word, 0));
}

/// What thread 0 sees of an element that thread 1 brings, exiting at once.
template <bool Waits>
struct from_one_that_exits {
  template <class Block, class In, class Out>
  void operator()(Block& block, In in, Out out) const {
    auto tile = shared<int>(block, Shape<_1>{});
    auto full = shared<std::uint64_t>(block, Shape<_1>{});
    if (block.thread() == 0) {
      tile(0) = -1;
      initialize_barrier(full(0), 1);
      fence_barrier_init();
    }
    block.sync();
    if (block.thread() == 1) {
      copy(async_word{}, local_tile(in, Shape<_1>{}, 5), tile);
      cpasync_barrier_arrive_noinc(full(0));
      return;
    }
    if (block.thread() != 0) return;
    if constexpr (Waits) wait_barrier(full(0), 0);
    else
      while (!try_wait_barrier(full(0), 1)) {}
    out(0) = tile(0);
  }
};
TEST(cp_async_barrier, copies_outlive_the_thread_that_started_them) {
  std::vector<int> in(64), out(1);
  std::iota(in.begin(), in.end(), 0);
  auto const src = make_tensor(make_gmem_ptr(static_cast<int const*>(in.data())), Shape<_64>{});
  auto const dst = make_tensor(make_gmem_ptr(out.data()), Shape<_1>{});
  launch(1, 32, from_one_that_exits<true>{}, src, dst);
  EXPECT_EQ(out[0], 5);
  launch_checked(1, 32, from_one_that_exits<true>{}, src, dst);
  launch(1, 32, from_one_that_exits<false>{}, src, dst);
  EXPECT_EQ(out[0], -1);
}

TEST(cp_async_barrier, checked_launches_report_what_was_forgotten) {
  auto const through = []<class Waits>(auto& block, auto const& in, Waits) {
    auto tile = shared<int>(block, Shape<_64>{});
    auto full = shared<std::uint64_t>(block, Shape<_1>{});
    int const t = block.thread();
    if (t == 0) {
      initialize_barrier(full(0), block.threads());
      fence_barrier_init();
    }
    block.sync();
    copy(async_word{}, local_tile(in, Shape<_1>{}, t), local_tile(tile, Shape<_1>{}, t));
    cpasync_barrier_arrive_noinc(full(0));
    block.sync();
    if constexpr (Waits::value) wait_barrier(full(0), 0);
    else return;
    [[maybe_unused]] int const seen = tile((t + 1) % block.threads());
  };
  std::vector<int> in(64, 7);
  auto const src = make_tensor(make_gmem_ptr(static_cast<int const*>(in.data())), Shape<_64>{});
  auto const waits = [&](auto& block, auto const& from) { through(block, from, std::true_type{}); };
  launch_checked(1, 32, waits, src);
  auto const never = [&](auto& block, auto const& from) { through(block, from, std::false_type{}); };
  auto const report = fault_of(never);
  EXPECT_EQ(report.kind, fault::unfinished_copy);
  EXPECT_EQ(report.thread, 0);

  auto const early = [](auto& block, auto const& from) {
    auto tile = shared<int>(block, Shape<_64>{});
    auto full = shared<std::uint64_t>(block, Shape<_1>{});
    int const t = block.thread();
    if (t == 0) initialize_barrier(full(0), block.threads());
    block.sync();
    copy(async_word{}, local_tile(from, Shape<_1>{}, t), local_tile(tile, Shape<_1>{}, t));
    cpasync_barrier_arrive_noinc(full(0));
    [[maybe_unused]] int const seen = tile(t);
  };
  EXPECT_EQ(fault_of(early).kind, fault::uninitialised_read);
}

TEST(cp_async_barrier, a_phase_too_many_is_named) {
  std::uint64_t word = 0;
  initialize_barrier(word, (1 << 20) - 1);
  try {
    cpasync_barrier_arrive(word);
    FAIL();
  } catch (layout_error const& e) {
    EXPECT_EQ(e.cause().code, errc::barrier_count);
  }
}
