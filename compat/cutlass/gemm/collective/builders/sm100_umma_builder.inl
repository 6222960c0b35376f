// The builder of the parts of main loops for sm_100: out of elements, layouts and tile it chooses the operation, the layouts of shared
// memory and the loads.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/arch.h"
#include "cutlass/arch/mma.h"
#include "cutlass/gemm/collective/builders/sm100_common.inl"
#include "cutlass/gemm/collective/builders/sm90_gmma_builder.inl"
#include "cutlass/gemm/collective/collective_builder_decl.hpp"
#include "cutlass/gemm/collective/sm100_mma_warpspecialized.hpp"

namespace cutlass::gemm::collective::detail {

template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementAccumulator, class TileShape,
          class ClusterShape, class StageCountType, bool TwoBlocks>
struct sm100_tma_builder {
  using StrideA = cutlass::detail::TagToStrideA_t<LayoutA>;
  using StrideB = cutlass::detail::TagToStrideB_t<LayoutB>;
  using MmaA = std::conditional_t<std::is_same_v<ElementA, float>, tfloat32_t, ElementA>;
  using MmaB = std::conditional_t<std::is_same_v<ElementB, float>, tfloat32_t, ElementB>;
  static constexpr cute::UMMA::Major UmmaMajorA =
      cutlass::detail::is_major<0>(StrideA{}) ? cute::UMMA::Major::MN : cute::UMMA::Major::K;
  static constexpr cute::UMMA::Major UmmaMajorB =
      cutlass::detail::is_major<0>(StrideB{}) ? cute::UMMA::Major::MN : cute::UMMA::Major::K;
  static constexpr auto mma() {
    if constexpr (TwoBlocks)
      return sm100_make_2sm_trivial_tiled_mma<MmaA, MmaB, ElementAccumulator, TileShape, ClusterShape, UmmaMajorA,
                                              UmmaMajorB>();
    else
      return sm100_make_1sm_trivial_tiled_mma<MmaA, MmaB, ElementAccumulator, TileShape, ClusterShape, UmmaMajorA,
                                              UmmaMajorB>();
  }
  using TiledMma = decltype(mma());
  static constexpr int blocks = TwoBlocks ? 2 : 1;
  using AtomThrID = cute::Layout<cute::Int<blocks>>;
  using GmemTiledCopyA = decltype(sm100_cluster_shape_to_tma_atom_A(ClusterShape{}, AtomThrID{}));
  using GmemTiledCopyB = decltype(sm100_cluster_shape_to_tma_atom_B(ClusterShape{}, AtomThrID{}));
  using BlockTileA_M = decltype(cute::Int<static_cast<int>(cute::size<0>(TileShape{})) / blocks>{});
  using BlockTileB_N = decltype(cute::Int<static_cast<int>(cute::size<1>(TileShape{})) / blocks>{});
  using BlockTile_K = decltype(cute::Int<static_cast<int>(cute::size<2>(TileShape{}))>{});
  using SmemLayoutAtomA = decltype(sm100_smem_selector<UmmaMajorA, MmaA, BlockTileA_M, BlockTile_K>());
  using SmemLayoutAtomB = decltype(sm100_smem_selector<UmmaMajorB, MmaB, BlockTileB_N, BlockTile_K>());
  static constexpr int PipelineStages =
      stages_of<static_cast<int>((BlockTileA_M::value * cute::sizeof_bits_v<MmaA> +
                                  BlockTileB_N::value * cute::sizeof_bits_v<MmaB>)*BlockTile_K::value /
                                 8),
                false>(StageCountType{});
  using DispatchPolicy = MainloopSm100TmaUmmaWarpSpecialized<PipelineStages, 2, 2, ClusterShape>;
  using CollectiveOp =
      CollectiveMma<DispatchPolicy, TileShape, ElementA, StrideA, ElementB, StrideB, TiledMma, GmemTiledCopyA,
                    SmemLayoutAtomA, void, cute::identity, GmemTiledCopyB, SmemLayoutAtomB, void, cute::identity>;
};

}  // namespace cutlass::gemm::collective::detail

namespace cutlass::gemm::collective {

template <class ElementA, class GmemLayoutA, int AlignmentA, class ElementB, class GmemLayoutB, int AlignmentB,
          class ElementAccumulator, class TileShape_MNK, class ClusterShape_MNK, class StageCountType,
          class KernelScheduleType>
requires(std::is_base_of_v<KernelScheduleSm100DenseGemm, KernelScheduleType>) struct CollectiveBuilder<
    arch::Sm100, arch::OpClassTensorOp, ElementA, GmemLayoutA, AlignmentA, ElementB, GmemLayoutB, AlignmentB,
    ElementAccumulator, TileShape_MNK, ClusterShape_MNK, StageCountType, KernelScheduleType, void>
    : detail::sm100_tma_builder<ElementA, GmemLayoutA, ElementB, GmemLayoutB, ElementAccumulator, TileShape_MNK,
                                ClusterShape_MNK, StageCountType,
                                std::is_base_of_v<KernelSchedule2Sm, KernelScheduleType>> {
};

}  // namespace cutlass::gemm::collective
