// The part of a plan's tile that a picture shows, and who carries what of it. Pictures are read by people, so a window
// is at most 16 × 32 cells, the tile's first; what it leaves out is said in words.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::render {

using coordinate = std::vector<std::int64_t>;  // of each of the plan's loops, from the start of the tile

/// Rows and columns of cells. A cell is `grain` elements that follow each other on both sides, along loop 0; most are 1.
/// Columns go along the destination's run, rows along the source's where that is another.
struct plan_window {
  std::vector<cuda_mode> rows, columns;  // first modes fastest
  std::int64_t row_count = 1, column_count = 1;
  std::int64_t grain = 1;
  bool is_whole = true;  // it shows all of the tile

  coordinate at(std::int64_t row, std::int64_t column) const;

  /// The loops that each coordinate has.
  std::size_t loops = 0;
};

/// pre: the plan has tiles: loops, and a schedule other than walk and gather
plan_window window_of(copy_plan const& plan);

/// Offset of an element, in elements, behind the swizzle.
std::int64_t offset_of(movement const& m, bool source, coordinate const& x);

/// A position in the tile, loop 0 fastest.
std::int64_t index_in_tile(copy_plan const& plan, coordinate const& x);

/// The thread that carries an element, and which of its vectors that is in.
struct carrier {
  std::int64_t thread = -1;  // no thread
  std::int64_t vector = 0;
};

/// Of every position in the tile. `packed` elements along `packed_loop` are copied by one vector more.
/// cost: O(elements of the tile)
std::vector<carrier> carriers_of(copy_plan const& plan, cuda_access const& access, int packed_loop,
                                 std::int64_t packed);

/// The same of a schedule whose rows begin at any element, for tensors that begin at a sector: whole vectors from the one
/// that each row begins in, or whole sectors of each column. What the next tile writes is of no thread.
/// pre: the kernel is realigned, and prove() accepts the plan
std::vector<carrier> realigned_readers(copy_plan const& plan, cuda_schedule const& s);
std::vector<carrier> realigned_writers(copy_plan const& plan, cuda_schedule const& s);

/// The number of vectors that each thread carries of a tile.
std::int64_t vectors_of(cuda_access const& access);

/// Tiles along a loop.
std::int64_t tiles_along(copy_plan const& plan, std::size_t loop);

/// The coordinate at an index of the modes, first fastest.
coordinate coordinate_at(std::vector<cuda_mode> const& modes, std::int64_t index, std::size_t loops);

}  // namespace tilewright::render
