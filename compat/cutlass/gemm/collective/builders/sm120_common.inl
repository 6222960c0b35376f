// What chooses layouts of shared memory and the order of columns for the warp's matrix operations of sm_120, whose operands are
// contiguous along K.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/mma_traits_sm120.hpp"
#include "cute/atom/mma_traits_sm120_sparse.hpp"
#include "cutlass/gemm/collective/builders/sm100_common.inl"

namespace cutlass::gemm::collective::detail {

template <class ElementType, int RowBits>
CUTLASS_HOST_DEVICE constexpr void check_sm120_rows() {
  static_assert(cute::sizeof_bits_v<ElementType> == 4 || cute::sizeof_bits_v<ElementType> == 8,
                "sm120_rr_smem_selector: the elements must have 4 or 8 bits; those of 6 take a byte each");
  static_assert(RowBits % 128 == 0, "sm120_rr_smem_selector: rows of the tile must be a multiple of 16 bytes");
}

/// The layout with the widest swizzle whose atom divides rows of MajorSize elements.
template <class ElementType, class MajorSize>
CUTLASS_HOST_DEVICE constexpr auto sm120_rr_smem_selector() {
  constexpr int row_bits = cute::sizeof_bits_v<ElementType> * MajorSize::value;
  check_sm120_rows<ElementType, row_bits>();
  return widest_swizzle<cute::GMMA::Major::K, ElementType, row_bits>();
}
/// The same of a sparse A, of which 1 of Sparsity elements is stored.
template <class ElementType, class MajorSize, class Sparsity>
CUTLASS_HOST_DEVICE constexpr auto sm120_rr_smem_selector_sparse() {
  using namespace cute;
  constexpr int sparsity = Sparsity::value, row_bits = sizeof_bits_v<ElementType> * MajorSize::value / sparsity;
  check_sm120_rows<ElementType, row_bits>();
  if constexpr (row_bits % 1024 == 0) return GMMA::Layout_K_SW128_SpAtom<ElementType, sparsity>{};
  else if constexpr (row_bits % 512 == 0) return GMMA::Layout_K_SW64_SpAtom<ElementType, sparsity>{};
  else if constexpr (row_bits % 256 == 0) return GMMA::Layout_K_SW32_SpAtom<ElementType, sparsity>{};
  else return GMMA::Layout_K_INTER_SpAtom<ElementType, sparsity>{};
}

/// The order of the columns of a tile whose factors are for SFVectorSize elements: in tiles of 32 and more the second and the third
/// eight columns of each 32 change places.
template <int SFVectorSize, int TileShapeN = 32>
CUTLASS_HOST_DEVICE constexpr auto sm120_tile_n_permute_selector() {
  using namespace cute;
  static_assert(SFVectorSize == 16 || SFVectorSize == 32,
                "sm120_tile_n_permute_selector: a factor is for 16 or 32 elements");
  static_assert(TileShapeN >= 32 || TileShapeN == 16 || TileShapeN == 8,
                "sm120_tile_n_permute_selector: the tile has 8, 16, or 32 and more columns");
  if constexpr (TileShapeN >= 32) return Layout<Shape<_8, _2, _2>, Stride<_1, _16, _8>>{};
  else if constexpr (TileShapeN == 16) return Layout<Shape<_8, _2>, Stride<_1, _8>>{};
  else return Layout<Shape<_8>, Stride<_1>>{};
}

}  // namespace cutlass::gemm::collective::detail
