// Arrays are copied in blocks: boxes of coordinates that are read into one buffer, copied to another, and written from
// there. A block is as long on both sides as memory allows, so that neither file is read or written in small pieces.
#pragma once

#include "apps/cli/convert/target.hpp"
#include "tilewright/plan/movement.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace tilewright::cli {

/// The loops of a conversion, in elements: each steps through the input and through the output. Loops of one element are
/// left out, loops that continue one another on both sides are one; strides may be negative.
/// law: the element at src + Σ xi·loops[i].src goes to dst + Σ xi·loops[i].dst, before the swizzle
struct copy_loops {
  std::vector<loop> loops;  // the smallest step through the output first
  std::int64_t src = 0, dst = 0;
  std::int64_t elements = 1;
  bool is_nested = true;  // each loop steps over all of the output that the loops before it span
};
copy_loops loops_of(conversion const& c);

/// How one side of a block is stored in its buffer: rows of consecutive elements of the file, one after another.
struct block_rows {
  std::int64_t row = 1;    // elements of a row, holes between them included
  std::int64_t pitch = 1;  // elements from row to row
  std::int64_t rows = 1;
  std::vector<std::int64_t> extents;  // of the loops from row to row, and their strides in the file
  std::vector<std::int64_t> strides;
  std::int64_t first = 0;               // the lowest element of the block in the file
  std::vector<std::int64_t> in_buffer;  // the stride of each loop of the block in the buffer
  std::int64_t origin = 0;              // where the block's first coordinate is in the buffer
  bool has_holes = false;

  std::int64_t elements() const { return (rows - 1) * pitch + row; }
  /// Where row number r begins in the file.
  std::int64_t row_begin(std::int64_t r) const;
};

/// A box of coordinates: where it begins on each side, in elements, and its extent in each loop.
struct block_at {
  std::int64_t src = 0;
  std::int64_t dst = 0;
  std::vector<std::int64_t> extents;
};

/// The rows of a block in the input or in the output. Elements that the output skips between elements of one row belong
/// to the row when loops are nested, those inside are whole and the gap is short.
block_rows rows_of(copy_loops const& c, block_at const& at, bool of_input, std::int64_t element_bytes);

/// Extents of the blocks, one a loop: both buffers of a block have at most `max_bytes` together, where one element has.
/// Runs grow on both sides alike.
std::vector<std::int64_t> choose_block(copy_loops const& c, std::int64_t element_bytes, std::int64_t max_bytes);

/// Bytes of the buffers of a whole block.
std::int64_t buffer_bytes(copy_loops const& c, std::vector<std::int64_t> const& block, std::int64_t element_bytes,
                          bool of_input);

/// Calls f for each block, those that follow each other in the output one after another; the last of a loop may be
/// smaller. f returns false to stop.
/// law: every coordinate of the loops is in exactly one block
void for_each_block(copy_loops const& c, std::vector<std::int64_t> const& block,
                    std::function<bool(block_at const&)> const& f);

/// Half of the memory that the machine, and the control group of the process, have to give now, in bytes.
std::int64_t usable_memory();

/// What the process keeps resident now, in bytes.
std::int64_t resident_memory();

}  // namespace tilewright::cli
