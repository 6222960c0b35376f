// The schedulers of persistent kernels against counting: each tile of each problem is that of one number and one block, the blocks
// of a cluster have tiles next to each other, bands and grids have the extents asked for.
#include <gtest/gtest.h>
#include <cutlass/gemm/kernel/tile_scheduler.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

using namespace cute;

namespace {

namespace detail = cutlass::gemm::kernel::detail;
using detail::RasterOrder;
using detail::RasterOrderOptions;
using Scheduler = detail::PersistentTileSchedulerSm90;

cutlass::KernelHardwareInfo machine(int multiprocessors) {
  cutlass::KernelHardwareInfo out;
  out.sm_count = multiprocessors;
  return out;
}

/// Tile of number i of a problem by the block at (m, n) of its cluster.
auto tile_of(Scheduler::Params const& p, std::uint64_t i, std::uint64_t m, std::uint64_t n) {
  return Scheduler::get_work_idx_m_and_n(p.divmod_cluster_shape_minor_.divide(i), p.divmod_cluster_shape_major_,
                                         p.divmod_cluster_shape_minor_, p.divmod_cluster_blk_major_,
                                         p.log_swizzle_size_, p.raster_order_, m, n);
}

TEST(TileScheduler, EveryTileIsOneNumbersAndClustersAreNeighbours) {
  for (auto raster : {RasterOrderOptions::Heuristic, RasterOrderOptions::AlongM, RasterOrderOptions::AlongN})
    for (auto [cluster_m, cluster_n] : {std::pair{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {2, 4}})
      for (auto [m, n] : {std::pair{1, 1}, {700, 130}, {128, 2000}, {1500, 1500}})
        for (int swizzle : {1, 2, 4, 8}) {
          auto const p = Scheduler::to_underlying_arguments(make_shape(m, n, 64, 3), Shape<_128, _64, _32>{},
                                                            make_shape(cluster_m, cluster_n, _1{}), machine(132),
                                                            Scheduler::Arguments{swizzle, raster});
          auto const tiles = p.blocks_per_problem_;
          ASSERT_EQ(tiles, std::uint64_t{p.problem_tiles_m_} * p.problem_tiles_n_);
          ASSERT_GE(p.problem_tiles_m_, static_cast<unsigned>((m + 127) / 128));
          ASSERT_GE(p.problem_tiles_n_, static_cast<unsigned>((n + 63) / 64));
          ASSERT_EQ(p.problem_tiles_l_, 3u);
          ASSERT_LE(1 << p.log_swizzle_size_, swizzle);
          auto const size = static_cast<std::uint64_t>(cluster_m * cluster_n);
          std::set<std::pair<int, int>> seen;
          for (std::uint64_t first = 0; first < tiles; first += size) {  // a cluster's numbers are consecutive
            std::set<std::pair<int, int>> of_cluster;
            for (std::uint64_t i = first; i < first + size; ++i) {
              bool const along_n = p.raster_order_ == RasterOrder::AlongN;
              auto const in = i - first;
              auto const in_m = along_n ? in % static_cast<unsigned>(cluster_m) : in / static_cast<unsigned>(cluster_n);
              auto const in_n = along_n ? in / static_cast<unsigned>(cluster_m) : in % static_cast<unsigned>(cluster_n);
              auto const [tile_m, tile_n] = tile_of(p, i, in_m, in_n);
              of_cluster.insert({tile_m / cluster_m, tile_n / cluster_n});
              ASSERT_TRUE(tile_m >= 0 && tile_n >= 0 && static_cast<unsigned>(tile_m) < p.problem_tiles_m_ &&
                          static_cast<unsigned>(tile_n) < p.problem_tiles_n_);
              ASSERT_TRUE(seen.insert({tile_m, tile_n}).second);
              ASSERT_EQ(Scheduler::get_linear_idx_from_m_and_n(
                            tile_m, tile_n, p.divmod_cluster_shape_major_, p.divmod_cluster_shape_minor_,
                            p.divmod_cluster_blk_major_, p.log_swizzle_size_, p.raster_order_),
                        i);
            }
            ASSERT_EQ(of_cluster.size(), 1u);
          }
          ASSERT_EQ(seen.size(), tiles);
        }
}

TEST(TileScheduler, OneBlockTakesAllTilesOfAllBatches) {
  auto const p = Scheduler::to_underlying_arguments(make_shape(300, 500, 64, 2), Shape<_128, _128, _32>{},
                                                    Shape<_1, _1, _1>{}, machine(4), {});
  Scheduler scheduler(p);
  std::set<std::tuple<int, int, int>> seen;
  auto work = scheduler.initial_work_tile_info(Shape<_1, _1, _1>{});
  while (work.is_valid()) {
    EXPECT_TRUE(seen.insert({work.M_idx, work.N_idx, work.L_idx}).second);
    auto const coord = Scheduler::work_tile_to_cta_coord(work);
    EXPECT_EQ(get<0>(coord), work.M_idx);
    EXPECT_EQ(get<3>(coord), work.L_idx);
    EXPECT_EQ(scheduler.is_last_tile(work), seen.size() == 24);
    auto [next, goes_on] = scheduler.fetch_next_work(work);
    EXPECT_TRUE(goes_on);
    work = next;
  }
  EXPECT_EQ(seen.size(), 3u * 4 * 2);
  EXPECT_FALSE(scheduler.get_current_work().is_valid());
}

TEST(TileScheduler, OrderOfAnExampleByHand) {  // four by four tiles in bands of two, N first
  auto const p = Scheduler::to_underlying_arguments(make_shape(4, 4, 1, 1), Shape<_1, _1, _1>{}, Shape<_1, _1, _1>{},
                                                    machine(4), {2, RasterOrderOptions::AlongN});
  std::vector<std::pair<int, int>> order;
  for (std::uint64_t i = 0; i < 10; ++i) {
    auto const [m, n] = tile_of(p, i, 0, 0);
    order.push_back({m, n});
  }
  std::vector<std::pair<int, int>> const expected{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2},
                                                  {1, 2}, {0, 3}, {1, 3}, {2, 0}, {3, 0}};
  EXPECT_EQ(order, expected);
}

TEST(TileScheduler, GridsAreWholeClustersThatRunAtOnce) {
  for (auto [cluster_m, cluster_n] : {std::pair{1, 1}, {2, 1}, {1, 2}, {4, 2}})
    for (auto raster : {RasterOrderOptions::AlongM, RasterOrderOptions::AlongN})
      for (int m : {100, 5000}) {
        auto const cluster = make_shape(cluster_m, cluster_n, _1{});
        auto const problem = make_shape(m, 4096, 64, 1);
        Scheduler::Arguments const arguments{1, raster};
        auto const tile = Shape<_128, _128, _64>{};
        auto const p = Scheduler::to_underlying_arguments(problem, tile, cluster, machine(132), arguments);
        auto const grid = Scheduler::get_grid_shape(p, problem, tile, cluster, machine(132), arguments);
        auto const blocks = grid.x * grid.y * grid.z;
        auto const tiles = static_cast<unsigned>(p.blocks_per_problem_);
        int const size = cluster_m * cluster_n;
        EXPECT_EQ(grid.x % static_cast<unsigned>(cluster_m), 0u);
        EXPECT_EQ(grid.y % static_cast<unsigned>(cluster_n), 0u);
        int const running = 7 * (18 / size * size) + 6 / size * size;
        EXPECT_EQ(blocks, std::min(tiles, static_cast<unsigned>(running)));
        EXPECT_EQ(raster == RasterOrderOptions::AlongN ? grid.x : grid.y,
                  static_cast<unsigned>(raster == RasterOrderOptions::AlongN ? cluster_m : cluster_n));
      }
  static_assert(detail::get_max_cta_occupancy(18, cutlass::gemm::GemmCoord(4, 1, 1), 132) == 116);
}

TEST(TileScheduler, StepsOfKAndTilesOfTwoBlocks) {
  auto const problem = make_shape(256, 256, 100, 1);
  auto const tile = Shape<_256, _128, _32>{};
  Scheduler::WorkTileInfo const work{3, 5, 0, true};
  EXPECT_EQ(Scheduler::get_work_k_tile_count(work, problem, tile), 4);
  EXPECT_EQ(Scheduler::get_work_k_tile_start(work), 0u);
  Scheduler scheduler;
  int steps = 0;
  for (auto k = scheduler.get_k_tile_iterator(work, problem, tile, problem); steps < 4; ++k) EXPECT_EQ(*k, steps++);
  auto const two = Scheduler::get_tiled_cta_shape_mnl(problem, tile, Shape<_2, _1, _1>{}, Shape<_2, _1, _1>{});
  EXPECT_TRUE(two.x == 2 && two.y == 2 && two.z == 1);
  static_assert(std::is_same_v<detail::TileSchedulerSelector<void, cutlass::arch::Sm90, Shape<_128, _128, _64>,
                                                             Shape<_1, _1, _1>>::Scheduler,
                               Scheduler>);
}

}  // namespace
