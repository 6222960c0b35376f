// The numbers that the tile kernel (body.hpp) is compiled with, worked out from a plan: in bytes, with the tables' places in
// shared memory. text.cpp prints them as the kernel's constants; tests run the kernel's body on a CPU with them.
#pragma once

#include "engine/kernels/cuda/tile/pattern.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::kernels {

inline constexpr int word_bytes = 4, widest_bytes = 16;   // of accesses to memory
inline constexpr int granule_bytes = 16;                  // of asynchronous copies (body_pipelined.hpp)
inline constexpr std::int64_t max_place = (1 << 16) - 1;  // that a table's 16 bits hold

struct tile_numbers {
  /// A mode of a row, or one that tells rows apart.
  struct mode {
    int extent = 1;
    std::int64_t step = 0;  // in memory
    int place = 0;          // in shared memory
    bool flipped = false;   // runs backwards in the source: the last coordinate has place 0
    int limit = -1;         // the loop is not a whole number of tiles
  };
  struct side {
    bool is_target = false, shifted = false, tabled_rows = false, tabled_places = false;
    bool counted = false;  // an access's places are counted on from its first; else from the table or equally far apart
    bool joined = false;   // a row's elements follow each other in shared memory too, where rows begin at multiples of
    int joined_alignment = 1;  // so many bytes, up to 16
    bool strided = false;      // place_step elements of a row, no fewer than an access has, are equally far apart there
    bool pieced = false;  // place_step elements of a row, no fewer than an access has, follow each other there, perhaps
                          // backwards, or are one
    bool patterned = false;       // the elements of all accesses are equally far from the first one
    bool pattern_pieces = false;  // so they are within each piece of place_step elements, through so many modes
    int piece_modes = 0, piece_first = 0;
    access_pattern pattern;
    int place_step = 1;  // elements between those in the table, which has table_length of them: a period, after which
    int period = 1, period_place = 0, table_length = 0;  // places are so many bytes further
    // Threads next to each other look up entries a vector apart: a gap after each vector of entries, or two halves of the table
    // with 8 of each 16 entries, lets them meet different banks.
    int table_gap = 0;
    bool halved_table = false;
    int vector = 1, rows = 1, accesses = 1, lanes = 1, row_lanes = 1, at_once = 1;
    int run_length = 1, run_step = 1;   // elements; bytes between them
    int run_limit = -1, run_inner = 1;  // a row that is cut off has left[run_limit] * run_inner elements
    // Rows along the first row mode that a thread reads together, how many there are in all, and bytes between them in memory.
    int packed = 1, packed_extent = 1, packed_limit = -1;
    std::int64_t packed_step = 0;
    int rows_at = 0, places_at = 0;          // the tables
    std::vector<mode> run_modes, row_modes;  // at least one of the run

    /// Of a table of single elements: do all accesses begin with a vector of its entries?
    bool looks_up_vectors() const { return !shifted && vector > 1 && (period >= run_length || period % vector == 0); }
  };
  struct grid_mode {
    unsigned extent = 1;
    std::int64_t src = 0, dst = 0;
    int limit = -1;
    bool cuts_row = false;  // tiles along it have parts of one row of the destination
  };
  struct limit {
    int tile = 1, last = 1;     // coordinates of a whole tile and of the last one
    std::int64_t src_step = 0;  // where the loop runs backwards in the source: its stride and place
    int place = 0;
  };

  int element = 1, threads = 1, store_bytes = 1, shared_bytes = 0;
  // Of blocks that stay (body_pipelined.hpp): tiles in shared memory, and granules and accesses of a thread.
  int stages = 0, stage_bytes = 0, max_reads = 0, max_writes = 0;
  int lead = 0;  // of shared memory before the tile, which reads may touch
  std::int64_t tiles = 1;
  bool evict_source_last = false, wide = false;  // wide: offsets of rows need 64 bits
  cuda_fetch fetch = cuda_fetch::none;
  std::int64_t src_begin = 0, dst_begin = 0;  // of the first tile
  std::int64_t src_low = 0, src_high = 0;     // bytes of the source that may be read
  std::int64_t src_span = 0;                  // of a tile in the source
  side read, write;
  std::vector<grid_mode> modes;
  std::vector<limit> limits;
};

/// pre: the schedule is one of the tile kernel
tile_numbers numbers_of(copy_plan const& plan);

/// The struct `shape` that tile_copy is instantiated with.
std::string shape_text(tile_numbers const& n);

}  // namespace tilewright::kernels
