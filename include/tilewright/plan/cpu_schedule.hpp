// How a CPU runs a plan. A tile is an array of units, whole runs that both sides share, with rows and columns: a row's
// units follow each other in the destination, so a row is written as contiguous bytes; columns follow each other in
// the source where they can, so that a cache line that was read is used up. What a thread does with a tile is read it
// by one kernel, perhaps into a buffer in its cache, and write it row by row. Where planes are interleaved, either the rows
// or the columns are the channels.
#pragma once

#include "tilewright/base/config.hpp"

#include <cstdint>
#include <vector>

namespace tilewright {

enum class cpu_kernel : int {
  copy_runs = 0,   // units of any number of bytes, one after another
  transpose = 1,   // units of 1, 2, 4, 8 or 16 bytes, transposed in vector registers
  gather = 2,      // such units one by one: the source has no runs
  walk = 3,        // one by one with their offsets computed: layouts without common loops
  interleave = 4,  // 2 to 8 such units side by side on one side, in a plane each on the other: byte shuffles
  tile = 5,        // contiguous spans of both sides, put in order by table lookups, or transposed if it has row loops
  imaged = 6,      // swizzled offsets and half bytes: put in images, which another kernel copies
};
char const* name_of(cpu_kernel kernel);

struct cpu_schedule {
  cpu_kernel kernel = cpu_kernel::walk;
  int threads = 1;
  std::int64_t unit_bytes = 1;
  std::vector<int> row_loops;     // of the plan's loops: those whose units follow each other in the destination
  std::vector<int> column_loops;  // the others that a tile holds more than one of, fastest in the source first
  bool buffered = false;          // rows are put together in a buffer first, because they do not end with cache lines
  bool long_runs = false;         // the source goes on behind a tile's columns: the prefetcher follows its rows
  bool whole_lines = false;       // what a tile writes starts at cache lines of the destination, wherever the tile is
  bool streaming = false;         // whole cache lines are written past the caches
  std::vector<int>
      gather_loops;  // a tile's elements are gathered in the order of these, without gaps, first; none: they are not
  bool carries = false;  // lines that a tile has in part are written with the next one along the first of the order
  friend bool operator==(cpu_schedule const&, cpu_schedule const&) = default;
};

}  // namespace tilewright
