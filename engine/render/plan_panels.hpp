// The panels of a plan's picture: one side of a tile, the tile in shared memory, elements in the order in which they are
// moved, and all tiles in theirs.
#pragma once

#include "engine/render/plan_window.hpp"
#include "engine/render/views.hpp"

namespace tilewright::render {

/// What is read or written by the threads of a block.
struct gpu_access {
  std::int64_t threads = 1;  // of the block
  std::int64_t vectors = 1;  // of a thread
  std::vector<carrier> carriers{};
};

/// Cells of more rounds than that bear none.
inline constexpr std::int64_t max_rounds = 64;

/// The window of one side: on a GPU in the colour of the threads, without `by` in that of cache lines. A red line joins
/// the first elements that follow each other in memory; a line below says how many.
panel side_panel(copy_plan const& plan, plan_window const& w, bool source, gpu_access const* by);

/// Where an element of the tile is in shared memory, in elements.
std::int64_t shared_offset(cuda_schedule const& s, coordinate const& x);

/// The tile's words in shared memory, in rows of all banks, in the colour of the thread that stores them.
panel shared_panel(copy_plan const& plan, cuda_schedule const& s, std::vector<carrier> const& stores);

/// Items in the order in which they are moved, `each` elements of loop 0 in one.
struct item_list {
  std::int64_t count = 0, each = 1;
  std::string what;  // "element", "piece"
};
inline constexpr std::int64_t max_items = 64;  // that are drawn

/// Where the first items are on one side; with a schedule of a GPU in the colour of their threads.
panel item_panel(copy_plan const& plan, bool source, item_list const& items, cuda_schedule const* gpu);

/// The tiles of one or two loops, numbered in their order; none while there are too many to draw.
std::optional<panel> tiles_panel(copy_plan const& plan, std::vector<cuda_mode> const& cut);

}  // namespace tilewright::render
