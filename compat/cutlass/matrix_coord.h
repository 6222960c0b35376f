// A position in a matrix: row and column.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

namespace cutlass {

/// pre: N is 2 here
struct MatrixCoord {
  using Index = int;
  using LongIndex = std::int64_t;
  int idx[2]{};

  constexpr MatrixCoord() = default;
  CUTLASS_HOST_DEVICE constexpr MatrixCoord(int row, int column) : idx{row, column} {}
  CUTLASS_HOST_DEVICE constexpr int const& row() const { return idx[0]; }
  CUTLASS_HOST_DEVICE constexpr int& row() { return idx[0]; }
  CUTLASS_HOST_DEVICE constexpr int const& column() const { return idx[1]; }
  CUTLASS_HOST_DEVICE constexpr int& column() { return idx[1]; }
  CUTLASS_HOST_DEVICE constexpr int const& operator[](int i) const { return idx[i]; }
  friend constexpr bool operator==(MatrixCoord const&, MatrixCoord const&) = default;
};
CUTLASS_HOST_DEVICE constexpr MatrixCoord make_Coord(int row, int column) { return {row, column}; }

}  // namespace cutlass
