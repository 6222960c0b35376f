// How epilogues partition a tile of the result: in parts that go through registers one after another, each as a tiled copy says.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/epilogue/fusion/operations.hpp"
#include "cutlass/epilogue/fusion/sm90_visitors.hpp"

namespace cutlass::epilogue::fusion {

/// This thread's elements of a tile (CTA_M, CTA_N, …) in parts of epi_tile (EPI_TILE_M, EPI_TILE_N):
/// (CPY, CPY_M, CPY_N, EPI_M, EPI_N, …), as the source of the copy has them, or as its destination.
template <bool ReferenceSrc, class CtaTileMN, class EpilogueTile, class TiledCopy>
CUTLASS_HOST_DEVICE constexpr auto sm90_partition_for_epilogue(CtaTileMN cT, EpilogueTile epi_tile,
                                                               TiledCopy tiled_copy, int thread_idx) {
  auto const parts = cute::flat_divide(cT, epi_tile);  // (EPI_TILE_M, EPI_TILE_N, EPI_M, EPI_N, …)
  auto const thread = tiled_copy.get_slice(thread_idx);
  if constexpr (ReferenceSrc) return thread.partition_S(parts);
  else return thread.partition_D(parts);
}
/// The same of tile tile_coord_mnkl of a tensor (M, N, L): (CPY, CPY_M, CPY_N, EPI_M, EPI_N).
template <bool ReferenceSrc, class Engine, class LayoutMNL, class TileShapeMNK, class TileCoordMNKL, class EpilogueTile,
          class TiledCopy>
CUTLASS_HOST_DEVICE constexpr auto sm90_partition_for_epilogue(cute::Tensor<Engine, LayoutMNL> mT,
                                                               TileShapeMNK tile_shape_mnk,
                                                               TileCoordMNKL tile_coord_mnkl, EpilogueTile epi_tile,
                                                               TiledCopy tiled_copy, int thread_idx) {
  auto const [m, n, k, l] = tile_coord_mnkl;
  auto const tile =
      cute::local_tile(mT, cute::take<0, 2>(tile_shape_mnk), cute::make_coord(m, n, l));  // (CTA_M, CTA_N)
  return sm90_partition_for_epilogue<ReferenceSrc>(tile, epi_tile, tiled_copy, thread_idx);
}

}  // namespace cutlass::epilogue::fusion
