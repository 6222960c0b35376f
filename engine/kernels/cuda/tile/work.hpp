// What the tile kernel does for one tile, counted for some warps and steps of each side: cycles of shared memory, lines of global
// memory that its requests touch, and accesses. Together with the tile's runs this is what the time of a copy depends on
// (tile_costs.hpp).
#pragma once

#include "engine/kernels/cuda/tile/numbers.hpp"

namespace tilewright::kernels {

/// Of a tile, summed over its warps.
struct tile_work {
  struct side {
    double requests = 0;       // accesses of warps, those included whose lanes are idle
    double lines = 0;          // of 128 bytes that they touch in global memory
    double shared_cycles = 0;  // of the fullest bank, over all accesses to shared memory
    double idle = 0;           // of the lanes, as a share
  };
  side read, write;
  double instructions = 0;  // of warps, in all
};

/// Instructions of a thread for an access of so many bytes, counted in the kernel's machine code, to a few; or for one to each of
/// `packed` rows, which are transposed, estimated.
constexpr double read_instructions(int bytes, int store_bytes, int packed, bool shifted, bool tabled) {
  double const word_shift = packed > 1 ? 5 : 4, shift = shifted ? bytes == widest_bytes ? 17 : word_shift : 0;
  if (packed > 1) return 18 + packed * (3 + shift + 3.5 * bytes / word_bytes);
  return 14 + 1.5 * bytes / store_bytes + shift + (tabled ? 4 : 0);
}
/// How an access to shared memory finds the places of its elements.
enum class places {
  joined,     // the bytes follow each other
  patterned,  // equally far from the first one in all accesses (pattern.hpp)
  woven,      // so within each piece of the row, of which an access has one or two
  pieced,     // those of one piece of the row, or of two, follow each other
  even,       // equally far apart
  strided,    // so in each of two pieces of the row
  packed,     // from a table, 8 at once
  tabled,     // from a table, one by one
  counted,    // from the first one on
};
struct place_costs {
  double instructions, loads;  // for each element
};
constexpr place_costs costs_of(places how, int run_modes) {
  switch (how) {
    case places::strided: return {2, 0};
    case places::packed: return {1.5, 0.5};
    case places::tabled: return {2.5, 1};
    case places::counted: return {3.2 * run_modes, 0};
    default: return {0.2, 0};
  }
}
/// pattern: instructions that put an access together where it is patterned. What is looked up one by one, and pieces and patterns
/// of pieces, take more than their loads: counted by the hardware for 92 copies (docs/adr/0031).
constexpr double write_instructions(int bytes, int element, bool shifted, places how, int run_modes, double pattern) {
  double const each = 2 + (element < word_bytes ? 1 : 0) + costs_of(how, run_modes).instructions;
  double const by_words = (bytes == widest_bytes ? 18 : 4) + (how == places::pieced ? 58 : 0);
  if (how == places::patterned) return 20 + (shifted ? 8 : 0) + pattern + (bytes <= word_bytes ? 24 : 0);
  if (how == places::woven) return 64 + (shifted ? 8 : 0) + 2 * pattern + 4 * bytes / word_bytes;
  return 16 + (shifted ? 8 : 0) +
         (how == places::strided             ? 10
          : how == places::tabled && shifted ? 75
                                             : 0) +
         (how == places::joined || how == places::pieced ? by_words : bytes / element * each);
}
inline constexpr double end_instructions = 24;  // of an element at the end of a shifted row

/// pre: numbers_of() of a plan that passes prove()
/// cost: some 50 µs
tile_work work_of(tile_numbers const& n);

}  // namespace tilewright::kernels
