// The scheduler of groups of products: the clusters of a grid take the groups' clusters of tiles one after another, group by group.
// Two groups of 3 and 2 clusters, a grid of 2 clusters: the first takes (0,0) (0,2) (1,1), the second (0,1) (1,0).
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/gemm/kernel/sm90_tile_scheduler.hpp"
#include "cutlass/gemm/kernel/tile_scheduler_params.h"

namespace cutlass::gemm::kernel::detail {

/// GroupProblemShape: groups(), get_problem_shape(group), and of the host's
template <class GroupProblemShape, int SchedulerPipelineStageCount = 0>
class PersistentTileSchedulerSm90Group : public no_scheduler_pipeline {
 public:
  using Params = PersistentTileSchedulerSm90GroupParams<GroupProblemShape>;
  using RasterOrder = typename Params::RasterOrder;
  using RasterOrderOptions = typename Params::RasterOrderOptions;
  /// A tile of the result of group L_idx, or none.
  using WorkTileInfo = typename PersistentTileSchedulerSm90::WorkTileInfo;
  using CLCResponse = WorkTileInfo;
  using SharedStorage = no_scheduler_pipeline::storage<CLCResponse>;
  static constexpr bool IsDynamicPersistent = false;
  struct Arguments {
    int max_swizzle_size = 1;
    RasterOrderOptions raster_order = RasterOrderOptions::Heuristic;
  };

  Params scheduler_params{};

  // --- on the host ---------------------------------------------------------------------------------------------------
  template <class TileShape, class ClusterShape>
  static Params to_underlying_arguments(GroupProblemShape const& problem_shapes, TileShape const& tile_shape,
                                        ClusterShape const& cluster_shape, KernelHardwareInfo const&,
                                        Arguments const& arguments, void* = nullptr, std::uint32_t = 1,
                                        std::uint32_t = 1) {
    return {problem_shapes,
            static_cast<std::int32_t>(cute::size<0>(tile_shape)),
            static_cast<std::int32_t>(cute::size<1>(tile_shape)),
            static_cast<std::int32_t>(cute::size<0>(cluster_shape)),
            static_cast<std::int32_t>(cute::size<1>(cluster_shape)),
            arguments.max_swizzle_size,
            arguments.raster_order};
  }
  static bool can_implement(Arguments const& args, KernelHardwareInfo const& = {}) {
    return args.max_swizzle_size >= 1;
  }
  template <class... Shapes>
  static dim3 get_grid_shape(Params const& params, GroupProblemShape const&, Shapes const&... shapes) {
    return grid_of(params, shapes...);
  }
  static Arguments arguments_of(Params const& params) { return {params.max_swizzle_size_, params.raster_order_}; }

  // --- in the kernel -------------------------------------------------------------------------------------------------
  constexpr PersistentTileSchedulerSm90Group() = default;
  CUTLASS_HOST_DEVICE explicit PersistentTileSchedulerSm90Group(Params const& params_) : scheduler_params(params_) {
    dim3 const block = this_block(), grid = this_grid();
    auto const cluster_n = static_cast<unsigned>(params_.cluster_shape_n_);
    current_work_linear_idx_ = block.y / cluster_n;
    total_grid_size_ = grid.y / cluster_n;
    look_at(0);
  }
  template <class ClusterShape>
  CUTLASS_HOST_DEVICE WorkTileInfo initial_work_tile_info(ClusterShape) {
    return get_current_work();
  }
  CUTLASS_HOST_DEVICE WorkTileInfo get_current_work() {
    return get_current_work_for_linear_idx(current_work_linear_idx_);
  }
  /// linear_idx: of the cluster; none before one that was asked for earlier
  CUTLASS_HOST_DEVICE WorkTileInfo get_current_work_for_linear_idx(std::uint64_t linear_idx) {
    std::int32_t const groups = scheduler_params.problem_shapes_.groups();
    while (group_ < groups && linear_idx >= first_ + clusters_.count()) {
      first_ += clusters_.count();
      look_at(group_ + 1);
    }
    if (group_ >= groups) return WorkTileInfo::invalid_work_tile();
    std::uint64_t const cluster = linear_idx - first_;
    bool const along_n = clusters_.order == RasterOrder::AlongN;
    std::uint64_t const in_band = cluster & ((std::uint64_t{1} << clusters_.log_swizzle) - 1);
    std::uint64_t const rest = cluster >> clusters_.log_swizzle, extent = along_n ? clusters_.n : clusters_.m;
    std::uint64_t const minor = ((rest / extent) << clusters_.log_swizzle) + in_band, major = rest % extent;
    auto const block = cute::block_id_in_cluster();
    auto const m = static_cast<std::int32_t>(along_n ? minor : major) * scheduler_params.cluster_shape_m_;
    auto const n = static_cast<std::int32_t>(along_n ? major : minor) * scheduler_params.cluster_shape_n_;
    return {m + static_cast<std::int32_t>(block.x), n + static_cast<std::int32_t>(block.y), group_, true};
  }
  CUTLASS_HOST_DEVICE void advance_to_next_work(std::uint32_t advance_count = 1) {
    current_work_linear_idx_ += total_grid_size_ * advance_count;
  }
  /// (the next tile, whether the scheduler's pipeline goes on)
  CUTLASS_HOST_DEVICE auto fetch_next_work(WorkTileInfo) {
    advance_to_next_work();
    return cute::make_tuple(get_current_work(), true);
  }
  template <class TileSchedulerPipeline, class TileSchedulerPipelineState>
  CUTLASS_HOST_DEVICE auto fetch_next_work(WorkTileInfo work, TileSchedulerPipeline&, TileSchedulerPipelineState) {
    return fetch_next_work(work);
  }

  // --- what a tile is ------------------------------------------------------------------------------------------------
  CUTLASS_HOST_DEVICE static auto work_tile_to_cta_coord(WorkTileInfo work) {
    return cute::make_coord(work.M_idx, work.N_idx, cute::_, work.L_idx);
  }
  template <class ProblemShape, class TileShape>
  CUTLASS_HOST_DEVICE static int get_work_k_tile_count(WorkTileInfo const&, ProblemShape problem_shape,
                                                       TileShape tile_shape) {
    return static_cast<int>(cute::size(cute::ceil_div(cute::get<2>(problem_shape), cute::get<2>(tile_shape))));
  }
  CUTLASS_HOST_DEVICE static std::uint32_t get_work_k_tile_start(WorkTileInfo const&) { return 0; }

  /// Blocks share nothing: 0 bytes.
  template <class ProblemShape, class ElementAccumulator>
  static std::size_t get_workspace_size(Arguments const&, ProblemShape, KernelHardwareInfo const&, std::uint32_t,
                                        std::uint32_t = 1, std::uint32_t = 1) {
    return 0;
  }

 private:
  CUTLASS_HOST_DEVICE void look_at(std::int32_t group) {
    group_ = group;
    if (group < scheduler_params.problem_shapes_.groups())
      clusters_ = scheduler_params.clusters_of(scheduler_params.problem_shapes_.get_problem_shape(group));
  }
  template <class TileShape, class ClusterShape, class... Rest>
  static dim3 grid_of(Params const& params, TileShape const&, ClusterShape const&, KernelHardwareInfo const& hw_info,
                      Rest const&...) {
    return params.get_grid_shape(hw_info);
  }

  std::uint64_t current_work_linear_idx_ = 0, total_grid_size_ = 1;  // clusters
  std::uint64_t first_ = 0;                                          // the group's first cluster
  std::int32_t group_ = 0;
  typename Params::clusters_of_group clusters_{};
};

}  // namespace cutlass::gemm::kernel::detail
