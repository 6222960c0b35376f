// What chooses layouts of shared memory and TMA copies for the operands of a warpgroup's products (sm_90).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/copy_traits_sm90_tma.hpp"
#include "cute/atom/mma_traits_sm90_gmma.hpp"
#include "cutlass/arch/arch.h"
#include "cutlass/cutlass.h"
#include "cutlass/detail/layout.hpp"

namespace cutlass::gemm::collective::detail {

/// The layout with the widest swizzle whose atom divides a tile of (BLK_MN, BLK_K).
template <cute::GMMA::Major major, class ElementType, class BLK_MN, class BLK_K>
CUTLASS_HOST_DEVICE constexpr auto ss_smem_selector() {
  using namespace cute;
  constexpr int mn = size<0>(BLK_MN{}), k = size<0>(BLK_K{}), along = major == GMMA::Major::MN ? mn : k;
  constexpr int across = major == GMMA::Major::MN ? k : mn;
  static_assert(across % 8 == 0, "ss_smem_selector: the tile's other extent must be a multiple of 8");
  constexpr int row_bits = sizeof_bits_v<ElementType> * along;
  static_assert(row_bits % 128 == 0, "ss_smem_selector: rows of the tile must be a multiple of 16 bytes");
  if constexpr (row_bits % 1024 == 0) return GMMA::Layout_SW128_Atom<ElementType, major>{};
  else if constexpr (row_bits % 512 == 0) return GMMA::Layout_SW64_Atom<ElementType, major>{};
  else if constexpr (row_bits % 256 == 0) return GMMA::Layout_SW32_Atom<ElementType, major>{};
  else return GMMA::Layout_INTER_Atom<ElementType, major>{};
}

/// The TMA load of one operand, whose tile the blocks of so many of the cluster's rows or columns share.
template <class UnimodalClusterShape>
CUTLASS_HOST_DEVICE constexpr auto sm90_cluster_shape_to_tma_atom(UnimodalClusterShape) {
  if constexpr (cute::size(UnimodalClusterShape{}) == 1) return cute::SM90_TMA_LOAD{};
  else return cute::SM90_TMA_LOAD_MULTICAST{};
}

}  // namespace cutlass::gemm::collective::detail
