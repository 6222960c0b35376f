// Where a program's tiles are and how large each is. The runner and the proof both ask here, so what is proved of a tile's
// place is what runs. With tiles of 4 in a loop of 10 the counts are 4, 4, 2; shifted by 3 they are 1, 4, 4, 1.
#pragma once

#include "engine/cpu/program.hpp"

#include <algorithm>
#include <array>

namespace tilewright::cpu_engine {

/// Rows and columns of one tile, and the bytes of its units.
struct tile_size {
  std::int64_t rows = 0, columns = 0, unit = 0;
  friend bool operator==(tile_size const&, tile_size const&) = default;
};

/// One tile after another, from any tile on.
class tile_walk {
 public:
  tile_walk(program const& p, std::int64_t first) : p_(&p) {
    for (std::size_t i = 0; i < p.grid.size(); ++i) {
      tile_loop const& l = p.grid[i];
      std::int64_t const digit = first % l.tiles;
      first /= l.tiles;
      at_[i] = l.backwards ? l.tiles - 1 - digit : digit;
      src += at_[i] * l.src_step - (at_[i] > 0 ? l.src_shift : 0);
      dst += at_[i] * l.dst_step - (at_[i] > 0 ? l.dst_shift : 0);
    }
  }
  /// law: the walk that starts at tile i, advanced, is the one that starts at tile i + 1
  void advance() {
    for (std::size_t i = 0; i < p_->grid.size(); ++i) {
      tile_loop const& l = p_->grid[i];
      if (l.backwards) {
        if (at_[i]-- > 0) {
          src -= l.src_step;
          dst -= l.dst_step;
          return;
        }
        at_[i] = l.tiles - 1;
        src += at_[i] * l.src_step;
        dst += at_[i] * l.dst_step;
        continue;
      }
      if (++at_[i] < l.tiles) {
        src += l.src_step - (at_[i] == 1 ? l.src_shift : 0);
        dst += l.dst_step - (at_[i] == 1 ? l.dst_shift : 0);
        return;
      }
      src -= (l.tiles - 1) * l.src_step - (l.tiles > 1 ? l.src_shift : 0);
      dst -= (l.tiles - 1) * l.dst_step - (l.tiles > 1 ? l.dst_shift : 0);
      at_[i] = 0;
    }
  }
  tile_size size() const {
    tile_size out{p_->row_count, p_->column_count, p_->unit};
    for (std::size_t i = 0; i < p_->grid.size(); ++i) {
      tile_loop const& l = p_->grid[i];
      if (l.dst_shift != 0 && at_[i] == 0) out.rows = std::min(p_->first_rows, p_->row_extent);
      if (l.clips == tile_loop::side::none || at_[i] + 1 != l.tiles || (l.dst_shift != 0 && at_[i] == 0)) continue;
      if (l.clips == tile_loop::side::row) out.rows = l.last * p_->row_step;
      else if (l.clips == tile_loop::side::column) out.columns = l.last * p_->column_step;
      else out.unit = l.last * p_->element;
    }
    return out;
  }
  std::int64_t src = 0, dst = 0;  // bytes from the first tile's start

 private:
  static constexpr std::size_t max_loops = int_tree::leaf_capacity;
  program const* p_;
  std::array<std::int64_t, max_loops> at_;  // as many as the grid has loops; clearing the rest would cost a small copy
};

}  // namespace tilewright::cpu_engine
