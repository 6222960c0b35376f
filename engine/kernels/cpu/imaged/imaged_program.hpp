// A tile of a plan whose elements other kernels cannot reach where they are, made ready to run. It is copied in up to three
// steps: runs of the source become an image in a buffer, another kernel copies that image to one in the destination's order, and runs
// of the second image are written. A side that other kernels reach needs no image. What a run is depends on the side:
//   swizzled  elements that the swizzle leaves together, at places that it scatters
//   halves    elements of half a byte, each of which is a byte in the image
//   pairs     the same of the source alone: two runs that are next to one another in the destination are joined to the bytes of
//             the even places and those of the odd ones, so that the copy in the middle writes whole bytes
#pragma once

#include "engine/cpu/kernels.hpp"
#include "engine/kernels/cpu/tile_cursor.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::cpu_engine {

struct program;

struct imaged_tables {
  // Where each run starts, from the tile's start: swizzled, in bytes, or in half bytes. In an image they follow each other. None
  // where the side has no image.
  std::vector<std::int64_t> reads, writes;
  // Where whole lines of a swizzled destination start, as `writes` has it, and where in the image each of their runs is, in the order
  // of the line. None where the runs do not make whole lines.
  std::vector<std::int64_t> lines;
  std::vector<std::int32_t> pieces;
  std::vector<std::int64_t> fetches;             // a place in each line of the source, as `reads` has them
  std::int64_t read_run = 1, write_run = 1;      // elements
  std::int64_t read_bytes = 0, write_bytes = 0;  // of the images
  std::vector<program> move;                     // from image to image; none: both are the same
};

struct imaged_program {
  std::vector<tile_step> grid;          // fastest first, in elements
  std::vector<imaged_tables> variants;  // by which loops are at a clipped end, a bit each
  bool joins = false;                   // the source's runs are read in pairs
  std::int64_t partner = 0;             // elements of the source from a run to the one that it is joined with
  swizzle_value src_swizzle{}, dst_swizzle{};
  std::int64_t src_base = 0, dst_base = 0;  // elements
  int element_bits = 8;
  bool streaming = false;  // whole lines of the destination are written past the caches
  std::int64_t tiles = 1, tile_bytes = 0;
};

/// pre: the plan's kernel is cpu_kernel::imaged, and its proof holds
imaged_program compile_imaged(copy_plan const& plan);

/// Tiles [begin, end) on this thread.
void run_tiles(imaged_program const& p, byte const* src, byte* dst, std::int64_t begin, std::int64_t end);

}  // namespace tilewright::cpu_engine
