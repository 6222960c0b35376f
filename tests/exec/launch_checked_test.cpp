// launch_checked: each kind of fault is found, with its block, threads and place, in whichever order threads run;
// correct kernels run to their end.
#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tw = tilewright;
using tw::fault;

namespace {

tw::execution_report fault_of(tw::checked_config const& config, auto const& kernel, auto const&... args) {
  try {
    tw::launch_checked(config, kernel, args...);
  } catch (tw::execution_error const& e) {
    EXPECT_EQ(e.what(), to_string(e.report()));
    return e.report();
  }
  ADD_FAILURE() << "no fault was reported";
  return {};
}

tw::execution_report fault_of(tw::dim3 grid, tw::dim3 block, auto const& kernel, auto const&... args) {
  return fault_of(tw::checked_config{.grid = grid, .block = block}, kernel, args...);
}

}  // namespace

// --- no fault -------------------------------------------------------------------------------------------------------

TEST(launch_checked, lets_correct_kernels_run_in_any_order) {
  constexpr int n = 128;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    std::vector<int> out(n * 6);
    tw::launch_checked({.grid = {3, 2}, .block = n, .seed = seed}, [&](auto& b) {
      auto const sums = b.template shared_array<int>(n);
      int const t = b.thread();
      sums[t] = t;
      b.sync();
      for (int step = 1; step < n; step *= 2) {
        int const left = t >= step ? static_cast<int>(sums[t - step]) : 0;
        b.sync();
        sums[t] += left;
        b.sync();
      }
      out[linear_index(b.index(), b.grid()) * n + static_cast<unsigned>(t)] = sums[t];
    });
    for (int i = 0; i < n * 6; ++i) ASSERT_EQ(out[static_cast<std::size_t>(i)], (i % n) * (i % n + 1) / 2);
  }
}

TEST(launch_checked, lets_threads_use_their_own_elements_without_barriers) {
  tw::launch_checked(3, 32, [](auto& b) {
    auto const a = b.template shared_array<unsigned char>(32);
    for (int i = 0; i < 3; ++i) {
      a[b.thread()] = static_cast<unsigned char>(i);
      EXPECT_EQ(a[b.thread()], i);
    }
    b.sync();
    EXPECT_EQ(a[0], 2);
    EXPECT_EQ(a[31 - b.thread()], 2);
  });
}

TEST(launch_checked, runs_threads_in_the_order_its_seed_names) {
  auto const order = [](std::uint64_t seed) {
    std::vector<int> ran;
    tw::launch_checked({.grid = 4, .block = 16, .seed = seed}, [&](auto& b) {
      ran.push_back(static_cast<int>(b.index().x) * 16 + b.thread());
      b.sync();
      ran.push_back(static_cast<int>(b.index().x) * 16 + b.thread());
    });
    return ran;
  };
  auto const plain = order(0);
  EXPECT_EQ(plain[5], 5);
  EXPECT_EQ(plain[16 + 5], 5);
  EXPECT_EQ(order(7), order(7));
  EXPECT_NE(order(7), plain);
  EXPECT_NE(order(7), order(8));
}

TEST(launch_checked, hands_out_what_kernels_throw) {
  EXPECT_THROW(tw::launch_checked(2, 4, [](auto&) { throw 1; }), int);
}

// --- shared memory --------------------------------------------------------------------------------------------------

TEST(launch_checked, reports_reads_that_no_barrier_orders) {
  auto const kernel = [](auto& b) {
    auto const a = b.template shared_array<float>(8);
    if (b.index().y == 1) {
      a[b.thread()] = 1.0f;
      if (b.thread() == 5) (void)static_cast<float>(a[3]);
    }
  };
  auto const r = fault_of(tw::dim3(1, 3), 8, kernel);
  EXPECT_EQ(r.kind, fault::unordered_read);
  EXPECT_EQ(r.block, tw::dim3(0, 1, 0));
  EXPECT_EQ(r.other_block, tw::dim3(0, 1, 0));
  EXPECT_EQ(r.thread, 5);
  EXPECT_EQ(r.other_thread, 3);
  EXPECT_EQ(r.allocation, "shared memory 0");
  EXPECT_EQ(r.byte_offset, 12);
  EXPECT_EQ(r.element_offset, 3);
  EXPECT_EQ(to_string(r),
            "unordered_read: thread 5 of block (0,1,0) reads offset 3 (byte 12) of shared memory 0, which thread 3 "
            "wrote with no barrier between; put a sync() between them");
}

TEST(launch_checked, reports_two_writers_in_one_epoch) {
  auto const r = fault_of(1, 8, [](auto& b) {
    (void)b.template shared_array<char>(1);
    auto const a = b.template shared_array<int>(8);
    b.sync();
    a[b.thread() / 2] = 1;
  });
  EXPECT_EQ(r.kind, fault::unordered_write);
  EXPECT_EQ(r.thread, 1);
  EXPECT_EQ(r.other_thread, 0);
  EXPECT_EQ(r.allocation, "shared memory 1");
  EXPECT_EQ(r.element_offset, 0);
}

TEST(launch_checked, reports_writes_after_reads_by_the_first_or_a_later_reader) {
  for (int const writer : {2, 0}) {
    auto const r = fault_of(1, 4, [=](auto& b) {
      auto const a = b.template shared_array<int>(4);
      a[b.thread()] = b.thread();
      b.sync();
      if (b.thread() != 3) (void)static_cast<int>(a[writer]);
      if (b.thread() == writer) a[writer] = 7;
    });
    if (writer == 2) {
      EXPECT_EQ(r.kind, fault::write_after_read);
      EXPECT_EQ(r.thread, 2);
      EXPECT_EQ(r.other_thread, 0);
    } else {
      EXPECT_EQ(r.kind, fault::unordered_read);  // thread 0 wrote first, then thread 1 reads
      EXPECT_EQ(r.thread, 1);
      EXPECT_EQ(r.other_thread, 0);
    }
    EXPECT_EQ(r.element_offset, writer);
  }
  // A thread that reads first does not hide the reader after it.
  auto const r = fault_of(1, 2, [](auto& b) {
    auto const a = b.template shared_array<int>(1);
    if (b.thread() == 0) a[0] = 1;
    b.sync();
    (void)static_cast<int>(a[0]);
    if (b.thread() == 1) a[0] = 2;
  });
  EXPECT_EQ(r.kind, fault::write_after_read);
  EXPECT_EQ(r.thread, 1);
  EXPECT_EQ(r.other_thread, 0);
}

TEST(launch_checked, finds_a_missing_barrier_in_any_order_of_the_threads) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto const r = fault_of({.grid = 2, .block = 32, .seed = seed}, [](auto& b) {
      auto const a = b.template shared_array<int>(32);
      a[b.thread()] = 0;
      b.sync();
      int const next = a[(b.thread() + 1) % 32];
      a[b.thread()] = next;  // unordered with the neighbour's read
    });
    EXPECT_TRUE(r.kind == fault::unordered_read || r.kind == fault::write_after_read) << to_string(r);
    EXPECT_TRUE((r.thread + 1) % 32 == r.other_thread || (r.other_thread + 1) % 32 == r.thread) << to_string(r);
  }
}

TEST(launch_checked, reports_reads_of_shared_memory_nobody_wrote) {
  // Block 0 writes; what it leaves behind is not block 1's.
  auto const r = fault_of(2, 4, [](auto& b) {
    auto const a = b.template shared_array<double>(4);
    if (b.index().x == 0) a[b.thread()] = 0.5;
    b.sync();
    EXPECT_EQ(a[3], 0.5);
  });
  EXPECT_EQ(r.kind, fault::uninitialised_read);
  EXPECT_EQ(r.block, tw::dim3(1, 0, 0));
  EXPECT_EQ(r.thread, 0);
  EXPECT_EQ(r.other_thread, -1);
  EXPECT_EQ(r.byte_offset, 24);
  EXPECT_EQ(r.element_offset, 3);
}

TEST(launch_checked, reports_accesses_out_of_bounds) {
  auto const above = fault_of(1, 4, [](auto& b) { b.template shared_array<short>(3)[b.thread()] = 1; });
  EXPECT_EQ(above.kind, fault::out_of_bounds);
  EXPECT_EQ(above.thread, 3);
  EXPECT_EQ(above.element_offset, 3);
  EXPECT_EQ(to_string(above),
            "out_of_bounds: thread 3 of block (0,0,0) accesses offset 3 (byte 6) of shared memory 0, "
            "which is outside of it");
  auto const below = fault_of(1, 1, [](auto& b) { *(b.template shared_array<short>(3) - 2) = 1; });
  EXPECT_EQ(below.kind, fault::out_of_bounds);
  EXPECT_EQ(below.byte_offset, -4);
  EXPECT_EQ(below.element_offset, -2);
}

TEST(launch_checked, checks_wide_accesses_byte_by_byte) {
  struct alignas(16) quad {
    float f[4];
  };
  tw::launch_checked(1, 4, [](auto& b) {
    auto const a = b.template shared_array<float>(16);
    recast_ptr<quad>(a)[b.thread()] = quad{{1, 2, 3, 4}};
    EXPECT_EQ(a[b.thread() * 4 + 2], 3.0f);
  });
  auto const overlap = fault_of(1, 2, [](auto& b) {
    auto const a = b.template shared_array<float>(8);
    if (b.thread() == 0) a[6] = 1.0f;
    if (b.thread() == 1) recast_ptr<quad>(a)[1] = quad{};
  });
  EXPECT_EQ(overlap.kind, fault::unordered_write);
  EXPECT_EQ(overlap.element_offset, 6);
  auto const beyond = fault_of(1, 1, [](auto& b) { recast_ptr<quad>(b.template shared_array<float>(6))[1] = quad{}; });
  EXPECT_EQ(beyond.kind, fault::out_of_bounds);
  EXPECT_EQ(beyond.element_offset, 6);
  auto const askew = fault_of(1, 1, [](auto& b) { *recast_ptr<quad>(b.template shared_array<float>(8) + 2) = quad{}; });
  EXPECT_EQ(askew.kind, fault::misaligned);
  EXPECT_EQ(askew.element_offset, 2);
}

TEST(launch_checked, reports_faults_that_the_kernel_swallows) {
  auto const r = fault_of(1, 4, [](auto& b) {
    try {
      (void)static_cast<int>(b.template shared_array<int>(1)[b.thread()]);
    } catch (...) {}
  });
  EXPECT_EQ(r.kind, fault::uninitialised_read);
  EXPECT_EQ(r.thread, 0);
}

// --- barriers -------------------------------------------------------------------------------------------------------

TEST(launch_checked, reports_threads_that_exit_while_others_wait) {
  auto const kernel = [](auto& b) {
    if (b.index().x == 1 && b.thread() == 6) return;
    b.sync();
  };
  auto const r = fault_of(2, 8, kernel);
  EXPECT_EQ(r.kind, fault::divergent_barrier);
  EXPECT_EQ(r.block, tw::dim3(1, 0, 0));
  EXPECT_EQ(r.thread, 0);
  EXPECT_EQ(r.other_thread, 6);
  EXPECT_NE(r.place.find("launch_checked_test.cpp:"), std::string::npos) << r.place;
  EXPECT_EQ(r.other_place, "");
  tw::launch_checked({.grid = 2, .block = 8, .exited_threads_leave_barriers = true}, kernel);
}

TEST(launch_checked, reports_threads_that_wait_at_different_barriers) {
  auto const r = fault_of(1, 8, [](auto& b) {
    if (b.thread() % 4 == 3) {
      b.sync();
    } else {
      b.sync();
    }
  });
  EXPECT_EQ(r.kind, fault::divergent_barrier);
  EXPECT_EQ(r.thread, 3);
  EXPECT_EQ(r.other_thread, 0);
  EXPECT_NE(r.place, r.other_place);
}

TEST(launch_checked, reports_loops_of_different_length) {
  auto const r = fault_of(1, 8, [](auto& b) {
    for (int i = 0; i < (b.thread() == 2 ? 4 : 3); ++i) b.sync();
  });
  EXPECT_EQ(r.kind, fault::divergent_barrier);
  EXPECT_EQ(r.thread, 2);
  EXPECT_EQ(r.other_thread, 0);
}
