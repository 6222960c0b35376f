// launch: every thread of every block runs once and knows its place; barriers order what lies before and after them;
// shared memory is one per block; failures come out as if blocks and threads ran in order.
#include "tilewright/exec/launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace tw = tilewright;

namespace {

std::string sentence_of(auto&& call) {
  try {
    call();
  } catch (std::exception const& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(launch, takes_extents_as_shapes) {
  using namespace tilewright;
  auto const count = [](auto const& grid, auto const& block) {
    std::atomic<int> threads{0};
    std::atomic<int>* const p = &threads;
    launch(
        grid, block, [](auto& b, auto* n) { *n += b.extents() == dim3(8, 2, 1) ? 1 : 100000; }, p);
    return threads.load();
  };
  EXPECT_EQ(count(ceil_div(make_shape(100, _64{}), Shape<_32, _16>{}), Shape<_8, _2>{}), 4 * 4 * 16);
  EXPECT_EQ(count(3, Shape<_8, _2>{}), 3 * 16);
  EXPECT_EQ(count(make_shape(2, 3, 4), dim3(8, 2)), 24 * 16);
  EXPECT_EQ(count(_5{}, make_shape(8, 2, 1)), 5 * 16);
}

}  // namespace

// --- places ---------------------------------------------------------------------------------------------------------

TEST(dim3, maps_indices_to_numbers_and_back) {
  tw::dim3 const extents(3, 4, 5);
  unsigned long long linear = 0;
  for (unsigned z = 0; z < 5; ++z) {
    for (unsigned y = 0; y < 4; ++y) {
      for (unsigned x = 0; x < 3; ++x, ++linear) {
        EXPECT_EQ(linear_index({x, y, z}, extents), linear);
        EXPECT_EQ(index_3d(linear, extents), tw::dim3(x, y, z));
      }
    }
  }
  EXPECT_EQ(volume(extents), linear);
  EXPECT_EQ(tw::dim3(), tw::dim3(1, 1, 1));
}

TEST(launch, runs_each_thread_of_each_block_once) {
  tw::dim3 const grid(5, 3, 2);
  tw::dim3 const block(4, 2, 3);
  std::vector<std::atomic<int>> runs(volume(grid) * volume(block));
  tw::launch(grid, block, [&](auto& b) {
    EXPECT_EQ(b.grid(), grid);
    EXPECT_EQ(b.extents(), block);
    EXPECT_EQ(b.threads(), 24);
    EXPECT_EQ(linear_index(b.thread_index(), block), static_cast<unsigned>(b.thread()));
    ++runs[linear_index(b.index(), grid) * volume(block) + static_cast<unsigned>(b.thread())];
  });
  EXPECT_TRUE(std::all_of(runs.begin(), runs.end(), [](auto const& n) { return n == 1; }));
}

TEST(launch, takes_extents_in_braces) {
  std::atomic<int> n = 0;
  auto const count = [&](auto&) { ++n; };
  tw::launch({4, 2}, 16, count);
  tw::launch(4, {2, 16}, count);
  tw::launch({4, 2}, {4, 4}, count);
  tw::launch({.grid = {4, 2}, .block = 16}, count);
  EXPECT_EQ(n, 4 * 128);
}

TEST(launch, takes_large_grids_and_integers_for_extents) {
  std::vector<std::uint8_t> runs(200'000);
  tw::launch(200'000, 1, [&](auto& b) { ++runs[b.index().x]; });
  EXPECT_EQ(std::accumulate(runs.begin(), runs.end(), 0), 200'000);
  EXPECT_EQ(*std::max_element(runs.begin(), runs.end()), 1);
}

TEST(launch, hands_each_thread_its_arguments) {
  std::array<int, 64> out{};
  tw::launch(
      2, 32,
      [](auto& b, int* to, int factor) {
        auto const i = static_cast<int>(b.index().x) * b.threads() + b.thread();
        factor += 1;  // a parameter taken by value is the thread's own
        to[i] = i * factor;
      },
      out.data(), 2);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], 3 * i);
}

TEST(launch, runs_again_and_again_on_the_same_stacks) {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> passed = 0;
    tw::launch(3, 40, [&](auto& b) {
      b.sync();
      ++passed;
    });
    ASSERT_EQ(passed, 120);
  }
}

// --- barriers -------------------------------------------------------------------------------------------------------

TEST(sync, orders_a_prefix_sum) {
  constexpr int n = 256;
  std::vector<int> out(n * 10);
  tw::launch(10, n, [&](auto& b) {
    int* const sums = b.template shared_array<int>(n);
    int const t = b.thread();
    sums[t] = t + static_cast<int>(b.index().x);
    b.sync();
    for (int step = 1; step < n; step *= 2) {
      int const left = t >= step ? sums[t - step] : 0;
      b.sync();
      sums[t] += left;
      b.sync();
    }
    out[b.index().x * n + static_cast<unsigned>(t)] = sums[t];
  });
  for (int block = 0; block < 10; ++block) {
    for (int t = 0; t < n; ++t) {
      ASSERT_EQ(out[static_cast<std::size_t>(block * n + t)], t * (t + 1) / 2 + block * (t + 1));
    }
  }
}

TEST(sync, orders_a_reduction_in_which_threads_drop_out) {
  constexpr int n = 1024;
  std::vector<long long> totals(16);
  tw::launch(16, n, [&](auto& b) {
    auto* const part = b.template shared_array<long long>(n);
    int const t = b.thread();
    part[t] = t * 3ll + b.index().x;
    for (int half = n / 2; half > 0; half /= 2) {
      b.sync();
      if (t >= half) return;  // later barriers wait for those that are left
      part[t] += part[t + half];
    }
    if (t == 0) totals[b.index().x] = part[0];
  });
  for (long long block = 0; block < 16; ++block) {
    EXPECT_EQ(totals[static_cast<std::size_t>(block)], 3ll * n * (n - 1) / 2 + n * block);
  }
}

TEST(sync, lets_all_threads_through_together) {
  std::vector<std::array<int, 5>> seen(96);
  tw::launch(1, 96, [&](auto& b) {
    int* const phase = b.template shared_array<int>(96);
    auto const t = static_cast<std::size_t>(b.thread());
    for (int p = 0; p < 5; ++p) {
      phase[t] = p;
      b.sync();
      seen[t][static_cast<std::size_t>(p)] = static_cast<int>(std::count(phase, phase + 96, p));
      b.sync();
    }
  });
  for (auto const& counts : seen) {
    for (int const count : counts) EXPECT_EQ(count, 96);
  }
}

TEST(sync, works_from_nested_calls_and_with_objects_on_the_stack) {
  std::atomic<int> right = 0;
  tw::launch(4, 33, [&](auto& b) {
    std::vector<std::string> kept;
    auto const wait_and_keep = [&](int depth, auto&& again) -> void {
      b.sync();
      kept.push_back("thread " + std::to_string(b.thread()) + " at depth " + std::to_string(depth));
      if (depth < 20) again(depth + 1, again);
      b.sync();
    };
    wait_and_keep(0, wait_and_keep);
    right += kept.size() == 21 && kept.back() == "thread " + std::to_string(b.thread()) + " at depth 20";
  });
  EXPECT_EQ(right, 4 * 33);
}

TEST(sync, in_an_exception_handler_keeps_each_threads_exception) {
  std::atomic<int> right = 0;
  tw::launch(2, 16, [&](auto& b) {
    try {
      throw b.thread();
    } catch (int caught) {
      b.sync();
      try {
        throw caught + 100;
      } catch (int again) {
        b.sync();
        right += again == b.thread() + 100;
      }
      try {
        throw;
      } catch (int same) {
        right += same == b.thread() && std::uncaught_exceptions() == 0;
      }
    }
  });
  EXPECT_EQ(right, 2 * 2 * 16);
}

// --- shared memory --------------------------------------------------------------------------------------------------

TEST(shared, is_the_same_for_all_threads_and_aligned) {
  tw::launch(8, 64, [](auto& b) {
    char* const odd = b.template shared_array<char>(5);
    double* const next = b.template shared_array<double>(64);
    char* const last = b.template shared_array<char>(1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(odd) % 128, 0u);
    EXPECT_EQ(reinterpret_cast<char*>(next), odd + 128);
    EXPECT_EQ(last, odd + 128 + 512);
    next[b.thread()] = b.thread();
    b.sync();
    EXPECT_EQ(next[63 - b.thread()], 63 - b.thread());
  });
}

TEST(shared, can_be_first_asked_for_after_a_barrier) {
  tw::launch(2, 8, [](auto& b) {
    b.sync();
    int* const a = b.template shared_array<int>(8);
    a[b.thread()] = b.thread();
    b.sync();
    EXPECT_EQ(a[7], 7);
  });
}

TEST(shared, has_all_of_the_limit_and_no_more) {
  auto const take = [](std::size_t elements) {
    return [=](auto& b) { b.template shared_array<float>(elements)[0] = 1.0f; };
  };
  tw::launch(1, 1, take(227 * 256));
  EXPECT_EQ(sentence_of([&] { tw::launch(1, 1, take(227 * 256 + 1)); }),
            "shared: block (0,0,0) asks for 58113 elements of float of 32 bits in allocation 0 where 0 of its "
            "232448 bytes are taken; use smaller tiles or a larger shared_limit");
  tw::launch({.grid = 1, .block = 1, .shared_limit = {1 << 20}}, take(1 << 18));
  EXPECT_THROW(tw::launch({.grid = 1, .block = 1, .shared_limit = {0}}, take(1)), tw::launch_error);
  EXPECT_THROW(tw::launch(1, 1, take(~std::size_t(0))), tw::launch_error);
}

TEST(shared, refuses_threads_that_disagree) {
  EXPECT_EQ(sentence_of(
                [] { tw::launch(1, 4, [](auto& b) { (void)b.template shared_array<int>(b.thread() < 3 ? 8 : 9); }); }),
            "shared: allocation 0 of block (0,0,0) is 8 elements of int in thread 0 but 9 elements of int in thread 3; "
            "make the same calls of shared in the same order in every thread");
  EXPECT_EQ(sentence_of([] {
              tw::launch(1, 2, [](auto& b) {
                if (b.thread() == 0) (void)b.template shared_array<int>(8);
                if (b.thread() == 1) (void)b.template shared_array<float>(8);
              });
            }),
            "shared: allocation 0 of block (0,0,0) is 8 elements of int in thread 0 but 8 elements of float in thread "
            "1; make the same calls of shared in the same order in every thread");
}

// --- failures -------------------------------------------------------------------------------------------------------

TEST(launch, rethrows_the_first_failure_by_block_and_thread) {
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(sentence_of([] {
                tw::launch(2000, 8, [](auto& b) {
                  if (b.index().x >= 700 && b.thread() >= 3) {
                    throw std::runtime_error(std::to_string(b.index().x) + "/" + std::to_string(b.thread()));
                  }
                });
              }),
              "700/3");
  }
}

TEST(launch, unwinds_the_threads_that_wait_when_one_fails) {
  std::atomic<int> alive = 0;
  std::atomic<int> most = 0;
  struct counted {
    std::atomic<int>& count;
    explicit counted(std::atomic<int>& c) : count(c) { ++count; }
    ~counted() { --count; }
  };
  EXPECT_THROW(tw::launch(1, 64,
                          [&](auto& b) {
                            counted const here(alive);
                            most = std::max(most.load(), alive.load());
                            b.sync();
                            if (b.thread() == 40) throw std::domain_error("40");
                            b.sync();
                            ADD_FAILURE()
                                << "thread " << b.thread() << " passed a barrier that thread 40 did not reach";
                          }),
               std::domain_error);
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(most, 64);
}

TEST(launch, ends_threads_that_swallow_the_unwinding_or_wait_in_destructors) {
  struct waits {
    tw::cpu_block& block;
    ~waits() {
      if (std::uncaught_exceptions() > 0) block.sync();
    }
  };
  EXPECT_THROW(tw::launch(1, 8,
                          [&](tw::cpu_block& b) {
                            waits const at_end{b};
                            try {
                              b.sync();
                            } catch (...) {
                              b.sync();
                            }
                            if (b.thread() == 7) throw std::domain_error("7");
                            b.sync();
                          }),
               std::domain_error);
}

TEST(launch, works_after_a_failure) {
  EXPECT_THROW(tw::launch(4, 4, [](auto&) { throw 1; }), int);
  std::atomic<int> n = 0;
  tw::launch(4, 4, [&](auto& b) {
    b.sync();
    ++n;
  });
  EXPECT_EQ(n, 16);
}

TEST(launch, refuses_extents_out_of_range) {
  auto const launch = [](tw::dim3 grid, tw::dim3 block) {
    return sentence_of([=] { tw::launch(grid, block, [](auto&) {}); });
  };
  EXPECT_EQ(launch({2, 0, 1}, 1), "launch: a grid of 2 x 0 x 1 is empty; give every extent at least 1");
  EXPECT_EQ(launch(1, {0, 1, 1}), "launch: a block of 0 x 1 x 1 is empty; give every extent at least 1");
  EXPECT_EQ(launch(1, {32, 33, 1}),
            "launch: a block of 32 x 33 x 1 = 1056 threads exceeds the limit of 1024; use "
            "smaller blocks and more of them");
  EXPECT_EQ(launch(1, {1, 1, 65}),
            "launch: a block of 1 x 1 x 65 exceeds the limits of 1024 x 1024 x 64; use smaller extents");
  EXPECT_EQ(launch({1, 65536, 1}, 1),
            "launch: a grid of 1 x 65536 x 1 exceeds the limits of 2147483647 x 65535 x 65535; use smaller extents");
  EXPECT_EQ(launch(static_cast<unsigned>(-1), 1),
            "launch: a grid of 4294967295 x 1 x 1 exceeds the limits of 2147483647 x 65535 x 65535; use smaller "
            "extents");
}

TEST(launch, refuses_to_be_called_by_a_kernel) {
  EXPECT_EQ(sentence_of([] { tw::launch(1, 1, [](auto&) { tw::launch(7, 1, [](auto&) {}); }); }),
            "launch: a kernel launches a grid of 7 x 1 x 1 blocks; launch it after the kernel, from the host");
}
