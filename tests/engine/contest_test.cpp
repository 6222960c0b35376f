// Which entrant is the fastest, from times that may come late, in any order.
#include "engine/contest.hpp"

#include "engine/background.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <random>
#include <vector>

namespace tilewright {
namespace {

using engine::background;
using engine::contest;

/// Holds it, telling times at once; how often each ran.
std::vector<int> hold(contest& held, std::vector<double> const& seconds) {
  std::vector<int> runs(seconds.size());
  while (auto const next = held.next()) {
    held.tell(*next, ++runs[*next] == 1 ? 1000 : seconds[*next]);  // the first run loads the kernel
  }
  return runs;
}

TEST(contest, is_won_by_the_fastest_beyond_the_margin) {
  struct one {
    std::vector<double> seconds;
    std::size_t winner;
  };
  for (one const& c : {one{{1.0}, 0}, one{{1.0, 0.99}, 0}, one{{1.0, 0.97}, 1}, one{{1.0, 0.97, 0.5, 0.6}, 2},
                       one{{1.0, 1.0, 1.0}, 0}, one{{5.0, std::numeric_limits<double>::infinity(), 4.0}, 2}}) {
    contest held(c.seconds.size());
    hold(held, c.seconds);
    EXPECT_TRUE(held.is_over());
    EXPECT_EQ(held.winner(), c.winner);
  }
}

TEST(contest, lets_the_hopeless_run_no_more) {
  contest held(4, {.runs = 5, .margin = 1.02, .hopeless = 1.15});
  EXPECT_EQ(hold(held, {1.0, 1.1, 1.2, 0.98}), (std::vector<int>{6, 6, 2, 6}));
  EXPECT_EQ(held.winner(), 3u);
}

TEST(contest, ends_whenever_times_come) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> seconds(1 + random() % 9);
    for (double& s : seconds) s = 1.0 + static_cast<double>(random() % 100) / 100;
    contest held(seconds.size());
    std::deque<std::size_t> under_way;
    std::vector<bool> has_begun(seconds.size());
    int runs = 0;
    for (int i = 0; !held.is_over(); ++i) {
      ASSERT_LT(i, 10'000);
      if (random() % 2 == 0) {
        if (auto const next = held.next()) {
          if (random() % 8 == 0) {
            held.withdraw(*next);
          } else {
            under_way.push_back(*next);
            ++runs;
          }
        }
      } else if (!under_way.empty()) {
        std::size_t const done = under_way.front();
        under_way.pop_front();
        held.tell(done, has_begun[done] ? seconds[done] : 1000);
        has_begun[done] = true;
      }
    }
    EXPECT_LE(runs, 4 * static_cast<int>(seconds.size()));
    double const least = *std::min_element(seconds.begin(), seconds.end());
    EXPECT_LE(seconds[held.winner()], 1.02 * least);
  }
}

TEST(background, does_jobs_in_turns_and_drops_what_is_left) {
  std::atomic<int> steps{0};
  background worker;
  for (int job = 0; job < 3; ++job)
    worker.add([&steps, left = 5]() mutable {
      ++steps;
      return --left > 0;
    });
  while (steps < 15) std::this_thread::yield();
  worker.add([&steps] { return ++steps > 0; });  // has no end of its own
  while (steps < 20) std::this_thread::yield();
  worker.stop();
  int const done = steps;
  worker.add([&steps] { return ++steps > 0; });
  worker.stop();
  EXPECT_EQ(steps, done);
}

}  // namespace
}  // namespace tilewright
