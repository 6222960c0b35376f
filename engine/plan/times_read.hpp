// How often a copy reads its source: once for each step of the loops whose stride in it is 0.
#pragma once

#include "tilewright/plan/movement.hpp"

#include <cstdint>

namespace tilewright::plan {

/// law: the elements of the source are m.elements / times_read(m), or fewer where its loops meet
inline std::int64_t times_read(movement const& m) {
  std::int64_t times = 1;
  for (loop const& l : m.loops)
    if (l.src == 0) times *= l.extent;
  return times;
}

}  // namespace tilewright::plan
