// Does a plan's movement carry every element of the destination once, from where the source has it? Both are enumerated
// from the request's layouts, which the planner's loops are then compared with.
#pragma once

#include "apps/cli/subject.hpp"

#include <string>

namespace tilewright::cli {

struct plan_proof {
  bool holds = false;
  long long elements = 0;        // of the request
  long long pairs = 0;           // distinct (source, destination) pairs that were compared
  long long src = -1, dst = -1;  // the first pair, by destination, that only one of the two has
  bool planned = false;          // it is the plan's
};

/// error: std::length_error for more elements than analysis::enumeration_limit
/// cost: O(elements log elements)
plan_proof prove(plan_subject const& asked);

std::string explain(plan_proof const& proof);

}  // namespace tilewright::cli
