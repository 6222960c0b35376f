// Which loops of a tile are rows and which are columns of transposes in registers.
#pragma once

#include "engine/kernels/cpu/tile/schedule_tile.hpp"
#include "engine/kernels/cpu/tile/tile_chooser.hpp"

#include <bit>
#include <cstdlib>

namespace tilewright::plan {

/// The rows and columns of transposes in registers: rows are the destination's fastest loops, columns the source's, the
/// side with fewer bytes next, until a loop is the other side's.
class transpose_chooser {
 public:
  /// `compacts`: the source's gaps are left out before, so that columns go on whatever their steps.
  transpose_chooser(movement const& m, tile_chooser const& tile, int register_bits, bool compacts = false)
      : m_(&m),
        tile_(&tile),
        element_(m.element_bits / 8),
        register_bits_(register_bits),
        compacts_(compacts) {
    bool const shared = !m.loops.empty() && m.loops[0].src == 1 && m.loops[0].dst == 1;
    unit_loop_ = shared ? 0 : -1;
    unit = element_ * (shared ? m.loops[0].extent : 1);
    is_possible = unit <= 16 && std::has_single_bit(static_cast<std::uint64_t>(unit)) &&
                  (!shared || tile.tile[0] == m.loops[0].extent);
    if (!is_possible) return;
    rows_.next = columns_.next = row_bytes = column_bytes = unit;
    for (bool more = true; more;) {
      bool const rows_first = row_bytes <= column_bytes;
      more =
          rows_first ? extend(rows_, true) || extend(columns_, false) : extend(columns_, false) || extend(rows_, true);
    }
    is_possible = !rows_.loops.empty() && !columns_.loops.empty();
  }

  double cycles() const { return cycles_of_transpose(row_bytes, column_bytes, unit, register_bits_); }
  std::vector<int> const& rows() const { return rows_.loops; }
  std::vector<int> const& columns() const { return columns_.loops; }
  bool is_possible = false;
  std::int64_t unit = 1, row_bytes = 0, column_bytes = 0;

 private:
  struct side {
    std::vector<int> loops;
    std::int64_t next = 0;  // the step in bytes that goes on without a gap
    bool is_full = false;
  };
  bool extend(side& s, bool destination) {
    if (s.is_full) return false;
    side const& other = destination ? columns_ : rows_;
    for (int const i : destination ? tile_->by_dst : tile_->by_src) {
      auto const at = static_cast<std::size_t>(i);
      std::int64_t const extent = tile_->tile[at];
      auto const has = [i](side const& one) {
        return std::find(one.loops.begin(), one.loops.end(), i) != one.loops.end();
      };
      if (i == unit_loop_ || extent == 1 || has(s)) continue;
      std::int64_t const step = std::abs(destination ? m_->loops[at].dst : m_->loops[at].src) * element_;
      if ((step != s.next && (destination || !compacts_)) || has(other)) break;
      s.loops.push_back(i);
      s.next *= extent;
      (destination ? row_bytes : column_bytes) *= extent;
      return true;
    }
    s.is_full = true;
    return false;
  }

  movement const* m_;
  tile_chooser const* tile_;
  std::int64_t element_;
  int register_bits_;
  bool compacts_;
  int unit_loop_ = -1;
  side rows_, columns_;
};

}  // namespace tilewright::plan
