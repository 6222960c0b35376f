// The layouts of matrices, plain and swizzled for tensor operations: chunks of 16 bytes are moved by an exclusive or with
// the number of their row.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/swizzle.hpp"
#include "cutlass/layout/matrix.h"
#include "cutlass/numeric_types.h"

namespace cutlass::layout {

/// K fastest, Crosswise elements of K in a row of 128 bytes. The 8 chunks of a row move by the row modulo 8.
/// pre: Crosswise * ElementSize == 1024
template <int ElementSize, int Crosswise>
struct RowMajorTensorOpMultiplicandCrosswise : detail::pitch_linear<true> {
  static_assert(Crosswise * ElementSize == 1024, "RowMajorTensorOpMultiplicandCrosswise: a row has 128 bytes");
  using detail::pitch_linear<true>::pitch_linear;
  static constexpr int chunk_bits = tilewright::math::countr_zero(static_cast<unsigned long long>(128 / ElementSize));
  using Swizzle = tilewright::Swizzle<3, chunk_bits, 3>;
  CUTLASS_HOST_DEVICE static constexpr RowMajorTensorOpMultiplicandCrosswise packed(MatrixCoord const& extent) {
    return RowMajorTensorOpMultiplicandCrosswise(extent.column());
  }
  CUTLASS_HOST_DEVICE constexpr std::int64_t operator()(MatrixCoord const& at) const {
    int const tile = at.column() / Crosswise, within = at.column() % Crosswise;
    return Swizzle::apply(static_cast<std::int64_t>(at.row()) * Crosswise + within) + tile * Crosswise * stride_;
  }
};

/// M fastest. The chunks of each Crosswise elements of a column move by the column modulo 8.
template <int ElementSize, int Crosswise>
struct ColumnMajorTensorOpMultiplicandCongruous : detail::pitch_linear<false> {
  static_assert(Crosswise * ElementSize == 1024, "ColumnMajorTensorOpMultiplicandCongruous: a row has 128 bytes");
  using detail::pitch_linear<false>::pitch_linear;
  static constexpr int chunk = 128 / ElementSize;
  CUTLASS_HOST_DEVICE static constexpr ColumnMajorTensorOpMultiplicandCongruous packed(MatrixCoord const& extent) {
    return ColumnMajorTensorOpMultiplicandCongruous(extent.row());
  }
  CUTLASS_HOST_DEVICE constexpr std::int64_t operator()(MatrixCoord const& at) const {
    int const moved = (at.row() / chunk % 8) ^ (at.column() % 8);
    int const row = at.row() / Crosswise * Crosswise + moved * chunk + at.row() % chunk;
    return at.column() * stride_ + row;
  }
};

}  // namespace cutlass::layout
