// The scheduler of persistent kernels: every block takes one tile of the result after another, until all are taken.
//   PersistentTileSchedulerSm90 scheduler(params);
//   for (auto work = scheduler.get_current_work(); work.is_valid(); …) { …; scheduler.advance_to_next_work(); }
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/gemm/kernel/static_tile_scheduler.hpp"
#include "cutlass/pipeline/sm100_pipeline.hpp"

namespace cutlass {
class CudaHostAdapter;
}

namespace cutlass::gemm::kernel::detail {

/// Tile (m, n) number blk_per_grid_dim, in steps of the cluster's minor extent: the cluster that it is in, plus the block's place there.
CUTLASS_HOST_DEVICE cute::tuple<std::int32_t, std::int32_t> work_idx_m_and_n(
    std::uint64_t blk_per_grid_dim, FastDivmodU64Pow2 const& divmod_cluster_shape_major,
    FastDivmodU64Pow2 const& divmod_cluster_shape_minor, FastDivmodU64 const& divmod_cluster_blk_major,
    std::int32_t log_swizzle_size, RasterOrder raster_order, std::uint64_t cta_m_in_cluster,
    std::uint64_t cta_n_in_cluster) {
  bool const along_n = raster_order == RasterOrder::AlongN;
  std::uint64_t const cluster = divmod_cluster_shape_major.divide(blk_per_grid_dim);
  std::uint64_t const in_band = cluster & ((std::uint64_t{1} << log_swizzle_size) - 1);
  std::uint64_t band, cluster_major;
  divmod_cluster_blk_major(band, cluster_major, cluster >> log_swizzle_size);
  auto const minor =
      static_cast<std::int32_t>(((band << log_swizzle_size) + in_band) * divmod_cluster_shape_minor.divisor +
                                (along_n ? cta_m_in_cluster : cta_n_in_cluster));
  auto const major = static_cast<std::int32_t>(cluster_major * divmod_cluster_shape_major.divisor +
                                               (along_n ? cta_n_in_cluster : cta_m_in_cluster));
  return along_n ? cute::tuple<std::int32_t, std::int32_t>{minor, major}
                 : cute::tuple<std::int32_t, std::int32_t>{major, minor};
}

/// What schedulers have in common that take no tiles from a pipeline.
struct no_scheduler_pipeline {
  using Pipeline = PipelineEmpty;
  using PipelineStorage = typename Pipeline::SharedStorage;
  using ThrottlePipeline = PipelineEmpty;
  using ThrottlePipelineStorage = typename ThrottlePipeline::SharedStorage;

  template <class Response>
  struct storage {
    CUTLASS_HOST_DEVICE PipelineStorage pipeline() { return {}; }
    CUTLASS_HOST_DEVICE ThrottlePipelineStorage throttle_pipeline() { return {}; }
    CUTLASS_HOST_DEVICE Response* data() { return nullptr; }
  };
};

class PersistentTileSchedulerSm90 : public StaticPersistentTileScheduler<PersistentTileSchedulerSm90>,
                                    public no_scheduler_pipeline {
  using BaseScheduler = StaticPersistentTileScheduler<PersistentTileSchedulerSm90>;

 public:
  using BaseScheduler::BaseScheduler;
  using Params = PersistentTileSchedulerSm90Params;
  using RasterOrder = Params::RasterOrder;
  using RasterOrderOptions = Params::RasterOrderOptions;
  using Arguments = BaseScheduler::Arguments;
  struct CLCResponse {};
  using SharedStorage = no_scheduler_pipeline::storage<CLCResponse>;

  /// Of the block that calls it.
  static CUTLASS_HOST_DEVICE cute::tuple<std::int32_t, std::int32_t> get_work_idx_m_and_n(
      std::uint64_t blk_per_grid_dim, FastDivmodU64Pow2 const& divmod_cluster_shape_major,
      FastDivmodU64Pow2 const& divmod_cluster_shape_minor, FastDivmodU64 const& divmod_cluster_blk_major,
      std::int32_t log_swizzle_size, RasterOrder raster_order) {
    auto const block = cute::block_id_in_cluster();
    return work_idx_m_and_n(blk_per_grid_dim, divmod_cluster_shape_major, divmod_cluster_shape_minor,
                            divmod_cluster_blk_major, log_swizzle_size, raster_order, block.x, block.y);
  }
  static CUTLASS_HOST_DEVICE cute::tuple<std::int32_t, std::int32_t> get_work_idx_m_and_n(
      std::uint64_t blk_per_grid_dim, FastDivmodU64Pow2 const& divmod_cluster_shape_major,
      FastDivmodU64Pow2 const& divmod_cluster_shape_minor, FastDivmodU64 const& divmod_cluster_blk_major,
      std::int32_t log_swizzle_size, RasterOrder raster_order, std::uint64_t cta_m_in_cluster,
      std::uint64_t cta_n_in_cluster) {
    return work_idx_m_and_n(blk_per_grid_dim, divmod_cluster_shape_major, divmod_cluster_shape_minor,
                            divmod_cluster_blk_major, log_swizzle_size, raster_order, cta_m_in_cluster,
                            cta_n_in_cluster);
  }

  /// Blocks share nothing: 0 bytes.
  template <class ProblemShape, class ElementAccumulator>
  static std::size_t get_workspace_size(Arguments const&, ProblemShape, KernelHardwareInfo const&, std::uint32_t,
                                        std::uint32_t = 1, std::uint32_t = 1) {
    return 0;
  }
  template <class ProblemShape, class ElementAccumulator, class Stream>
  static Status initialize_workspace(Arguments const&, void*, Stream, ProblemShape, KernelHardwareInfo const&,
                                     std::uint32_t, std::uint32_t = 1, std::uint32_t = 1, CudaHostAdapter* = nullptr) {
    return Status::kSuccess;
  }
};

}  // namespace cutlass::gemm::kernel::detail
