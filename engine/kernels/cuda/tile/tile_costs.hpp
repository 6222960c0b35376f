// The constants of what a tile is expected to cost, in shares of a plain copy's time. fitted_costs.hpp has their values.
#pragma once

namespace tilewright::kernels {

struct tile_costs {
  char const* fit;                          // the machine and the measurements that the values were fitted to
  double src_pieces, dst_pieces, fall;      // of pieces of one line; longer ones have less of it by this power
  double apart;                             // more where tiles are far apart
  double best_tile_bytes, smaller, larger;  // for each squared power of two that a tile is off
  double src_cut, dst_cut;                  // of a sector that a piece shares with its neighbour
  double overhang;                          // of what is beyond the tensor's end
  double instruction, shared_cycle, line;   // of a tile's work (work.hpp), for each byte of the tile
  double enough_warps, few_warps;           // of a processor; for each halving below so many
  double large_tile_bytes, large_tile;      // beyond so many bytes, for each squared power of two
  double pressed;                           // of what instructions and shared memory take beyond the time of memory
  double pipelined_bytes, pipelined, pipelined_words;  // of blocks that stay; of 8 bits, 16 bits, more
  double one_pipeline;                                 // more, where a multiprocessor has one such block
  double fetched_row_bytes;                            // where sectors of rows no longer than that are fetched first:
  double fetched_tile_bytes, fetched_larger;           // beyond so many bytes, for each power of two
  double fetched_cut;                                  // of rows that are cut
};

}  // namespace tilewright::kernels
