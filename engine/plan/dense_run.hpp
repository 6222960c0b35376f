// What of a destination is contiguous: its fastest loops, up to the first that leaves a gap.
// Example: 3: dst 1, 4: dst 3, 5: dst 16 gives loops 0 and 1, which are 12 elements.
#pragma once

#include "tilewright/plan/movement.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::plan {

struct dense_run {
  std::vector<int> loops;     // fastest first
  std::int64_t elements = 1;  // of all of them
};

/// A movement without loops has a run of one element.
inline dense_run dense_run_of(movement const& m) {
  dense_run out;
  for (loop const& l : m.loops) {
    if (l.dst != out.elements) break;
    out.loops.push_back(static_cast<int>(out.loops.size()));
    out.elements *= l.extent;
  }
  return out;
}

}  // namespace tilewright::plan
