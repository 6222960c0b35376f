// The extents of a matrix as a type.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/matrix_coord.h"

namespace cutlass {

template <int Row, int Column>
struct MatrixShape {
  static constexpr int kRow = Row;
  static constexpr int kColumn = Column;
  static constexpr int kCount = Row * Column;
  CUTLASS_HOST_DEVICE static constexpr Coord<2> toCoord() { return make_Coord(Row, Column); }
};

}  // namespace cutlass
