// A plan made ready to run on the CPU: strides in bytes, tables of a tile's rows and columns, and the loops over tiles.
#pragma once

#include "engine/kernels/cpu/imaged/imaged_program.hpp"
#include "engine/kernels/cpu/interleave/interleave.hpp"
#include "engine/kernels/cpu/tile/tile_program.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <vector>

namespace tilewright::cpu_engine {

/// One loop over tiles. The last tile of a clipped loop is smaller: it has fewer rows or columns, or a shorter unit.
struct tile_loop {
  std::int64_t tiles = 1;
  std::int64_t src_step = 0, dst_step = 0;  // bytes from tile to tile
  std::int64_t last = 0;                    // of the clipped side's outermost loop, how many steps the last tile has
  enum class side { none, unit, row, column } clips = side::none;
  // Tiles but the first start this much earlier, and the first is smaller by as much; 0 unless shifted().
  std::int64_t src_shift = 0, dst_shift = 0;
  bool backwards = false;  // the last tile comes first
};

struct program {
  tile_program tile;  // of the tile kernel
  imaged_program imaged;
  cpu_kernel kernel = cpu_kernel::walk;
  std::int64_t element = 1, unit = 1;  // bytes
  int threads = 1;
  bool buffered = false, streaming = false;
  std::int64_t ahead = 0;                   // bytes, see transpose_tile
  cpu_tuning tuning{};                      // what kernels and runner need of it
  std::int64_t src_base = 0, dst_base = 0;  // bytes from the pointers to the first unit
  // Of a whole tile, in bytes: where each row is in the source and each column in the destination. The last tile of a
  // loop may have fewer: `row_step` and `column_step` are how many belong to one step of the outermost loop of each.
  std::vector<std::int64_t> rows, columns;  // empty for cpu_kernel::interleave
  std::vector<std::int32_t> unreadable;     // see transpose_tile; empty: nothing is known
  std::int64_t row_count = 1, column_count = 1;
  std::int64_t row_step = 1, column_step = 1;
  std::int64_t column_src = 0;               // from column to column in the source
  std::vector<std::int64_t> buffer_columns;  // where each column is in the buffer
  // A tile is one span of the destination, in the buffer as there: what it leaves of a line is written with the next tile.
  bool carries = false;
  std::int64_t buffer_bytes = 0;
  // For cpu_kernel::interleave, see interleave_tile. Places are columns when planes are joined, rows when they are split.
  std::vector<std::int64_t> planes;
  std::vector<byte> shuffles;
  bool joins_planes = false;
  std::vector<tile_loop> grid;  // fastest first
  std::int64_t tiles = 1;
  std::int64_t tile_bytes = 0;
  movement walked;          // for cpu_kernel::walk
  bool is_one_run = false;  // one tile of one unit, through the caches: a memcpy
  // When the destination's rows all start alike within a cache line, tiles can be shifted so that they start with lines:
  // which loop of the grid, its extent, its tile and its stride in the source; -1: none.
  int row_loop = -1;
  std::int64_t row_extent = 0, row_tile = 0, row_src = 0;
  std::int64_t first_rows = 0;  // of the first tile, when shifted; 0 otherwise
};

/// The program for a destination whose rows start `bytes` behind the start of a cache line.
/// pre: p.row_loop >= 0, 0 < bytes < 64, a multiple of the unit
program shifted(program const& p, std::int64_t bytes);

/// pre: the plan is one for a CPU, and moves something
program compile(copy_plan const& plan);

/// Called with the tiles done; false stops the run.
using tile_progress = bool (*)(void* owner, std::int64_t tiles_done);

/// post: true, or false when progress stopped it
bool run(program const& p, void const* src, void* dst, int threads, tile_progress progress, void* owner);

/// Runs tiles [begin, end) on this thread. fence() makes what was streamed visible to others.
/// pre: p is program_for(…, dst)
void run_tiles(program const& p, void const* src, void* dst, std::int64_t begin, std::int64_t end);

/// The program that run() uses for a destination at this address: p, or shifted(p, …).
program program_for(program const& p, void const* dst);

/// The whole movement by the walk kernel on this thread: slow and simple, it shares nothing with the tiled kernels.
void walk(movement const& m, void const* src, void* dst, std::int64_t begin, std::int64_t end);

}  // namespace tilewright::cpu_engine
