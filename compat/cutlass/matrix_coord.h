// A position in a matrix: row and column.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/coord.h"

namespace cutlass {

struct MatrixCoord : Coord<2, int> {
  using Base = Coord<2, int>;

  constexpr MatrixCoord() = default;
  CUTLASS_HOST_DEVICE constexpr MatrixCoord(Base const& coord) : Base(coord) {}
  CUTLASS_HOST_DEVICE constexpr MatrixCoord(int row, int column) : Base({row, column}) {}
  CUTLASS_HOST_DEVICE constexpr int const& row() const { return idx[0]; }
  CUTLASS_HOST_DEVICE constexpr int& row() { return idx[0]; }
  CUTLASS_HOST_DEVICE constexpr int const& column() const { return idx[1]; }
  CUTLASS_HOST_DEVICE constexpr int& column() { return idx[1]; }
};

}  // namespace cutlass
