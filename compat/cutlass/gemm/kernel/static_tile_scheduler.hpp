// A persistent block's tiles, where their number is known at the launch: block i of a grid of n takes tiles i,
// i + n, i + 2n … while they exist. Subclass::get_work_idx_m_and_n says which tile of the matrix a number is.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/cluster_sm90.hpp"
#include "cute/layout.hpp"
#include "cute/stride.hpp"
#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/gemm/kernel/tile_scheduler_params.h"

namespace cutlass::gemm::kernel::detail {

/// This block's index in the grid, and the grid's extents; on a CPU those of the launch, (0,0,0) and (1,1,1) outside of one.
CUTLASS_HOST_DEVICE dim3 this_block() {
#if TILEWRIGHT_ON_DEVICE
  return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
#else
  auto const cluster = cute::cluster_id_in_grid(), shape = cute::cluster_shape(), block = cute::block_id_in_cluster();
  return dim3(cluster.x * shape.x + block.x, cluster.y * shape.y + block.y, cluster.z * shape.z + block.z);
#endif
}
CUTLASS_HOST_DEVICE dim3 this_grid() {
#if TILEWRIGHT_ON_DEVICE
  return dim3(gridDim.x, gridDim.y, gridDim.z);
#else
  auto const clusters = cute::cluster_grid_dims(), shape = cute::cluster_shape();
  return dim3(clusters.x * shape.x, clusters.y * shape.y, clusters.z * shape.z);
#endif
}

template <class Subclass>
class StaticPersistentTileScheduler {
 public:
  /// A tile of the result, or none.
  struct WorkTileInfo {
    std::int32_t M_idx = 0, N_idx = 0, L_idx = 0;
    bool is_valid_tile = false;

    CUTLASS_HOST_DEVICE constexpr bool is_valid() const { return is_valid_tile; }
    CUTLASS_HOST_DEVICE static constexpr WorkTileInfo invalid_work_tile() { return {-1, -1, -1, false}; }
    /// A block adds up all of K.
    CUTLASS_HOST_DEVICE constexpr bool is_final_split(std::uint32_t) const { return true; }
    CUTLASS_HOST_DEVICE constexpr std::int32_t reduction_subtile_idx() const { return -1; }
  };
  using Params = PersistentTileSchedulerSm90Params;
  using RasterOrder = Params::RasterOrder;
  using RasterOrderOptions = Params::RasterOrderOptions;
  static constexpr bool IsDynamicPersistent = false;

  struct Arguments {
    int max_swizzle_size = 1;
    RasterOrderOptions raster_order = RasterOrderOptions::Heuristic;
  };

  Params scheduler_params{};

  // --- on the host ---------------------------------------------------------------------------------------------------
  template <class ProblemShapeMNKL, class TileShape, class ClusterShape>
  static Params to_underlying_arguments(ProblemShapeMNKL problem_shape_mnkl, TileShape tile_shape,
                                        ClusterShape cluster_shape, KernelHardwareInfo const& hw_info,
                                        Arguments const& arguments, void* = nullptr, std::uint32_t = 1,
                                        std::uint32_t = 1) {
    Params out;
    out.initialize(get_tiled_cta_shape_mnl(problem_shape_mnkl, tile_shape, cluster_shape), extents(cluster_shape),
                   hw_info, arguments.max_swizzle_size, arguments.raster_order);
    return out;
  }
  CUTLASS_HOST_DEVICE static bool can_implement(Arguments const& args, KernelHardwareInfo const& = {}) {
    return args.max_swizzle_size >= 1;
  }
  /// Tiles in (M, N, batch), whole clusters of them. The modes of the problem may have modes.
  template <class ProblemShapeMNKL, class BlockShape, class ClusterShape>
  CUTLASS_HOST_DEVICE static dim3 get_tiled_cta_shape_mnl(ProblemShapeMNKL problem_shape_mnkl, BlockShape cta_shape,
                                                          ClusterShape cluster_shape) {
    auto const tiles_m = cute::size(cute::ceil_div(cute::shape<0>(problem_shape_mnkl), cute::shape<0>(cta_shape)));
    auto const tiles_n = cute::size(cute::ceil_div(cute::shape<1>(problem_shape_mnkl), cute::shape<1>(cta_shape)));
    auto const problem = cute::append<4>(problem_shape_mnkl, cute::Int<1>{});
    return Params::get_tiled_cta_shape_mnl(BatchedGemmCoord(0, 0, 0, static_cast<int>(cute::size<3>(problem))),
                                           extents(cluster_shape), static_cast<std::uint32_t>(tiles_m),
                                           static_cast<std::uint32_t>(tiles_n));
  }
  /// tile_shape_mnk: of the atom_thr_shape_mnk blocks that compute one product
  template <class ProblemShapeMNKL, class TileShape, class AtomThrShape, class ClusterShape>
  CUTLASS_HOST_DEVICE static dim3 get_tiled_cta_shape_mnl(ProblemShapeMNKL problem_shape_mnkl, TileShape tile_shape_mnk,
                                                          AtomThrShape atom_thr_shape_mnk,
                                                          ClusterShape cluster_shape_mnk) {
    return get_tiled_cta_shape_mnl(problem_shape_mnkl, cute::shape_div(tile_shape_mnk, atom_thr_shape_mnk),
                                   cluster_shape_mnk);
  }
  template <class ProblemShapeMNKL, class BlockShape, class ClusterShape>
  CUTLASS_HOST_DEVICE static dim3 get_grid_shape(Params const&, ProblemShapeMNKL problem_shape_mnk,
                                                 BlockShape cta_shape, ClusterShape cluster_shape,
                                                 KernelHardwareInfo hw_info, Arguments arguments = Arguments{},
                                                 bool truncate_by_problem_size = true) {
    return Params::get_grid_shape(get_tiled_cta_shape_mnl(problem_shape_mnk, cta_shape, cluster_shape),
                                  extents(cluster_shape), hw_info, arguments.max_swizzle_size, arguments.raster_order,
                                  truncate_by_problem_size);
  }
  template <class ProblemShapeMNKL, class TileShape, class AtomThrShape, class ClusterShape>
  requires(!std::is_convertible_v<ClusterShape, KernelHardwareInfo>) static dim3
      get_grid_shape(Params const& params, ProblemShapeMNKL problem_shape_mnkl, TileShape tile_shape_mnk,
                     AtomThrShape atom_thr_shape_mnk, ClusterShape cluster_shape_mnk, KernelHardwareInfo hw_info) {
    return get_grid_shape(params, problem_shape_mnkl, cute::shape_div(tile_shape_mnk, atom_thr_shape_mnk),
                          cluster_shape_mnk, hw_info, arguments_of(params));
  }
  /// Arguments that lead to these parameters.
  static Arguments arguments_of(Params const& params) {
    return {1 << params.log_swizzle_size_,
            params.raster_order_ == RasterOrder::AlongN ? RasterOrderOptions::AlongN : RasterOrderOptions::AlongM};
  }

  // --- in the kernel -------------------------------------------------------------------------------------------------
  constexpr StaticPersistentTileScheduler() = default;
  CUTLASS_HOST_DEVICE explicit StaticPersistentTileScheduler(Params const& params_) : scheduler_params(params_) {
    dim3 const block = this_block(), grid = this_grid();
    bool const along_n = params_.raster_order_ == RasterOrder::AlongN;
    current_work_linear_idx_ =
        along_n ? std::uint64_t{block.y} * grid.x + block.x : std::uint64_t{block.x} * grid.y + block.y;
    total_grid_size_ = std::uint64_t{grid.x} * grid.y * grid.z;
  }

  template <class ClusterShape>
  CUTLASS_HOST_DEVICE WorkTileInfo initial_work_tile_info(ClusterShape) {
    return get_current_work();
  }
  CUTLASS_HOST_DEVICE WorkTileInfo get_current_work() const {
    return get_current_work_for_linear_idx(current_work_linear_idx_);
  }
  CUTLASS_HOST_DEVICE WorkTileInfo get_current_work_for_linear_idx(std::uint64_t linear_idx) const {
    Params const& p = scheduler_params;
    if (linear_idx >= p.blocks_per_problem_ * p.problem_tiles_l_) return WorkTileInfo::invalid_work_tile();
    std::uint64_t batch, rest;
    p.divmod_batch_(batch, rest, linear_idx);
    auto const [m, n] = Subclass::get_work_idx_m_and_n(
        p.divmod_cluster_shape_minor_.divide(rest), p.divmod_cluster_shape_major_, p.divmod_cluster_shape_minor_,
        p.divmod_cluster_blk_major_, p.log_swizzle_size_, p.raster_order_);
    return {m, n, static_cast<std::int32_t>(batch), true};
  }
  CUTLASS_HOST_DEVICE void advance_to_next_work(std::uint32_t advance_count = 1) {
    current_work_linear_idx_ += total_grid_size_ * advance_count;
  }
  /// Whether this block has no tile `advance_count` steps later.
  CUTLASS_HOST_DEVICE bool is_last_tile(WorkTileInfo&, std::uint32_t advance_count = 1) const {
    return current_work_linear_idx_ + total_grid_size_ * advance_count >=
           scheduler_params.blocks_per_problem_ * scheduler_params.problem_tiles_l_;
  }
  /// (the next tile, whether the scheduler's pipeline goes on)
  CUTLASS_HOST_DEVICE auto fetch_next_work(WorkTileInfo work_tile_info) {
    if (!continue_current_work(work_tile_info)) {
      advance_to_next_work();
      work_tile_info = get_current_work();
    }
    return cute::make_tuple(work_tile_info, true);
  }
  template <class TileSchedulerPipeline, class TileSchedulerPipelineState>
  CUTLASS_HOST_DEVICE auto fetch_next_work(WorkTileInfo work_tile_info, TileSchedulerPipeline&,
                                           TileSchedulerPipelineState) {
    return fetch_next_work(work_tile_info);
  }
  /// The number of a tile in the order that blocks take them.
  /// post: get_work_idx_m_and_n of it, divided by the cluster's minor extent, is (tile_m, tile_n)
  static CUTLASS_HOST_DEVICE std::uint64_t get_linear_idx_from_m_and_n(
      std::int32_t tile_m, std::int32_t tile_n, FastDivmodU64Pow2 const& divmod_cluster_shape_major,
      FastDivmodU64Pow2 const& divmod_cluster_shape_minor, FastDivmodU64 const& divmod_cluster_blk_major,
      std::int32_t log_swizzle_size, RasterOrder raster_order) {
    bool const along_n = raster_order == RasterOrder::AlongN;
    auto const minor = static_cast<std::uint64_t>(along_n ? tile_m : tile_n);
    auto const major = static_cast<std::uint64_t>(along_n ? tile_n : tile_m);
    std::uint64_t in_minor, in_major;
    std::uint64_t const cluster_minor = divmod_cluster_shape_minor.divmod(in_minor, minor);
    std::uint64_t const cluster_major = divmod_cluster_shape_major.divmod(in_major, major);
    std::uint64_t const band = cluster_minor >> log_swizzle_size;
    std::uint64_t const in_band = cluster_minor - (band << log_swizzle_size);
    std::uint64_t const cluster =
        ((band * divmod_cluster_blk_major.divisor + cluster_major) << log_swizzle_size) + in_band;
    return (cluster * divmod_cluster_shape_major.divisor + in_major) * divmod_cluster_shape_minor.divisor + in_minor;
  }

  // --- what a tile is ------------------------------------------------------------------------------------------------
  CUTLASS_HOST_DEVICE static auto work_tile_to_cta_coord(WorkTileInfo work_tile_info) {
    return cute::make_coord(work_tile_info.M_idx, work_tile_info.N_idx, cute::_, work_tile_info.L_idx);
  }
  /// work_tile_info: of the cluster's first block
  CUTLASS_HOST_DEVICE static auto work_tile_to_cta_coord(WorkTileInfo work_tile_info, dim3 block_id_in_cluster) {
    return cute::make_coord(work_tile_info.M_idx + static_cast<std::int32_t>(block_id_in_cluster.x),
                            work_tile_info.N_idx + static_cast<std::int32_t>(block_id_in_cluster.y), cute::_,
                            work_tile_info.L_idx + static_cast<std::int32_t>(block_id_in_cluster.z));
  }
  CUTLASS_HOST_DEVICE auto work_tile_to_cluster_coord_mnkl(WorkTileInfo work_tile_info) const {
    return cute::make_coord(work_tile_info.M_idx / static_cast<std::int32_t>(scheduler_params.cluster_shape_m_),
                            work_tile_info.N_idx / static_cast<std::int32_t>(scheduler_params.cluster_shape_n_),
                            cute::_, work_tile_info.L_idx);
  }
  template <class ProblemShapeMNKL, class TileShape, class Shape>
  CUTLASS_HOST_DEVICE auto get_k_tile_iterator(WorkTileInfo const&, ProblemShapeMNKL problem_shape_MNKL,
                                               TileShape tile_shape, Shape) {
    return cute::make_coord_iterator(cute::ceil_div(cute::get<2>(problem_shape_MNKL), cute::get<2>(tile_shape)));
  }
  template <class ProblemShape, class TileShape>
  CUTLASS_HOST_DEVICE static int get_work_k_tile_count(WorkTileInfo const&, ProblemShape problem_shape,
                                                       TileShape tile_shape) {
    return static_cast<int>(cute::size(cute::ceil_div(cute::get<2>(problem_shape), cute::get<2>(tile_shape))));
  }
  CUTLASS_HOST_DEVICE static std::uint32_t get_work_k_tile_start(WorkTileInfo const&) { return 0; }

  // --- a block adds up all of K and writes its tile: nothing is shared, added up or left to others -------------------
  CUTLASS_HOST_DEVICE static bool continue_current_work(WorkTileInfo&) { return false; }
  CUTLASS_HOST_DEVICE static bool compute_epilogue(WorkTileInfo const&, Params const&) { return true; }
  CUTLASS_HOST_DEVICE static bool compute_epilogue(WorkTileInfo const&) { return true; }
  template <class FrgTensorC>
  CUTLASS_HOST_DEVICE static void fixup(Params const&, WorkTileInfo const&, FrgTensorC&, std::uint32_t, std::uint32_t) {
  }
  template <class FrgTensorC>
  CUTLASS_HOST_DEVICE void fixup(WorkTileInfo const&, FrgTensorC&, std::uint32_t, std::uint32_t) const {}
  CUTLASS_HOST_DEVICE static bool need_separate_reduction(Params const&) { return false; }
  CUTLASS_HOST_DEVICE static bool requires_separate_reduction(Params const&) { return false; }
  CUTLASS_HOST_DEVICE bool is_work_tile_for_reduction(WorkTileInfo const&, Params const&) { return false; }
  template <class FrgTensorC>
  CUTLASS_HOST_DEVICE void separate_reduction(Params const&, WorkTileInfo const&, FrgTensorC&, std::uint32_t,
                                              std::uint32_t) {}
  template <class FrgTensorC>
  CUTLASS_HOST_DEVICE static void share(Params const&, WorkTileInfo const&, FrgTensorC&, std::uint32_t, std::uint32_t) {
  }
  CUTLASS_HOST_DEVICE static bool valid_warpgroup_in_work_tile(WorkTileInfo const&) { return true; }

 private:
  template <class ClusterShape>
  CUTLASS_HOST_DEVICE static GemmCoord extents(ClusterShape const& cluster_shape) {
    return GemmCoord(static_cast<int>(cute::size<0>(cluster_shape)), static_cast<int>(cute::size<1>(cluster_shape)), 1);
  }

  std::uint64_t current_work_linear_idx_ = 0;
  std::uint64_t total_grid_size_ = 1;
};

}  // namespace cutlass::gemm::kernel::detail
