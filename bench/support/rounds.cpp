// The clocks of two that take turns, and how often short work is repeated within one.
#include "bench/support/rounds.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

namespace tilewright::bench {
namespace {

constexpr double long_round = 1e-3;      // from here on the threads of others get time to fall asleep before a round
constexpr double shortest_round = 2e-4;  // shorter copies are repeated within a round
constexpr double patience = 3;           // seconds that a slow peer may take in all, once it had three rounds
constexpr int fewest_turns = 3;

/// What the rounds of one took.
class clock_of {
 public:
  explicit clock_of(timed_work const& one) : work_(one) {
    // A short copy runs often enough for the clock; the first rounds tell how often.
    while (true) {
      double const taken = work_(repeats_);
      if (taken >= shortest_round || repeats_ >= 1 << 20) break;
      double const wanted = std::ceil(1.2 * shortest_round / std::max(taken, 1e-9) * repeats_);
      repeats_ = static_cast<int>(std::clamp(wanted, 2.0 * repeats_, 1048576.0));
    }
  }
  void run_round() {
    if (total_ > long_round * static_cast<double>(seconds_.size()))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    double const taken = work_(repeats_);
    total_ += taken;
    seconds_.push_back(taken / repeats_);
  }
  double total() const { return total_; }
  std::size_t count() const { return seconds_.size(); }
  timing result() {
    std::sort(seconds_.begin(), seconds_.end());
    std::size_t const last = seconds_.size() - 1;
    return {seconds_[seconds_.size() / 2], seconds_.front(), seconds_.back(), seconds_[last / 4],
            seconds_[last - last / 4]};
  }

 private:
  timed_work const& work_;
  int repeats_ = 1;
  double total_ = 0;
  std::vector<double> seconds_;
};

}  // namespace

two_timings alternate(timed_work const& own, timed_work const& other, round_limits const& limit) {
  clock_of ours(own), theirs(other);
  while (ours.count() < static_cast<std::size_t>(limit.rounds) || ours.total() < limit.seconds) {
    bool const enough = ours.count() >= fewest_turns && theirs.total() > patience;
    if (enough) break;
    theirs.run_round();
    ours.run_round();
  }
  int const count = static_cast<int>(ours.count());
  return {ours.result(), theirs.result(), count};
}

timed_work by_clock(std::function<void()> work) {
  return [work = std::move(work)](int repeats) {
    auto const began = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
}

}  // namespace tilewright::bench
