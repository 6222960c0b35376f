// CUTLASS's layouts of matrices as functors: row-major and column-major with a leading dimension.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/array.h"
#include "cutlass/coord.h"
#include "cutlass/fast_math.h"
#include "cutlass/matrix_coord.h"

namespace cutlass::layout {

namespace detail {
/// ColumnFast: neighbours of a row are neighbours in memory.
template <bool ColumnFast>
struct pitch_linear {
  static constexpr int kRank = 2, kStrideRank = 1;
  using Index = int;
  using LongIndex = std::int64_t;
  using TensorCoord = MatrixCoord;
  using Stride = Coord<kStrideRank, LongIndex>;
  LongIndex stride_ = 0;

  constexpr pitch_linear() = default;
  CUTLASS_HOST_DEVICE constexpr pitch_linear(LongIndex leading) : stride_(leading) {}
  CUTLASS_HOST_DEVICE constexpr pitch_linear(Stride const& leading) : stride_(leading[0]) {}
  CUTLASS_HOST_DEVICE constexpr LongIndex operator()(MatrixCoord const& at) const {
    return ColumnFast ? at.row() * stride_ + at.column() : at.column() * stride_ + at.row();
  }
  /// The coordinate at an offset.
  /// pre: the leading dimension is not 0
  CUTLASS_HOST_DEVICE constexpr MatrixCoord inverse(LongIndex offset) const {
    auto const slow = static_cast<Index>(offset / stride_), fast = static_cast<Index>(offset % stride_);
    return ColumnFast ? MatrixCoord(slow, fast) : MatrixCoord(fast, slow);
  }
  CUTLASS_HOST_DEVICE constexpr Stride stride() const { return make_Coord(stride_); }
  CUTLASS_HOST_DEVICE constexpr LongIndex stride(int) const { return stride_; }
  CUTLASS_HOST_DEVICE constexpr LongIndex& stride(int) { return stride_; }
  CUTLASS_HOST_DEVICE constexpr LongIndex capacity(MatrixCoord const& extent) const {
    return stride_ * (ColumnFast ? extent.row() : extent.column());
  }
};
}  // namespace detail

struct RowMajor : detail::pitch_linear<true> {
  using detail::pitch_linear<true>::pitch_linear;
  CUTLASS_HOST_DEVICE static constexpr RowMajor packed(MatrixCoord const& extent) { return RowMajor(extent.column()); }
};
struct ColumnMajor : detail::pitch_linear<false> {
  using detail::pitch_linear<false>::pitch_linear;
  CUTLASS_HOST_DEVICE static constexpr ColumnMajor packed(MatrixCoord const& extent) {
    return ColumnMajor(extent.row());
  }
};
enum class Matrix { kColumnMajor, kRowMajor };

/// The layout of the transpose in the same memory.
template <class Layout>
struct LayoutTranspose;
template <>
struct LayoutTranspose<RowMajor> {
  using type = ColumnMajor;
};
template <>
struct LayoutTranspose<ColumnMajor> {
  using type = RowMajor;
};

}  // namespace cutlass::layout
