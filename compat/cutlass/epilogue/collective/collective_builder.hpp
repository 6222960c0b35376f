// The builder of epilogues: CollectiveBuilder<arch::Sm90, …>::CollectiveOp computes a fusion's function of the sums and writes D.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/mma.h"
#include "cutlass/detail/kernel_parts.hpp"
#include "cutlass/epilogue/collective/sm90_epilogue_of_fusion.hpp"
#include "cutlass/epilogue/collective/sm90_epilogue_of_tree.hpp"
#include "cutlass/epilogue/dispatch_policy.hpp"
#include "cutlass/epilogue/fusion/operations.hpp"
#include "cutlass/epilogue/thread/linear_combination.h"

namespace cutlass::epilogue::collective {

// What leaves the choice to a builder.
struct EpilogueTileAuto {};
struct EpilogueScheduleAuto {};

namespace detail {
/// The fusions of fusion/operations.hpp say what they compute; trees of callbacks do not.
template <class Fusion>
inline constexpr bool is_known_fusion = std::is_base_of_v<fusion::FusionOperation, Fusion>;
}  // namespace detail

template <class ArchTag, class OpClass, class TileShape_MNK, class ClusterShape_MNK, class EpilogueTileType,
          class ElementAccumulator, class ElementCompute, class ElementC, class GmemLayoutTagC, int AlignmentC,
          class ElementD, class GmemLayoutTagD, int AlignmentD, class EpilogueScheduleType,
          class FusionOpOrCallbacks = fusion::LinearCombination<ElementD, ElementCompute, ElementC, ElementCompute>,
          class Enable = void>
struct CollectiveBuilder {
  static_assert(
      cutlass::detail::dependent_false<ArchTag>,
      "CollectiveBuilder: epilogues are those of Sm90, of the operations of epilogue/fusion/operations.hpp and of "
      "trees of epilogue/fusion/sm90_visitors.hpp; use one of these");
};

/// EpilogueTileType, AlignmentC and the schedule are accepted; a thread writes its own sums.
template <class OpClass, class TileShape_MNK, class ClusterShape_MNK, class EpilogueTileType, class ElementAccumulator,
          class ElementCompute, class ElementC, class GmemLayoutTagC, int AlignmentC, class ElementD,
          class GmemLayoutTagD, int AlignmentD, class EpilogueScheduleType, class Fusion>
requires(detail::is_known_fusion<Fusion>) struct CollectiveBuilder<
    arch::Sm90, OpClass, TileShape_MNK, ClusterShape_MNK, EpilogueTileType, ElementAccumulator, ElementCompute,
    ElementC, GmemLayoutTagC, AlignmentC, ElementD, GmemLayoutTagD, AlignmentD, EpilogueScheduleType, Fusion, void> {
  using CollectiveOp = detail::epilogue_of_fusion<EpilogueScheduleType, TileShape_MNK, ElementAccumulator, ElementC,
                                                  cutlass::detail::TagToStrideC_t<GmemLayoutTagC>, ElementD,
                                                  cutlass::detail::TagToStrideC_t<GmemLayoutTagD>, AlignmentD, Fusion>;
};

template <class OpClass, class TileShape_MNK, class ClusterShape_MNK, class EpilogueTileType, class ElementAccumulator,
          class ElementCompute, class ElementC, class GmemLayoutTagC, int AlignmentC, class ElementD,
          class GmemLayoutTagD, int AlignmentD, class EpilogueScheduleType, class Tree>
requires(!detail::is_known_fusion<Tree> && fusion::is_visitor_tree<Tree>) struct CollectiveBuilder<
    arch::Sm90, OpClass, TileShape_MNK, ClusterShape_MNK, EpilogueTileType, ElementAccumulator, ElementCompute,
    ElementC, GmemLayoutTagC, AlignmentC, ElementD, GmemLayoutTagD, AlignmentD, EpilogueScheduleType, Tree, void> {
  using CollectiveOp = detail::epilogue_of_tree<EpilogueScheduleType, TileShape_MNK, ElementAccumulator, ElementCompute,
                                                ElementC, cutlass::detail::TagToStrideC_t<GmemLayoutTagC>, ElementD,
                                                cutlass::detail::TagToStrideC_t<GmemLayoutTagD>, AlignmentD, Tree>;
};

}  // namespace cutlass::epilogue::collective
