// What a persistent kernel's blocks need to know of the tiles of a product: how many there are, in which order they are taken, and
// how many blocks to launch. Clusters are numbered along the major mode first, in bands as wide as the swizzle:
// 4 x 4 clusters, swizzle 2, raster AlongN: (0,0) (1,0) (0,1) (1,1) (0,2) (1,2) (0,3) (1,3) (2,0) …
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/coord.h"
#include "cutlass/fast_math.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/kernel_hardware_info.h"
#include "cutlass/workspace.h"

namespace cutlass::gemm::kernel::detail {

using tilewright::dim3;

/// The major mode of the grid of tiles: consecutive clusters differ in it.
enum class RasterOrder { AlongM, AlongN };
enum class RasterOrderOptions { Heuristic, AlongM, AlongN };

/// Blocks that run at a time where a cluster does not span GPCs of max_sm_per_gpc multiprocessors.
/// 132 multiprocessors, 18 a GPC, clusters of 4: 7 * 16 + 4 = 116
CUTLASS_HOST_DEVICE constexpr std::uint32_t get_max_cta_occupancy(int max_sm_per_gpc, GemmCoord cluster_shape,
                                                                  int sm_count) {
  int const blocks = cluster_shape.m() * cluster_shape.n();
  int const full = sm_count / max_sm_per_gpc, rest = sm_count % max_sm_per_gpc;
  int const running = full * (max_sm_per_gpc / blocks * blocks) + rest / blocks * blocks;
  return static_cast<std::uint32_t>(running < sm_count ? running : sm_count);
}

struct PersistentTileSchedulerSm90Params {
  using RasterOrder = detail::RasterOrder;
  using RasterOrderOptions = detail::RasterOrderOptions;

  FastDivmodU64Pow2 divmod_cluster_shape_major_{1}, divmod_cluster_shape_minor_{1};
  FastDivmodU64 divmod_batch_{};              // by the blocks of one problem
  FastDivmodU64 divmod_cluster_blk_major_{};  // by the clusters along the major mode
  std::uint64_t blocks_per_problem_ = 0;
  std::int32_t log_swizzle_size_ = 0;
  RasterOrder raster_order_ = RasterOrder::AlongN;
  std::uint32_t problem_tiles_m_ = 0, problem_tiles_n_ = 0, problem_tiles_l_ = 0;
  std::uint32_t cluster_shape_m_ = 0, cluster_shape_n_ = 0;

  void initialize(BatchedGemmCoord problem_shape, GemmCoord tile_shape, GemmCoord cluster_shape,
                  KernelHardwareInfo const& hw_info, int max_swizzle_size, RasterOrderOptions raster_order_option) {
    initialize(get_tiled_cta_shape_mnl(problem_shape, tile_shape, cluster_shape), cluster_shape, hw_info,
               max_swizzle_size, raster_order_option);
  }
  /// problem_blocks: tiles in (M, N, batch)
  /// pre: the extents of a cluster are powers of two
  void initialize(dim3 problem_blocks, GemmCoord cluster_shape, KernelHardwareInfo const&, int max_swizzle_size,
                  RasterOrderOptions raster_order_option) {
    log_swizzle_size_ =
        get_log_swizzle_size(static_cast<int>(problem_blocks.x), static_cast<int>(problem_blocks.y), max_swizzle_size);
    auto const cluster_m = static_cast<std::uint32_t>(cluster_shape.m());
    auto const cluster_n = static_cast<std::uint32_t>(cluster_shape.n());
    std::uint32_t const band_m = cluster_m << log_swizzle_size_, band_n = cluster_n << log_swizzle_size_;
    problem_tiles_m_ = cute::round_up(static_cast<std::uint32_t>(problem_blocks.x), band_m);
    problem_tiles_n_ = cute::round_up(static_cast<std::uint32_t>(problem_blocks.y), band_n);
    problem_tiles_l_ = problem_blocks.z;
    cluster_shape_m_ = cluster_m;
    cluster_shape_n_ = cluster_n;
    raster_order_ = get_rasterization_order(problem_tiles_m_, problem_tiles_n_, raster_order_option);
    blocks_per_problem_ = std::uint64_t{problem_tiles_m_} * problem_tiles_n_;
    divmod_batch_ = FastDivmodU64(blocks_per_problem_);
    bool const along_n = raster_order_ == RasterOrder::AlongN;
    divmod_cluster_shape_major_ = FastDivmodU64Pow2(along_n ? cluster_n : cluster_m);
    divmod_cluster_shape_minor_ = FastDivmodU64Pow2(along_n ? cluster_m : cluster_n);
    divmod_cluster_blk_major_ = FastDivmodU64(along_n ? problem_tiles_n_ / cluster_n : problem_tiles_m_ / cluster_m);
  }

  CUTLASS_HOST_DEVICE static dim3 get_grid_shape(BatchedGemmCoord problem_shape, GemmCoord cta_shape,
                                                 GemmCoord cluster_shape, KernelHardwareInfo hw_info,
                                                 int max_swizzle_size, RasterOrderOptions raster_order_option,
                                                 bool truncate_by_problem_size = true,
                                                 bool bypass_sm90_occupancy_calculation = false) {
    return get_grid_shape(get_tiled_cta_shape_mnl(problem_shape, cta_shape, cluster_shape), cluster_shape, hw_info,
                          max_swizzle_size, raster_order_option, truncate_by_problem_size,
                          bypass_sm90_occupancy_calculation);
  }
  /// One cluster across the minor mode, as many along the major one as run at a time; no more than there are tiles where
  /// truncate_by_problem_size is set, at least one cluster.
  CUTLASS_HOST_DEVICE static dim3 get_grid_shape(dim3 problem_blocks, GemmCoord cluster_shape,
                                                 KernelHardwareInfo hw_info, int max_swizzle_size,
                                                 RasterOrderOptions raster_order_option,
                                                 bool truncate_by_problem_size = true,
                                                 bool bypass_sm90_occupancy_calculation = false) {
    auto const log_swizzle =
        get_log_swizzle_size(static_cast<int>(problem_blocks.x), static_cast<int>(problem_blocks.y), max_swizzle_size);
    auto const cluster_m = static_cast<std::uint32_t>(cluster_shape.m());
    auto const cluster_n = static_cast<std::uint32_t>(cluster_shape.n());
    auto const tiles_m = cute::round_up(static_cast<std::uint32_t>(problem_blocks.x), cluster_m << log_swizzle);
    auto const tiles_n = cute::round_up(static_cast<std::uint32_t>(problem_blocks.y), cluster_n << log_swizzle);
    std::uint64_t const tiles = std::uint64_t{tiles_m} * tiles_n * problem_blocks.z;
    std::uint64_t const blocks = std::uint64_t{cluster_m} * cluster_n;

    std::uint64_t running = static_cast<std::uint64_t>(hw_info.sm_count) / blocks * blocks;
    if (hw_info.max_active_clusters > 0) running = static_cast<std::uint64_t>(hw_info.max_active_clusters) * blocks;
    else if (!bypass_sm90_occupancy_calculation)
      running = get_max_cta_occupancy(/*max_sm_per_gpc*/ 18, cluster_shape, hw_info.sm_count);
    if (truncate_by_problem_size && tiles < running) running = tiles;
    auto const clusters = static_cast<unsigned>(running < blocks ? 1 : running / blocks);
    return get_rasterization_order(tiles_m, tiles_n, raster_order_option) == RasterOrder::AlongN
               ? dim3(cluster_m, clusters * cluster_n, 1)
               : dim3(clusters * cluster_m, cluster_n, 1);
  }

  /// The widest band of 1, 2, 4 or 8 clusters, up to max_swizzle_size, of which the tiles fill three quarters.
  CUTLASS_HOST_DEVICE static constexpr std::int32_t get_log_swizzle_size(int problem_ctas_m, int problem_ctas_n,
                                                                         int max_swizzle_size) {
    int const shorter = problem_ctas_m < problem_ctas_n ? problem_ctas_m : problem_ctas_n;
    std::int32_t log = 3;
    while (log > 0 && (max_swizzle_size < (1 << log) || 4 * shorter < 3 * (1 << log))) --log;
    return log;
  }
  /// The shorter mode is the major one where the program leaves the choice.
  CUTLASS_HOST_DEVICE static constexpr RasterOrder get_rasterization_order(std::uint32_t tiles_m, std::uint32_t tiles_n,
                                                                           RasterOrderOptions raster_order_option) {
    if (raster_order_option == RasterOrderOptions::Heuristic)
      return tiles_n > tiles_m ? RasterOrder::AlongM : RasterOrder::AlongN;
    return raster_order_option == RasterOrderOptions::AlongN ? RasterOrder::AlongN : RasterOrder::AlongM;
  }
  /// Tiles in (M, N, batch), whole clusters of them.
  CUTLASS_HOST_DEVICE static dim3 get_tiled_cta_shape_mnl(BatchedGemmCoord problem_shape, GemmCoord cta_shape,
                                                          GemmCoord cluster_shape) {
    return get_tiled_cta_shape_mnl(problem_shape, cluster_shape,
                                   static_cast<std::uint32_t>(cute::ceil_div(problem_shape.m(), cta_shape.m())),
                                   static_cast<std::uint32_t>(cute::ceil_div(problem_shape.n(), cta_shape.n())));
  }
  CUTLASS_HOST_DEVICE static dim3 get_tiled_cta_shape_mnl(BatchedGemmCoord problem_shape, GemmCoord cluster_shape,
                                                          std::uint32_t cta_m, std::uint32_t cta_n) {
    return dim3(cute::round_up(cta_m, static_cast<std::uint32_t>(cluster_shape.m())),
                cute::round_up(cta_n, static_cast<std::uint32_t>(cluster_shape.n())),
                static_cast<unsigned>(problem_shape.batch()));
  }
};

/// The tiles of groups. Their extents are in memory of the GPU, so that a block counts the tiles of the groups ahead of its own.
template <class GroupProblemShape>
struct PersistentTileSchedulerSm90GroupParams {
  using RasterOrder = detail::RasterOrder;
  using RasterOrderOptions = detail::RasterOrderOptions;

  GroupProblemShape problem_shapes_{};
  std::int32_t cta_shape_m_ = 1, cta_shape_n_ = 1;
  std::int32_t cluster_shape_m_ = 1, cluster_shape_n_ = 1;
  std::int32_t max_swizzle_size_ = 1;
  RasterOrderOptions raster_order_ = RasterOrderOptions::Heuristic;

  /// Clusters of a group: whole bands of them. order, log_swizzle: in which they are taken
  struct clusters_of_group {
    std::uint64_t m = 0, n = 0;
    RasterOrder order = RasterOrder::AlongN;
    std::int32_t log_swizzle = 0;
    CUTLASS_HOST_DEVICE constexpr std::uint64_t count() const { return m * n; }
  };
  template <class ProblemShape>
  CUTLASS_HOST_DEVICE clusters_of_group clusters_of(ProblemShape const& shape) const {
    using Order = PersistentTileSchedulerSm90Params;
    int const tiles_m = static_cast<int>(cute::ceil_div(static_cast<int>(cute::get<0>(shape)), cta_shape_m_));
    int const tiles_n = static_cast<int>(cute::ceil_div(static_cast<int>(cute::get<1>(shape)), cta_shape_n_));
    clusters_of_group out;
    out.log_swizzle = Order::get_log_swizzle_size(tiles_m, tiles_n, max_swizzle_size_);
    out.order = Order::get_rasterization_order(static_cast<std::uint32_t>(tiles_m), static_cast<std::uint32_t>(tiles_n),
                                               raster_order_);
    std::int32_t const band = 1 << out.log_swizzle;
    out.m = static_cast<std::uint64_t>(cute::ceil_div(tiles_m, cluster_shape_m_ * band)) * static_cast<unsigned>(band);
    out.n = static_cast<std::uint64_t>(cute::ceil_div(tiles_n, cluster_shape_n_ * band)) * static_cast<unsigned>(band);
    return out;
  }

  /// A column of clusters: as many as run at a time, no more than the groups have where the host knows their extents.
  dim3 get_grid_shape(KernelHardwareInfo const& hw_info, bool truncate_by_problem_size = true) const {
    std::uint64_t const blocks = static_cast<std::uint64_t>(cluster_shape_m_) * static_cast<unsigned>(cluster_shape_n_);
    std::uint64_t clusters = static_cast<std::uint64_t>(hw_info.max_active_clusters);
    if (hw_info.max_active_clusters <= 0)
      clusters = get_max_cta_occupancy(/*max_sm_per_gpc*/ 18, GemmCoord(cluster_shape_m_, cluster_shape_n_, 1),
                                       hw_info.sm_count) /
                 blocks;
    if (truncate_by_problem_size && problem_shapes_.is_host_problem_shape_available()) {
      std::uint64_t all = 0;
      for (std::int32_t group = 0; group < problem_shapes_.groups(); ++group)
        all += clusters_of(problem_shapes_.get_host_problem_shape(group)).count();
      if (all < clusters) clusters = all;
    }
    if (clusters == 0) clusters = 1;
    return dim3(static_cast<unsigned>(cluster_shape_m_),
                static_cast<unsigned>(static_cast<std::uint64_t>(cluster_shape_n_) * clusters), 1);
  }
};

}  // namespace cutlass::gemm::kernel::detail
