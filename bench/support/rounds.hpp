// How two ways of doing the same work are timed: they take turns, A B A B, on the same memory, so that whatever else the
// machine does falls on both; figures are medians over the rounds.
#pragma once

#include <functional>

namespace tilewright::bench {

/// Does the work so many times and returns the seconds that took, together.
using timed_work = std::function<double(int repeats)>;

struct round_limits {
  int rounds = 5;        // each takes at least so many …
  double seconds = 0.3;  // … and the first at least so long next to the other
};

/// The seconds of one run of the work, over its rounds.
struct timing {
  double median = 0;
  double fastest = 0;
  double slowest = 0;
  double lower_quartile = 0, upper_quartile = 0;  // half of the rounds are between the two
};

/// Of two that alternated.
struct two_timings {
  timing own, other;
  int count = 0;  // of each
};

/// Short work is repeated within a round; work that takes seconds ends after three rounds.
/// pre: both have run once
two_timings alternate(timed_work const& own, timed_work const& other, round_limits const& limit);

/// Work within this process, by the clock around it.
timed_work by_clock(std::function<void()> work);

}  // namespace tilewright::bench
