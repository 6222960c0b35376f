// The vector step of the tile kernel: a vector of the destination is put together from windows of the source by table
// lookups. Which bytes of which windows is found out once, when a plan is compiled; vectors that are put together in the
// same way share their tables.
//
// A vector has 64 bytes. Where the processor looks up bytes in 128 (VBMI), windows may come in pairs of 64 bytes, of which any
// byte of the vector may be taken. Anywhere windows may have 16 bytes and come in fours, one for each block of 16 bytes of the
// vector: window b of a group has bytes of block b alone. These are better for vectors whose blocks are from many lines.
#pragma once

#include "engine/kernels/cpu/tile/fetch_cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewright::cpu_engine {

/// Where one vector comes from and goes to, in bytes from the source's and the destination's pointers.
struct lookup_place {
  std::int32_t src = 0, dst = 0;
};

/// Vectors that differ in their places alone.
struct lookup_pattern {
  std::vector<std::int64_t> windows;  // from a place's source; two for each group, or four of 16 bytes
  std::vector<byte> indices;          // a vector for each group; bytes of other groups have the top bit set
  std::vector<std::uint64_t> masks;   // the bytes of each group, a bit each
  std::vector<lookup_place> places;
  bool is_plain = false;  // the bytes of the vector follow each other in the source
  bool is_odd = false;    // the last group of two windows needs its first alone
  std::int64_t groups() const { return static_cast<std::int64_t>(masks.size()); }
};

/// Vectors that repeat together: all of a block are put together from the same few windows of 64 bytes, which stay in registers meanwhile.
struct lookup_block {
  static constexpr std::int64_t max_windows = 16;
  std::vector<std::int64_t> windows;  // from a block's source, in pairs
  std::vector<byte> indices;          // for each vector, one of each pair's
  std::vector<std::uint64_t> masks;   // the same: the bytes of the vector that the pair has, a bit each
  std::vector<std::int64_t> at;       // where each vector goes, from where the block does
  std::vector<lookup_place> places;   // of the blocks
};

/// What a vector takes in the mean with windows of so many bytes: lookups, of bytes in two windows of 64 or of each block in one of 16,
/// and lines of the source that it has bytes of.
struct lookup_count {
  std::int64_t window = 16;
  double lookups = 0, lines = 0;
  static constexpr double few = 6;  // lookups whose tables stay in registers
  /// About the cycles of the lookups alone.
  double cycles() const {
    double const each = lookups > few ? 7 : window == 64 && lookups <= 2 ? 2 : 3;
    return each * lookups + (window == 64 ? 0 : lines / 3);
  }
};

/// The bytes of the widest window on this machine: 64 or 16. Where it is 64, there are both.
std::int64_t lookup_window();

/// pre: patterns have windows of `window` bytes, 64 or 16; with `streaming`, dst and all places are multiples of 64
void lookup(std::vector<lookup_pattern> const& patterns, std::int64_t window, byte const* src, byte* dst,
            bool streaming, fetch_list const& next);

void lookup(lookup_block const& block, byte const* src, byte* dst, fetch_list const& next);

/// The same byte by byte, for any windows on any machine.
void lookup_bytes(std::vector<lookup_pattern> const& patterns, std::int64_t window, byte const* src, byte* dst);
void lookup_bytes(lookup_block const& block, byte const* src, byte* dst);

}  // namespace tilewright::cpu_engine
