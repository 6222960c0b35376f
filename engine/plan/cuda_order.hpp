// In which order a GPU's blocks take the tiles of a movement: what is in flight at a time should be close together, on
// both sides.
#pragma once

#include "tilewright/plan/machine_model.hpp"
#include "tilewright/plan/movement.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::plan {

struct cuda_tile_order {
  std::vector<int> loops;  // the loop whose tiles follow each other first first
  double cost = 0;         // of what is apart, in shares of a plain copy's time
};

/// The order that costs least; `usual`, unless another one is better.
/// pre: m.has_loops(); tile and usual have an entry for each loop
/// cost: O(orders of the loops that are taken until the tiles outgrow the second-level cache), some microseconds
cuda_tile_order order_of_tiles(movement const& m, machine_model const& machine, std::vector<std::int64_t> const& tile,
                               std::vector<int> const& usual);

/// What an order costs.
double cost_of_order(movement const& m, machine_model const& machine, std::vector<std::int64_t> const& tile,
                     std::vector<int> const& order);

}  // namespace tilewright::plan
