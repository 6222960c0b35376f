// What a thread does with a tile of which one side has the channels of each place side by side, and the other a plane
// for each channel: pixels of a few colours, complex numbers. Compiled for every instruction set and chosen at run time.
#pragma once

#include "engine/cpu/kernels.hpp"

#include <vector>

namespace tilewright::cpu_engine {

constexpr int max_channels = 8;

/// Unit (place p, channel c) is at (p·channels + c)·unit on one side and at planes[c] + p·unit on the other, in bytes.
struct interleave_tile {
  byte const* src = nullptr;
  byte* dst = nullptr;
  std::int64_t const* planes = nullptr;  // of the source when planes are joined, of the destination when they are split
  byte const* shuffles = nullptr;        // see interleave_shuffles()
  std::int64_t places = 0;
  std::int64_t unit = 1;
  int channels = 2;
  bool joins = false;                // planes of the source into one destination; else one source into planes
  bool streaming = false;            // whole lines of the destination are written past the caches
  std::int64_t piece_bytes = 12288;  // by way of a buffer of so many bytes: at most that, a line of each plane at least
};

/// pre: 2 <= channels <= max_channels; unit is 1, 2, 4, 8 or 16
void interleave(interleave_tile const& tile);

/// What interleave() needs to know about the bytes: channels × channels tables of 16 indices; table (k, c) says which
/// bytes of the c-th block of one side go to the k-th of the other, the rest being 0x80.
std::vector<byte> interleave_shuffles(int channels, std::int64_t unit, bool joins);

}  // namespace tilewright::cpu_engine
