// How two ways of doing the same work are timed: they take turns, A B A B, on the same memory, so that whatever else the
// machine does falls on both; figures are medians over the rounds.
#pragma once

#include <functional>

namespace tilewright::bench {

/// Does the work so many times and returns the seconds that took, together.
using timed_work = std::function<double(int repeats)>;

struct turn_limits {
  int turns = 5;         // each takes at least so many …
  double seconds = 0.3;  // … and the first at least so long next to the other
};

/// The seconds of one run of the work, over its turns.
struct timing {
  double median = 0;
  double fastest = 0;
  double slowest = 0;
  double lower_quartile = 0, upper_quartile = 0;  // half of the turns lie between the two
};

/// Two that took turns.
struct turns {
  timing own, other;
  int count = 0;  // of each
};

/// Short work is repeated within a turn; work that takes seconds ends after three turns.
/// pre: both have run once
turns take_turns(timed_work const& own, timed_work const& other, turn_limits const& limit);

/// Work within this process, by the clock around it.
timed_work by_clock(std::function<void()> work);

}  // namespace tilewright::bench
