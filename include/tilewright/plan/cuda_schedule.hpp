// How a GPU runs a plan. A block of threads takes one tile. Its threads read the tile by a thread-value layout of their
// own, vectors along the source's run, and write it by another, vectors along the destination's run; in between the tile
// is in shared memory, whose strides are chosen so that neither side's accesses share banks. Everything here is a
// number that the kernel is compiled with.
#pragma once

#include "tilewright/base/config.hpp"

#include <cstdint>
#include <vector>

namespace tilewright {

enum class cuda_kernel : int {
  runs = 0,       // vectors along a run that both sides share, through registers
  staged = 1,     // a tile through shared memory
  gather = 2,     // each thread puts together vectors of the destination, element by element
  realigned = 3,  // a tile whose rows begin at any element, transposed word by word in registers
  tile = 4,       // a tile of any modes through shared memory, along rows of any modes on both sides
};
char const* name_of(cuda_kernel kernel);

/// One mode of a thread, value or block layout: index i of `extent` adds i·step to the coordinate of `loop`.
struct cuda_mode {
  int loop = 0;
  std::int64_t step = 1;
  std::int64_t extent = 1;
  friend bool operator==(cuda_mode const&, cuda_mode const&) = default;
};

/// A thread-value layout over a tile, first modes fastest. Coordinates at or beyond the tile's or the loop's end, and
/// threads beyond the product of the thread modes, carry nothing.
struct cuda_access {
  std::vector<cuda_mode> threads;
  std::vector<cuda_mode> values;
  int loop = 0;  // a value is a vector of `vector` elements along this loop
  int vector = 1;
  int at_once = 8;  // values that a thread has in registers together
  friend bool operator==(cuda_access const&, cuda_access const&) = default;
};

/// Coordinate x of a loop is at element (x % split)·inner + (x / split)·outer of the shared tile.
struct shared_mode {
  std::int64_t split = 1;
  std::int64_t inner = 0;
  std::int64_t outer = 0;
  std::int64_t operator()(std::int64_t x) const { return x % split * inner + x / split * outer; }
  friend bool operator==(shared_mode const&, shared_mode const&) = default;
};

/// realigned: the image of a tile in shared memory (engine/kernels/cuda/realigned/body.hpp), in bytes.
struct shared_image {
  int sector = 0;          // pieces of the destination begin at its multiples
  std::int64_t pitch = 0;  // of rows
  friend bool operator==(shared_image const&, shared_image const&) = default;
};

/// tile: one side of a tile. A row is what follows each other on that side, through the modes of `run`, first fastest; the
/// modes of `rows` tell the rows apart.
struct tile_side {
  std::vector<cuda_mode> run, rows;
  int vector = 1;  // elements of an access, which are consecutive in a row
  bool shifted =
      false;       // rows begin at any element: what is read is shifted, and what is written begins before the row
  int begins = 1;  // elements that divide where each row begins, where rows are shifted
  int lanes = 0;   // accesses of a row that neighbouring threads have before the next row_lanes rows; 0: all
  int row_lanes = 1;
  int at_once = 4;  // accesses that a thread has in flight together
  int packed =
      1;  // of the source, elements below 32 bits: so many rows along the first of `rows` are read together and
          // transposed in registers into words of the tile, along which the destination runs
  friend bool operator==(tile_side const&, tile_side const&) = default;
};

/// What of the destination is fetched into the second-level cache before it is written, where rows end before a gap within a
/// sector: a sector that the cache has whole need not be merged with what memory has.
enum class cuda_fetch : int {
  none = 0,
  sectors = 1,  // those at both ends of a row
  spans = 2,    // everything from the first row to the last one, where they are close together
};
char const* name_of(cuda_fetch fetch);

struct cuda_schedule {
  cuda_kernel kernel = cuda_kernel::gather;
  int threads = 256;             // of a block
  int blocks_per_processor = 1;  // that registers must allow
  std::int64_t blocks = 1;       // of the grid
  std::vector<cuda_mode> grid;   // block index -> tile, in steps of elements; a tile beyond a loop's end is skipped
  cuda_access read;              // gather: unused; runs: of both sides
  cuda_access write;             // staged: a value is `packed` vectors; gather: at_once vectors of every thread
  int packed = 1;                // staged, elements below 32 bits: so many along read.loop are in one word of the tile
                                 // and are transposed with those along write.loop in registers
  std::vector<shared_mode> shared;  // staged: one for each loop
  shared_image image;
  std::int64_t shared_bytes = 0;
  tile_side source, target;         // tile: both sides, and for each loop the bytes that a step takes in shared memory
  std::vector<std::int64_t> place;  // (0: the source has none), along the source whichever way it runs there
  int store_bytes = 0;              // of one store to shared memory
  bool evict_source_last = false;   // loads ask the second-level cache to give up the source's lines last
  cuda_fetch fetch = cuda_fetch::none;  // tile: of sectors that are written in part
  int stages = 0;  // tile: so many tiles in shared memory of blocks that stay, the next ones on their way while one is
                   // written; 0: a block for each tile
  friend bool operator==(cuda_schedule const&, cuda_schedule const&) = default;
};

}  // namespace tilewright
