// How many lanes of a warp read a row: what the body, the schedule and the proof of the realigned kernel agree on.
#pragma once

#include "tilewright/base/config.hpp"

namespace tilewright::kernels {

inline constexpr int row_vector_bytes = 8;

TILEWRIGHT_CONSTEXPR int row_vectors_of(int row_bytes) { return (row_bytes + row_vector_bytes - 1) / row_vector_bytes; }

/// Of a row of so many bytes. One of them reads what the last but one shifts in.
TILEWRIGHT_CONSTEXPR int row_lanes_of(int row_bytes) {
  int const vectors = row_vectors_of(row_bytes);
  return vectors < 8 ? 8 : vectors < 16 ? 16 : 32;
}

}  // namespace tilewright::kernels
