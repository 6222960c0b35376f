// Pieces as boxes of rows, which the driver's copy engines move with one call each.
#pragma once

#include "engine/cuda/driver.hpp"
#include "tilewright/distributed/exchange.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::nvlink {

/// From how many bytes on which means moves a piece; measured on two H200 (docs/measurements/redistribute.md).
struct piece_limits {
  std::int64_t run_copy = 1 << 20;     // of a piece that is one run, for the driver's copy
  std::int64_t box_copy = 4 << 20;     // of one box of rows, for the driver's copy engines
  std::int64_t box_row = 256;          // of a row of a box; rows of 128 and less waste the link
  std::int64_t engine_segment = 8192;  // of a row that the engines move at once; half of it takes as long
  std::int64_t many_pieces_row = 32;   // of a row, for the kernel of many pieces
  std::int64_t planned = 256 << 10;    // of a piece that is no rows, for a kernel of its own
  std::int64_t shifted_row = 256;      // of a row that is copied by words of 16 wherever it begins
};

/// What the copy engines move with one call.
struct engine_box {
  std::int64_t src, dst;                                           // bytes behind the pointers
  gpu::memory_box box;                                             // without addresses
  bool is_run() const { return box.rows == 1 && box.depth == 1; }  // of any length; a box's rows have a longest pitch
};

/// The boxes of a piece whose elements have `item` bytes; none where it is no rows, or another means is faster.
/// `is_own`: within the rank's own memory, where a kernel copies many rows faster.
std::vector<engine_box> engine_boxes(exchange_piece const& piece, std::int64_t item, bool is_own,
                                     piece_limits const& limits);

/// Is the first loop contiguous on both sides?
bool is_row(exchange_piece const& p);

}  // namespace tilewright::nvlink
