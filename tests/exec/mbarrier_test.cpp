// mbarriers on the CPU: phases and transactions against a model that keeps lists, pipelines of several phases, and what
// is said of barriers that are misused or that nobody completes.
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

using namespace tilewright;

namespace {

/// What a barrier is, told as a story: the phases that have ended, and the open one's events.
struct model {
  int count;
  int phases = 0;
  std::vector<int> arrivals;
  std::vector<long long> expected, moved;

  void look() {
    long long balance = 0;
    for (auto const n : expected) balance += n;
    for (auto const n : moved) balance -= n;
    if (static_cast<int>(arrivals.size()) < count || balance != 0) return;
    ++phases;
    arrivals.clear();
    expected.clear();
    moved.clear();
  }
  bool has_ended(int parity) const { return phases % 2 != parity; }
};

template <class F>
std::string sentence_of(F const& f) {
  try {
    f();
  } catch (std::exception const& e) {
    return e.what();
  }
  return "no failure";
}

/// One thread produces tiles of 64 ints, the others add them up: a ring of Stages with a full and an empty barrier each.
template <int Stages>
struct pipeline {
  template <class Block, class In, class Out>
  void operator()(Block& block, In in, Out out) const {
    auto tiles = shared<int>(block, Shape<_64, C<Stages>>{});
    auto full = shared<std::uint64_t>(block, Shape<C<Stages>>{});
    auto empty = shared<std::uint64_t>(block, Shape<C<Stages>>{});
    int const t = block.thread(), consumers = block.threads() - 1, rounds = static_cast<int>(size<1>(in));
    if (t == 0) {
      for (int s = 0; s < Stages; ++s) {
        initialize_barrier(full(s), 1);
        initialize_barrier(empty(s), consumers);
      }
      fence_barrier_init();
    }
    block.sync();
    int sum = 0;
    for (int r = 0; r < rounds; ++r) {
      int const s = r % Stages, phase = r / Stages % 2;
      if (t == 0) {
        wait_barrier(empty(s), phase ^ 1);
        set_barrier_transaction_bytes(full(s), 256);
        copy(Copy_Atom<SM90_BULK_COPY_AUTO, int>{}.with(full(s)), in(_, r), tiles(_, s));
      } else {
        wait_barrier(full(s), phase);
        for (int i = t - 1; i < 64; i += consumers) sum += tiles(i, s);
        arrive_barrier(empty(s));
      }
    }
    out(t) = sum;
  }
};

std::vector<int> sums(int threads, int rounds, std::vector<int> const& in) {
  std::vector<int> out(static_cast<std::size_t>(threads));
  for (int t = 1; t < threads; ++t) {
    for (int r = 0; r < rounds; ++r)
      for (int i = t - 1; i < 64; i += threads - 1)
        out[static_cast<std::size_t>(t)] += in[static_cast<std::size_t>(r * 64 + i)];
  }
  return out;
}

}  // namespace

RC_GTEST_PROP(mbarrier, is_the_model, ()) {
  int const count = *rc::gen::inRange(1, 5);
  alignas(8) std::uint64_t word = 0x1234;
  initialize_barrier(word, count);
  model m{count, 0, {}, {}, {}};
  for (int const step : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4))) {
    int const bytes = 16 * *rc::gen::inRange(0, 3);
    bool const full = static_cast<int>(m.arrivals.size()) == count;
    if (step == 0 && !full) {
      arrive_barrier(word);
      m.arrivals.push_back(1);
    } else if (step == 1 && !full) {
      set_barrier_transaction_bytes(&word, static_cast<std::uint32_t>(bytes));
      m.arrivals.push_back(1);
      m.expected.push_back(bytes);
    } else if (step == 2) {
      expect_barrier_transaction_bytes(word, static_cast<std::uint32_t>(bytes));
      m.expected.push_back(bytes);
    } else if (step == 3) {
      (void)host_barrier::update(&word, [&](host_barrier& b) { return b.complete(bytes); });
      m.moved.push_back(bytes);
    }
    m.look();
    RC_ASSERT(try_wait_barrier(word, 0) == m.has_ended(0));
    RC_ASSERT(try_wait_barrier(word, 1) == m.has_ended(1));
  }
}

TEST(mbarrier, misuse_is_named) {
  std::uint64_t word = 0;
  auto const starts = [&](auto const& f, std::string const& with) {
    auto const sentence = sentence_of(f);
    EXPECT_EQ(sentence.substr(0, with.size()), with);
  };
  starts([&] { initialize_barrier(word, 0); }, "mbarrier: a barrier cannot count so many arrivals (arrivals 0,");
  starts([&] { initialize_barrier(word, 1 << 20); }, "mbarrier: a barrier cannot count so many arrivals");
  starts([&] { wait_barrier(word, 0); }, "mbarrier: the word is not an initialised barrier");
  starts([&] { arrive_barrier(word); }, "mbarrier: the word is not an initialised barrier");
  initialize_barrier(word, 2);
  starts([&] { wait_barrier(word, 0); }, "mbarrier: outside of a launch no other thread will complete the phase");
  wait_barrier(word, 1);
  expect_barrier_transaction_bytes(word, 16);
  arrive_barrier(word);
  arrive_barrier(word);
  starts([&] { arrive_barrier(word); },
         "mbarrier: a phase gets more arrivals than the barrier was initialised for (arrivals 3, count 2)");
  starts([&] { expect_barrier_transaction_bytes(word, 1 << 20); }, "mbarrier: the bytes outstanding exceed");
  invalidate_barrier(word);
  starts([&] { wait_barrier(word, 0); }, "mbarrier: the word is not an initialised barrier");
}

TEST(mbarrier, copies_happen_when_a_thread_waits) {
  std::uint64_t word = 0;
  int moved = 0;
  initialize_barrier(word);
  set_barrier_transaction_bytes(word, 32);
  for (int i = 0; i < 2; ++i) detail::complete_on_barrier(&word, 16, [&] { ++moved; });
  EXPECT_EQ(moved, 0);
  wait_barrier(word, 1);  // the phase before: nothing to wait for
  EXPECT_EQ(moved, 0);
  wait_barrier(word, 0);
  EXPECT_EQ(moved, 2);
}

TEST(mbarrier, carries_a_pipeline) {
  for (int const threads : {2, 5, 64}) {
    int const rounds = 11;
    std::vector<int> in(64 * rounds), out(static_cast<std::size_t>(threads), -1);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 37 % 101);
    auto const src = make_tensor(make_gmem_ptr(in.data()), make_shape(_64{}, rounds));
    auto const dst = make_tensor(make_gmem_ptr(out.data()), make_shape(threads));
    auto const block = static_cast<unsigned>(threads);
    launch(1, block, pipeline<3>{}, src, dst);
    EXPECT_EQ(out, sums(threads, rounds, in));
    for (std::uint64_t const seed : {0u, 1u, 2u}) {
      std::fill(out.begin(), out.end(), -1);
      launch_checked({.grid = 1, .block = block, .seed = seed}, pipeline<2>{}, src, dst);
      EXPECT_EQ(out, sums(threads, rounds, in));
    }
  }
}

TEST(mbarrier, of_many_blocks_at_once) {
  int const blocks = 40, rounds = 5;
  std::vector<int> in(64 * rounds), out(blocks * 8, -1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  auto const kernel = [](auto& block, auto from, auto to) {
    auto mine = to(_, static_cast<int>(block.index().x));
    pipeline<4>{}(block, from, mine);
  };
  launch(blocks, 8, kernel, make_tensor(make_gmem_ptr(in.data()), make_shape(_64{}, rounds)),
         make_tensor(make_gmem_ptr(out.data()), make_shape(8, blocks)));
  auto const expected = sums(8, rounds, in);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], expected[i % 8]);
}

TEST(mbarrier, a_wait_for_what_nobody_does_is_named) {
  auto const kernel = [](auto& block) {
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    if (block.thread() == 0) initialize_barrier(bar(0), 2);
    block.sync();
    if (block.thread() == 0) arrive_barrier(bar(0));
    if (block.thread() % 2 == 1) wait_barrier(bar(0), 0);
    else if (block.thread() == 2) return;
    block.sync();
  };
  auto const expected =
      "wait_barrier: thread 1 of block (0,0,0) waits for ever, for every other thread waits too or has exited; let "
      "each "
      "phase get all of its arrivals and bytes, and wait for the parity of a phase that ends";
  EXPECT_EQ(sentence_of([&] { launch(1, 8, kernel); }), expected);
  EXPECT_EQ(sentence_of([&] { launch(3, 8, kernel); }), expected);
  EXPECT_EQ(
      sentence_of([&] { launch_checked({.grid = 1, .block = 8, .exited_threads_leave_barriers = true}, kernel); }),
      expected);
}

TEST(mbarrier, threads_may_ask_instead_of_waiting) {
  auto const kernel = [](auto& block, auto out) {
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    if (block.thread() == 0) initialize_barrier(bar(0), 3);
    block.sync();
    int asked = 0;
    if (block.thread() == 0) {
      while (!try_wait_barrier(bar(0), 0)) {
        if (++asked % 2 == 0) arrive_barrier(bar(0));  // it does what it asks for
      }
    }
    out(block.thread()) = asked;
  };
  std::vector<int> out(4);
  launch(1, 4, kernel, make_tensor(make_gmem_ptr(out.data()), Shape<_4>{}));
  EXPECT_EQ(out[0], 6);
  auto const for_ever = [](auto& block) {
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    initialize_barrier(bar(0), 1);
    while (!try_wait_barrier(bar(0), 0)) {}
  };
  EXPECT_EQ(sentence_of([&] { launch(1, 1, for_ever); }).substr(0, 56),
            "try_wait_barrier: thread 0 of block (0,0,0) waits for ev");
}

TEST(mbarrier, waits_mix_with_the_barriers_of_warp_and_block) {
  auto const kernel = [](auto& block, auto out) {
    auto bar = shared<std::uint64_t>(block, Shape<_2>{});
    int const t = block.thread();
    if (t == 0) {
      initialize_barrier(bar(0), 64);
      initialize_barrier(bar(1), 1);
    }
    block.sync();
    arrive_barrier(bar(0));
    if (t < 32) {
      wait_barrier(bar(0), 0);
      block.sync_warp();
      if (t == 5) arrive_barrier(bar(1));
      block.sync_warp();
    } else if (t % 2 == 0) {
      wait_barrier(bar(1), 0);
    } else if (t == 33) {
      return;
    }
    block.sync();
    out(t) = t;
  };
  std::vector<int> out(64);
  launch(1, 64, kernel, make_tensor(make_gmem_ptr(out.data()), Shape<_64>{}));
  for (int t = 0; t < 64; ++t) EXPECT_EQ(out[static_cast<std::size_t>(t)], t == 33 ? 0 : t);
}

TEST(mbarrier, an_exception_ends_the_waits_of_others) {
  auto const kernel = [](auto& block) {
    auto bar = shared<std::uint64_t>(block, Shape<_1>{});
    if (block.thread() == 0) initialize_barrier(bar(0), 1);
    block.sync();
    if (block.thread() == 7) throw std::runtime_error("thread 7");
    wait_barrier(bar(0), 0);
  };
  EXPECT_EQ(sentence_of([&] { launch(1, 16, kernel); }), "thread 7");
  EXPECT_EQ(sentence_of([&] { launch(5, 16, kernel); }), "thread 7");
}
