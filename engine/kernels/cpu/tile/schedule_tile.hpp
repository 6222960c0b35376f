// Which tile of a movement the tile kernel works on: as much of the source's fastest loops as makes a long contiguous
// read, as much of the destination's as makes a long contiguous write, whatever loops those are.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

namespace tilewright::plan {

/// Fills path, tile, order, schedule and reasons of the plan.
/// pre: plan.moves has loops, is not swizzled, and its elements have 8 bits or more
/// post: about how many cycles it takes to put the 64 bytes of a cache line in order, their way through memory aside
double schedule_tile(copy_plan& plan, copy_request const& request, bool streaming);

/// What a tile reads and writes as contiguous bytes, about, and how large it is.
struct tile_limits {
  std::int64_t source_bytes = 512, destination_bytes = 512;
  std::int64_t min_bytes = 1 << 12, max_bytes = 1 << 15;
  bool imaged = false;          // transposes go into an image; tiles go on in the next one's where lines do
  bool by_destination = false;  // tiles follow each other along the destination, else along the source
};

/// Fills them with a tile of these sizes, whatever the estimates say. False, and nothing is filled, where tiles cannot carry.
/// pre: as for schedule_tile
bool schedule_tile_within(copy_plan& plan, copy_request const& request, bool streaming, tile_limits const& limits);

/// About the cycles for a line of a transpose in registers: rows of so many bytes in the destination, columns of so many in the
/// source.
double cycles_of_transpose(std::int64_t row_bytes, std::int64_t column_bytes, std::int64_t unit_bytes,
                           int register_bits);

/// The same of writing and reading a line of an image.
inline constexpr double cycles_of_image = 4;

/// The same of the parts of lines at both ends of spans of so many bytes, which are read before they are written.
double cycles_of_ends(std::int64_t span_bytes);

/// The reason of a plan that does not write past the caches.
char const* why_through_caches(copy_plan const& plan);

}  // namespace tilewright::plan
