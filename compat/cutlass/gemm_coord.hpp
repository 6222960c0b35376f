// Extents of a matrix product out of a tuple: to_gemm_coord(make_shape(m, n, k)).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/layout.hpp"
#include "cutlass/gemm_coord.h"

namespace cutlass::gemm {

/// Of 1 to 3 modes a GemmCoord, of 4 a BatchedGemmCoord; modes that are missing are 1, modes of modes are their size.
template <class Tuple>
CUTLASS_HOST_DEVICE auto to_gemm_coord(Tuple tuple) {
  auto const extent = [](auto const& mode) { return static_cast<int>(cute::size(mode)); };
  auto const all = cute::append<4>(tuple, cute::Int<1>{});
  if constexpr (cute::rank(tuple) <= 3)
    return GemmCoord(extent(cute::get<0>(all)), extent(cute::get<1>(all)), extent(cute::get<2>(all)));
  else
    return BatchedGemmCoord(extent(cute::get<0>(all)), extent(cute::get<1>(all)), extent(cute::get<2>(all)),
                            extent(cute::get<3>(all)));
}

}  // namespace cutlass::gemm
