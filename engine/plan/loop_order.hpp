// The loops of a movement in the order of one side.
#pragma once

#include "tilewright/plan/movement.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace tilewright::plan {

/// The one with the smallest stride first, those that stay at one place last.
inline std::vector<int> loop_order(movement const& m, bool source) {
  std::vector<int> out(m.loops.size());
  std::iota(out.begin(), out.end(), 0);
  auto const reach = [&](int i) {
    loop const& l = m.loops[static_cast<std::size_t>(i)];
    std::int64_t const stride = std::abs(source ? l.src : l.dst);
    return stride == 0 ? INT64_MAX : stride;
  };
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) { return reach(a) < reach(b); });
  return out;
}

}  // namespace tilewright::plan
