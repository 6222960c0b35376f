// Files larger than memory are copied in blocks: boxes of coordinates whose pages on both sides fit in memory together,
// so that each page is read and written once although one side is far from sequential.
#pragma once

#include "tilewright/plan/movement.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace tilewright::cli {

/// Extents of the blocks, one a loop, that touch at most `most_bytes` of memory in whole pages, where even one element
/// of each side does. Runs grow on both sides alike, so that neither is read or written in small pieces.
/// pre: m.has_loops(), m.elements > 0
std::vector<std::int64_t> choose_block(movement const& m, std::int64_t most_bytes);

/// Bytes in whole pages that a block of these extents touches on both sides.
std::int64_t touched_bytes(movement const& m, std::vector<std::int64_t> const& block);

/// A box of coordinates: where it begins on each side, in elements, and its extent in each loop.
struct block_at {
  std::int64_t src = 0;
  std::int64_t dst = 0;
  std::vector<std::int64_t> extents;
};

/// Calls f for each block, those that follow each other in the destination one after another; the last of a loop may be
/// smaller. f returns false to stop.
/// law: every coordinate of the loops lies in exactly one block
void for_each_block(movement const& m, std::vector<std::int64_t> const& block,
                    std::function<bool(block_at const&)> const& f);

/// Calls f(begin, bytes) for runs of bytes that a block reads, as long as they are at least `least_bytes`; nothing when
/// they are shorter.
void for_each_source_run(movement const& m, block_at const& at, std::int64_t least_bytes,
                         std::function<void(std::int64_t begin, std::int64_t bytes)> const& f);

/// Half of the memory that the machine, and the control group of the process, have to give now, in bytes.
std::int64_t usable_memory();

}  // namespace tilewright::cli
