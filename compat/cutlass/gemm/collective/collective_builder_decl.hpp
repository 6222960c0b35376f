// The builder of main loops, and what says how many stages and which schedule it chooses.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/integral_constant.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/detail/dependent_false.hpp"

namespace cutlass::gemm::collective {

/// A number of stages as a type; the other two leave it to a builder, which keeps so many bytes for something else.
template <int Stages>
struct StageCount {
  static constexpr int value = Stages;
  StageCount() = default;
  CUTLASS_HOST_DEVICE explicit constexpr StageCount(cute::Int<Stages>) {}
};
template <int Bytes>
struct StageCountAutoCarveout {
  static constexpr int bytes = Bytes;
  StageCountAutoCarveout() = default;
  CUTLASS_HOST_DEVICE explicit constexpr StageCountAutoCarveout(cute::Int<Bytes>) {}
};
using StageCountAuto = StageCountAutoCarveout<0>;
template <class CollectiveEpilogue>
struct StageCountAutoCarveoutEpi
    : StageCountAutoCarveout<static_cast<int>(sizeof(typename CollectiveEpilogue::SharedStorage))> {};
struct KernelScheduleAuto {};

/// CollectiveOp is a main loop for the elements, layouts, tile and cluster.
template <class ArchTag, class OpClass, class ElementA, class GmemLayoutA, int AlignmentA, class ElementB,
          class GmemLayoutB, int AlignmentB, class ElementAccumulator, class TileShape_MNK, class ClusterShape_MNK,
          class StageCountType, class KernelScheduleType, class Enable = void>
struct CollectiveBuilder {
  static_assert(
      cutlass::detail::dependent_false<ElementA>,
      "CollectiveBuilder: main loops are those of Sm90 and OpClassTensorOp whose two operands have one width, "
      "are aligned to 16 bytes and loaded by TMA, and of Sm100 with KernelTmaWarpSpecialized1SmSm100 or ...2SmSm100; "
      "give "
      "such elements, alignments and schedules");
};

}  // namespace cutlass::gemm::collective
