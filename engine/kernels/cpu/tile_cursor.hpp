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
  bool backwards = false;  // the last tile comes first
};

/// Are the tiles of a loop taken from the last to the first? The processor's prefetcher follows a source upwards alone, and what is
/// written past the caches may come in any order (docs/adr/0044).
inline bool are_taken_backwards(std::int64_t src_step, bool streaming, cpu_tuning const& tuning) {
  return streaming && src_step < 0 && -src_step <= tuning.backward_bytes;
}

class tile_cursor {
 public:
  /// `grid`: fastest first; it has to outlive the cursor
  tile_cursor(std::vector<tile_step> const& grid, std::int64_t first) : grid_(grid) {
    for (std::size_t i = 0; i < grid.size(); ++i) {
      std::int64_t const digit = first % grid[i].tiles;
      first /= grid[i].tiles;
      at_[i] = grid[i].backwards ? grid[i].tiles - 1 - digit : digit;
      src += at_[i] * grid[i].src;
      dst += at_[i] * grid[i].dst;
      if (at_[i] + 1 == grid[i].tiles) variant |= grid[i].clipped;
    }
  }
  /// law: the cursor at tile i, advanced, is the one at tile i + 1; at the last tile, the one at tile 0
  void advance() {
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      tile_step const& l = grid_[i];
      if (l.backwards) {
        variant &= ~l.clipped;
        if (at_[i]-- > 0) {
          src -= l.src;
          dst -= l.dst;
          return;
        }
        at_[i] = l.tiles - 1;
        src += at_[i] * l.src;
        dst += at_[i] * l.dst;
        variant |= l.clipped;
        continue;
      }
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
