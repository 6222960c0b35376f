// Where the tiles of a grid are, one after another, and which loops are at a clipped end there.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tilewright::cpu_engine {

/// A loop over tiles; `src` and `dst` as its kernel counts, in bytes or elements. `clipped`: the last tile is smaller; the bit of the
/// variant that has its tables, or 0.
struct tile_step {
  std::int64_t tiles = 1, src = 0, dst = 0;
  std::size_t clipped = 0;
};

class tile_cursor {
 public:
  /// `grid`: fastest first; it has to outlive the cursor
  tile_cursor(std::vector<tile_step> const& grid, std::int64_t first) : grid_(grid) {
    for (std::size_t i = 0; i < grid.size(); ++i) {
      at_[i] = first % grid[i].tiles;
      first /= grid[i].tiles;
      src += at_[i] * grid[i].src;
      dst += at_[i] * grid[i].dst;
      if (at_[i] + 1 == grid[i].tiles) variant |= grid[i].clipped;
    }
  }
  /// law: the cursor at tile i, advanced, is the one at tile i + 1; at the last tile, the one at tile 0
  void advance() {
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      tile_step const& l = grid_[i];
      if (++at_[i] < l.tiles) {
        src += l.src;
        dst += l.dst;
        if (at_[i] + 1 == l.tiles) variant |= l.clipped;
        return;
      }
      src -= (l.tiles - 1) * l.src;
      dst -= (l.tiles - 1) * l.dst;
      variant &= ~l.clipped;
      at_[i] = 0;
    }
  }
  /// Does another tile follow along the fastest loop?
  bool goes_on() const { return at_[0] + 1 < grid_[0].tiles; }
  std::int64_t src = 0, dst = 0;
  std::size_t variant = 0;

 private:
  std::vector<tile_step> const& grid_;
  std::array<std::int64_t, int_tree::leaf_capacity> at_;  // as many as the grid has loops
};

}  // namespace tilewright::cpu_engine
