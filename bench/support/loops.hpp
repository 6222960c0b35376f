// A copy as nested loops in plain numbers: what the naive loop and the reference of the benchmarks work on.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::bench {

/// The element at x of a mode is x·src elements into the source and x·dst into the destination.
struct mode {
  std::int64_t extent = 1;
  std::int64_t src = 0;
  std::int64_t dst = 0;
  friend bool operator==(mode const&, mode const&) = default;
};
using modes = std::vector<mode>;

inline std::int64_t elements_of(modes const& all) {
  std::int64_t n = 1;
  for (mode const& m : all) n *= m.extent;
  return n;
}

}  // namespace tilewright::bench
