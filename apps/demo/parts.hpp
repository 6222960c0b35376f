// The two parts of the demonstration, for the command's verb demo and for the programs that `./run demo` builds first.
#pragma once

#include <cstddef>

namespace tilewright::cli {

/// The example programs of the demonstration, one after another. post: whether all of them came out right
bool show_programs();

/// Large copies next to memcpy, what the figures mean, and what to try next. post: whether all elements arrived
/// pre: extent is a multiple of matrix_granule, bytes one of vector_granule
bool show_large_copies(int extent, std::size_t bytes);

}  // namespace tilewright::cli
