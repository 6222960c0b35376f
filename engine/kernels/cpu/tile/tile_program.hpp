// A tile of a plan, made ready to run: which spans of the source it reads, which spans of the destination it writes, and
// how the bytes between get into order. A tile that is clipped at the end of a loop has tables of its own.
#pragma once

#include "engine/cpu/kernels.hpp"
#include "engine/kernels/cpu/tile/lookup.hpp"
#include "engine/kernels/cpu/tile/spans.hpp"
#include "engine/kernels/cpu/tile_cursor.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <cstdint>
#include <vector>

namespace tilewright::cpu_engine {

/// Transposes of one shape, see transpose_tile: one for each place.
struct transpose_steps {
  std::vector<std::int64_t> rows, columns;
  std::vector<transpose_place> places;
  int unit = 0;                          // bytes; 0: there are none
  std::vector<std::int32_t> unreadable;  // see transpose_tile
  bool columns_follow = false, strips = false;
};

/// A part of a line at an end of a span of the destination.
struct span_end {
  std::int64_t dst = 0, bytes = 0;
};

/// All offsets in bytes from where the tile starts, or into an image of the source or of the destination.
struct tile_tables {
  std::vector<std::int64_t> src_spans, dst_spans;  // where each span starts
  std::int64_t src_span_bytes = 0, dst_span_bytes = 0;
  std::int64_t pitch = 0;      // from span to span in the image of the source
  std::int64_t dst_pitch = 0;  // the same of the destination; 0: without gaps
  std::vector<lookup_pattern> patterns;
  lookup_block block;  // in place of patterns, if it has places
  // Where spans do not start with lines: patterns has their whole lines, provided that the tile starts `phase` bytes behind
  // the start of one, and what is before and behind these is put together in the image, 64 bytes for each end.
  std::int64_t phase = 0;
  std::vector<lookup_pattern> end_patterns;
  std::vector<span_end> ends;
  transpose_steps transposes;
  std::vector<lookup_pattern>
      gathers;                 // of the image between that the patterns or transposes read; empty: they read the source
  bool stages_source = false;  // spans are read into an image first
  bool stages_destination = false;  // what is written is put together in an image first
  std::int64_t lines_a_step = 1;    // of the next tile, to fetch for each vector of this one
  bool is_reached = false;          // the processor's prefetcher has what the lookups read on its way
};

struct tile_program {
  std::vector<tile_step> grid;        // fastest first, in bytes
  std::vector<tile_tables> variants;  // by which loops are at a clipped end, a bit each; for each of these, by phase
  // Where tiles start within a line, if lines are written around it: first_phase and every phase_step bytes from there.
  std::int64_t phases = 1, first_phase = 0, phase_step = 64;
  std::int64_t tiles = 0, tile_bytes = 0;
  std::int64_t src_base = 0, dst_base = 0;
  std::int64_t window = 0, gather_window = 0;  // of its lookups
  cpu_tuning tuning{};
  bool streaming = false;
  bool carries =
      false;  // what a tile leaves of a line at the ends of its spans is written with the next of the fastest loop
  std::int64_t dst_pitch = 0;                                                       // of the image that carries
  std::int64_t src_image_bytes = 0, gathered_image_bytes = 0, dst_image_bytes = 0;  // multiples of 64
};

/// pre: the plan's schedule is a cpu_schedule of the tile kernel
/// cost: O(bytes of a tile), for each variant
tile_program compile_tiles(copy_plan const& plan);

/// What a vector of the plan's tile takes with windows of at most so many bytes (lookup_window()), by a few vectors of it.
lookup_count lookups_per_vector(copy_plan const& plan, std::int64_t widest);

/// The same in two steps: what a vector of an image between takes, whose elements are in the order of these loops, and what one of the
/// destination takes from there.
struct lookups_in_two_steps {
  lookup_count gathers, patterns;
};
lookups_in_two_steps lookups_per_vector(copy_plan const& plan, std::int64_t widest,
                                        std::vector<int> const& gather_loops);

/// Runs the tiles [begin, end) with the calling thread.
void run_tiles(tile_program const& p, byte const* src, byte* dst, std::int64_t begin, std::int64_t end);

}  // namespace tilewright::cpu_engine
