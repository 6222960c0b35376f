// Cycles of shared memory that the accesses of a tile's side take, by the banks that the lanes of some warps meet. Where the lanes
// are is worked out once; what a step along each loop takes in shared memory may then be tried.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::kernels {

class lane_probes {
 public:
  lane_probes() = default;
  /// threads: of a block
  lane_probes(movement const& m, tile_side const& side, bool source, int threads);

  /// Of an access of `width` bytes by an average warp. place: for each loop, the bytes that a step takes
  double cycles(std::vector<std::int64_t> const& place, std::int64_t width) const;

 private:
  /// The lanes of a warp in a part of an access: for each lane a coordinate along each mode.
  struct probe {
    int filled = 0;
    std::vector<std::int32_t> at;
  };

  std::vector<int> loops_;  // of the modes
  std::vector<probe> probes_;
};

}  // namespace tilewright::kernels
