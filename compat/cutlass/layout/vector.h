// The layout of a vector as a functor: element i at i.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/coord.h"

namespace cutlass::layout {

struct PackedVectorLayout {
  static constexpr int kRank = 1, kStrideRank = 1;
  using Index = int;
  using LongIndex = std::int64_t;
  using TensorCoord = Coord<kRank, Index>;
  using Stride = Coord<kStrideRank, LongIndex>;

  constexpr PackedVectorLayout() = default;
  CUTLASS_HOST_DEVICE static constexpr PackedVectorLayout packed(TensorCoord const&) { return {}; }
  CUTLASS_HOST_DEVICE constexpr LongIndex operator()(TensorCoord const& at) const { return at[0]; }
  CUTLASS_HOST_DEVICE constexpr Stride stride() const { return make_Coord(LongIndex(1)); }
  CUTLASS_HOST_DEVICE constexpr LongIndex stride(int) const { return 1; }
  CUTLASS_HOST_DEVICE constexpr LongIndex capacity(TensorCoord const& extent) const { return extent[0]; }
};

}  // namespace cutlass::layout
