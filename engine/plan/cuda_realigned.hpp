// The schedule for a transpose between rows that begin at any element: no access can be a vector by its address alone.
#pragma once

#include "engine/plan/cuda_candidates.hpp"

#include <optional>

namespace tilewright::plan {

/// None where the two runs are one, where a tile of this kind is larger than the runs, for swizzled layouts and for
/// elements of 4 bits or of more than 8 bytes.
/// pre: m.has_loops()
std::optional<cuda_candidate> realigned_candidate(movement const& m, run_facts const& f, std::vector<int> const& order);

}  // namespace tilewright::plan
