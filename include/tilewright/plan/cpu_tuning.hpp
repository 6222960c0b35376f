// The thresholds of planned copies on a CPU: how large tiles are, when something counts as long, when the caches are
// bypassed, when another thread is worth its start. The defaults were measured; none of them decides whether a copy is
// right, so tests set them small and drive every branch of every kernel with tensors of a few kilobytes.
#pragma once

#include "tilewright/base/config.hpp"

#include <cstdint>

namespace tilewright {

/// The size of a tile, all in bytes and approximate: what it writes and reads as contiguous bytes, and in all.
struct cpu_tile_shape {
  std::int64_t row_bytes = 128;
  std::int64_t column_bytes = 1024;
  std::int64_t tile_bytes = 1 << 17;
  friend bool operator==(cpu_tile_shape const&, cpu_tile_shape const&) = default;
};

/// law: every value >= 1 gives plans that are right; 0 where a comment allows it
struct cpu_tuning {
  // Tiles, by what is copied.
  cpu_tile_shape short_units{512, 512, 1 << 15};   // units that both sides share, of at most short_unit_bytes
  cpu_tile_shape lone_units{512, 4096, 1 << 15};   // the same between gaps of the destination
  cpu_tile_shape long_units{8192, 1024, 1 << 20};  // longer ones
  cpu_tile_shape joined_units{2048, 1024,
                              1 << 15};  // those that are put together in a buffer, in the order of both sides
  cpu_tile_shape whole_lines{128, 1024, 1 << 17};   // transposes that write whole cache lines, or through the caches
  cpu_tile_shape ragged_lines{2048, 512, 1 << 18};  // transposes past the caches whose rows do not end with lines
  std::int64_t long_column_bytes = 2048;            // column_bytes of whole_lines where the source is long
  std::int64_t page_column_bytes = 256;             // column_bytes where rows begin on consecutive pages
  std::int64_t short_row_bytes = 4096;              // row_bytes where a row takes at most a line from the source
  std::int64_t channel_tile_bytes = 1 << 18;        // tiles of the interleave kernel
  std::int64_t tile_source_bytes = 512;             // contiguous bytes that the tile kernel reads, about,
  std::int64_t tile_destination_bytes = 512;        // and writes, about,
  std::int64_t tile_min_bytes = 1 << 14;            // of a tile of the tile kernel
  std::int64_t tile_max_bytes = 1 << 16;
  std::int64_t few_spans = 16;                 // that the processor's prefetcher follows at a time; 0: none
  std::int64_t few_spans_source_bytes = 4096;  // the same where a tile reads no more of them than that,
  std::int64_t few_spans_destination_bytes = 128;
  std::int64_t few_spans_max_bytes = 1 << 17;
  std::int64_t few_spans_ragged_bytes = 512;      // where the spans of the destination do not start with lines
  std::int64_t ragged_source_bytes = 128;         // the same where what it writes does not start with cache lines,
  std::int64_t ragged_destination_bytes = 16384;  // so that its ends are parts of lines
  std::int64_t ragged_max_bytes = 1 << 19;
  std::int64_t carried_source_bytes = 1024;  // where such ends are written with the next tile, a tile can be short
  std::int64_t carried_destination_bytes = 256;
  std::int64_t carried_max_bytes = 1 << 16;
  std::int64_t carried_run_bytes = 2048;  // that these tiles have to add up to
  std::int64_t carried_row_bytes = 4096;  // of rows of the source that such a tile has whole,
  std::int64_t carried_row_destination_bytes = 128;
  std::int64_t carried_row_max_bytes = 1 << 17;
  std::int64_t carried_far_bytes = 4096;    // read of longer ones where the spans that are written are pages apart
  std::int64_t whole_max_bytes = 300'000;   // of such a tile that has loops of the destination whole
  std::int64_t many_times = 8;              // that the source is read: the caches have it, so tiles follow each other
  std::int64_t repeated_source_bytes = 32;  // along the destination, read as little as that
  std::int64_t repeated_destination_bytes = 1 << 15;
  std::int64_t repeated_max_bytes = 1 << 18;
  std::int64_t repeated_unit_bytes = 1 << 15;  // and of longer units so much as often as there are copies of it
  // Lookups go along the destination if the processor's prefetcher, which follows so many streams, reaches all they read then
  // (0: it does not), else along the source, if spans of both sides are so long.
  std::int64_t prefetcher_streams = 8;
  std::int64_t ordered_source_bytes = 512;
  std::int64_t ordered_destination_bytes = 1024;  // 4 times that for vectors of pieces from many places
  std::int64_t crowded_bytes = 8 << 20;           // spans of the source a power of two apart that reach further are few
  // Lookups: vectors that share a table, where that is worth loading; where fewer do, vectors start elsewhere. What is read again and
  // again of a tile stays in the nearest cache if it is read in parts of so many bytes.
  std::int64_t table_vectors = 12;
  std::int64_t pass_bytes = 1 << 14;
  std::int64_t imaged_run_bytes = 256;   // of each side's fastest loops in a tile of swizzled offsets or half bytes,
  std::int64_t imaged_min_bytes = 4096;  // which has so many at least, where it can
  std::int64_t piece_bytes = 1 << 18;    // pieces of one contiguous copy, for the threads
  std::int64_t few_sets_bytes = 1024;    // columns a multiple of this apart share few sets of the caches,
  std::int64_t few_sets_columns = 32;    // so a tile has at most so many of them

  // What counts as short or long.
  std::int64_t short_unit_bytes = 192;    // many units of this length are in flight at a time
  std::int64_t lone_unit_bytes = 256;     // between gaps of the destination: streamed without a buffer
  std::int64_t long_unit_bytes = 1024;    // the same where runs follow each other: only the ends are parts of lines
  std::int64_t imaged_unit_bytes = 256;   // that lookups into an image leave to the copying of runs
  std::int64_t block_unit_bytes = 2048;   // that lookups of blocks of 16 bytes leave to the copying of runs
  std::int64_t long_row_bytes = 1536;     // streamed though it starts within a line: its ends are parts of lines
  std::int64_t long_source_bytes = 8192;  // the prefetcher of the processor follows a run of the source beyond a tile
  std::int64_t page_bytes = 4096;         // where that prefetcher stops
  std::int64_t backward_bytes =
      1 << 17;  // tiles that are read so far apart, one before the other, are taken from the last on

  // Stores past the caches: a destination of stream_bytes and more that is stream_blocks second-level caches large.
  std::int64_t stream_bytes = 8 << 20;
  std::int64_t stream_blocks = 4;
  std::int64_t streamed_run_bytes = 256;  // shorter spans between gaps have their ends in most lines

  std::int64_t trial_bytes =
      16 << 20;  // the first few copies of so many try other plans on parts of the tensor; 0: none does

  // Threads and reports.
  std::int64_t thread_bytes = 1 << 20;   // that make another thread worth its start
  std::int64_t report_bytes = 4 << 20;   // between two calls of a progress callback
  std::int64_t walk_elements = 1 << 14;  // of a thread's share, when elements move one by one

  // Inside the kernels.
  std::int64_t strip_bytes = 64;              // of columns that an image is put together from a few rows at a time,
  std::int64_t strip_rows = 8;                // so many; at least a vector, of units of 1 and 2 bytes a block
  std::int64_t gathered_rows = 128;           // rows that a transpose gathers at once; 128 at most, a vector's at least
  std::int64_t near_columns_bytes = 1 << 14;  // columns within so many stay in the nearest cache between two blocks
  std::int64_t prefetch_bytes = 256;          // how far ahead a long source is fetched; 0: the next tile is fetched
  std::int64_t short_near_bytes = 512;      // shorter units through the caches are fetched at their ends, a tile ahead,
  std::int64_t fetched_ahead_bytes = 1536;  // others line by line so far ahead; 0: not at all
  std::int64_t called_unit_bytes = 8192;    // units of so many and more are copied by calls, shorter ones in place
  std::int64_t streamed_copy_bytes = 128;   // shorter runs are written through the caches
  std::int64_t interleave_piece_bytes =
      12288;  // that the interleave kernel buffers; at most so many, a line's at least
  friend bool operator==(cpu_tuning const&, cpu_tuning const&) = default;
};

}  // namespace tilewright
