// The names by which programs choose a scheduler of tiles, and the scheduler that each selects.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/arch.h"
#include "cutlass/detail/dependent_false.hpp"
#include "cutlass/gemm/kernel/sm90_tile_scheduler.hpp"
#include "cutlass/gemm/kernel/sm90_tile_scheduler_group.hpp"
#include "cutlass/gemm/kernel/sm90_tile_scheduler_stream_k.hpp"
#include "cutlass/gemm/kernel/tile_scheduler_params.h"

namespace cutlass::gemm {

struct PersistentScheduler {};
struct StreamKScheduler {};
struct GroupScheduler {};
struct DynamicPersistentScheduler {};
struct StaticPersistentScheduler {};

}  // namespace cutlass::gemm

namespace cutlass::gemm::kernel::detail {

template <class TileSchedulerTag, class ArchTag, class TileShape, class ClusterShape,
          std::uint32_t SchedulerPipelineStageCount = 2, class ProblemShapeType = void>
struct TileSchedulerSelector {
  static_assert(
      cutlass::detail::dependent_false<ArchTag>,
      "TileSchedulerSelector: schedulers are those of void, PersistentScheduler, StreamKScheduler, GroupScheduler "
      "and StaticPersistentScheduler up to Sm90; use one of these");
};
template <class ArchTag, class TileShape, class ClusterShape, std::uint32_t Stages, class ProblemShapeType>
struct TileSchedulerSelector<StaticPersistentScheduler, ArchTag, TileShape, ClusterShape, Stages, ProblemShapeType> {
  using Scheduler = PersistentTileSchedulerSm90;
};
template <class ArchTag, class TileShape, class ClusterShape, std::uint32_t Stages, class ProblemShapeType>
requires(
    ArchTag::kMinComputeCapability <=
    90) struct TileSchedulerSelector<PersistentScheduler, ArchTag, TileShape, ClusterShape, Stages, ProblemShapeType> {
  using Scheduler = PersistentTileSchedulerSm90;
};
template <class ArchTag, class TileShape, class ClusterShape, std::uint32_t Stages, class ProblemShapeType>
requires(ArchTag::kMinComputeCapability <=
         90) struct TileSchedulerSelector<void, ArchTag, TileShape, ClusterShape, Stages, ProblemShapeType> {
  using Scheduler = PersistentTileSchedulerSm90;
};

template <class ArchTag, class TileShape, class ClusterShape, std::uint32_t Stages, class ProblemShapeType>
requires(
    ArchTag::kMinComputeCapability <=
    90) struct TileSchedulerSelector<StreamKScheduler, ArchTag, TileShape, ClusterShape, Stages, ProblemShapeType> {
  using Scheduler = PersistentTileSchedulerSm90StreamK<TileShape, ClusterShape>;
};
template <class ArchTag, class TileShape, class ClusterShape, std::uint32_t Stages, class ProblemShapeType>
requires(ArchTag::kMinComputeCapability <=
         90) struct TileSchedulerSelector<GroupScheduler, ArchTag, TileShape, ClusterShape, Stages, ProblemShapeType> {
  using Scheduler = PersistentTileSchedulerSm90Group<ProblemShapeType, static_cast<int>(Stages)>;
};

}  // namespace cutlass::gemm::kernel::detail
