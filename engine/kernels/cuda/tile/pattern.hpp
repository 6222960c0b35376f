// Accesses of the destination whose elements are equally placed in shared memory, whichever access it is: those of pixel shuffles,
// interleaved planes and permuted bits.
//
//   a row of modes (2,460):(3680,1), bytes, accesses of 16: the elements of each are at 0, 3680, 1, 3681, … from its first one. A
//   thread loads 8 bytes of either plane and permutes them in registers, in place of 16 loads of a byte
#pragma once

#include <vector>

namespace tilewright::kernels {

/// What a row has of a mode, in shared memory.
struct placed_mode {
  int extent = 1, place = 0;
  bool flipped = false;  // the last coordinate has place 0
};

struct access_pattern {
  bool exists = false;
  int inside = 1;            // elements of the modes that an access has whole, before the one that it has a part of
  int step = 0;              // bytes between coordinates of that one
  std::vector<int> offsets;  // of each element from the access's first one, in bytes
  // How they are loaded: so many bytes at once, 0: one by one; each from a multiple of as many bytes, or words from anywhere.
  // slides: accesses begin up to 3 bytes after such a multiple, and all elements are within the same words nevertheless.
  int unit = 0;
  bool is_aligned = false, slides = false;
  std::vector<int> units;       // where each begins, from the access's first place
  std::vector<int> word, byte;  // of each element: which of all loaded words has it, and from which byte on
  double instructions = 0;      // of a thread: loads, shifts and permutations
};

/// modes: of a row of the destination; vector: elements of an access; element: bytes
/// begins: elements that divide the first one of every access, a multiple of `vector` unless rows begin anywhere
/// rows: the modes that tell rows apart
/// alignment: bytes, a power of two, that divides what else is added to places
/// post: exists if the elements of all accesses are equally far from the first one
access_pattern pattern_of(std::vector<placed_mode> const& modes, int vector, int element, int begins,
                          std::vector<placed_mode> const& rows, int alignment);

/// Rows of pieces: within one of `elements`, accesses that are not cut off by its end have one pattern.
struct piece_pattern {
  access_pattern pattern;
  int modes = 0, elements = 0;  // of a piece
  int first = 0;                // the place of its first element, less that of its lowest coordinates
};
/// post: pattern.exists if a piece has no fewer elements than an access, and the row has several
piece_pattern pattern_of_pieces(std::vector<placed_mode> const& modes, int vector, int element, int begins,
                                std::vector<placed_mode> const& rows, int alignment);

/// What the planner weighs and the kernel does: the pattern of all accesses, with no modes of a piece; or, of small elements, that
/// within pieces where these are loaded by words.
piece_pattern pattern_of_accesses(std::vector<placed_mode> const& modes, int vector, int element, int begins,
                                  std::vector<placed_mode> const& rows, int alignment);

}  // namespace tilewright::kernels
