// Copies of large tensors on all cores, planned or by kernels of tiled copies, each measured next to a memcpy of as many bytes by as many threads.
#pragma once

#include "apps/cli/progress.hpp"

#include <cstddef>

namespace tilewright::cli {

struct measurement {
  std::size_t bytes = 0;      // of the tensor; twice as many move, read and written
  double seconds = 0;         // of the fastest run
  double memcpy_seconds = 0;  // the same
  long long wrong = 0;        // elements that differ after the last copy
};

/// The extents of a matrix are multiples of this.
inline constexpr int matrix_granule = 256;
/// The size of a vector is a multiple of this.
inline constexpr std::size_t vector_granule = std::size_t{1} << 20;  // bytes

enum class copied_by { plan, tiled_kernel };

/// A square row-major matrix of floats into a column-major one.
/// pre: extent > 0, a multiple of matrix_granule
measurement transpose_matrix(int extent, copied_by how, progress& shown);

/// A vector of 32-bit integers into another.
/// pre: bytes > 0, a multiple of vector_granule
measurement copy_vector(std::size_t bytes, progress& shown);

}  // namespace tilewright::cli
