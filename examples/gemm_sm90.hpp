// A product of matrices for SM90: C = A·Bᵀ with 16-bit floats, K contiguous in both, added up in float. Blocks stay and take
// one tile of C after another. One thread keeps TMA loads of A and B in flight, four stages ahead; two warpgroups multiply the
// tiles as they arrive, each 64 rows of them. The blocks of a cluster have tiles of C below one another and load each a part of
// B for all. The same kernel runs on a CPU; there one that releases a stage before its product is complete is found.
#pragma once

#include "examples/kernel_array.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/mma/gmma_layouts.hpp"
#include "tilewright/mma/gmma_selectors.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"
#include "tilewright/tilewright.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

namespace tilewright::examples {

template <class Element, int TileN, int Cluster, bool WaitsForProducts = true>
struct gemm_sm90 {
  static constexpr int stages = 4, max_threads = 384, consumer_warps = 8;
  using Tile = Shape<_128, C<TileN>, _64>;  // (BLK_M, BLK_N, BLK_K)
  using SharedA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<Element>{}, Shape<_128, _64, C<stages>>{}));
  using SharedB = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<Element>{}, Shape<C<TileN>, _64, C<stages>>{}));
  using Mma =
      decltype(make_tiled_mma(GMMA::ss_op_selector<Element, Element, float, Tile>(), Layout<Shape<_2, _1, _1>>{}));
  using LoadB = std::conditional_t<Cluster == 1, SM90_TMA_LOAD, SM90_TMA_LOAD_MULTICAST>;
  static constexpr int bytes_of_a_stage = (128 + TileN) * 64 * 2;
  static constexpr bytes shared_bytes{bytes_of_a_stage * stages + 2048};

  /// The stage that a thread is at, and the parity of its phase.
  struct place {
    int stage = 0, phase = 0;
    TILEWRIGHT_FN void advance() {
      stage = stage + 1 == stages ? 0 : stage + 1;
      phase ^= stage == 0 ? 1 : 0;
    }
  };
  /// The tiles (m, n) of C in the order that they are taken in: bands of eight rows of tiles, so that blocks that run at once
  /// share their operands in the L2 cache.
  struct tiles_of_c {
    int rows, columns;
    TILEWRIGHT_FN int count() const { return rows * columns; }
    TILEWRIGHT_FN auto operator()(int i) const {
      int const band = i / (8 * columns), first = 8 * band, height = rows - first < 8 ? rows - first : 8;
      int const in_band = i - first * columns;
      return make_coord(first + in_band % height, in_band / height);
    }
  };

  static auto load_a(auto const& a) {
    return make_tma_copy(SM90_TMA_LOAD{}, a, SharedA{}(_, _, 0), Shape<_128, _64>{});
  }
  static auto load_b(auto const& b) {
    if constexpr (Cluster == 1) return make_tma_copy(LoadB{}, b, SharedB{}(_, _, 0), Shape<C<TileN>, _64>{});
    else return make_tma_copy(LoadB{}, b, SharedB{}(_, _, 0), Shape<C<TileN>, _64>{}, C<Cluster>{});
  }

  /// c: (M,N).  pre: K is a multiple of 8; the grid of Cluster
  TILEWRIGHT_NO_EXEC_CHECK  // launch_checked calls it with a block that is the host's alone
      template <class Block, class TmaA, class TmaB, class CT>
      TILEWRIGHT_HOST_DEVICE void operator()(Block& block, TmaA const& tma_a, TmaB const& tma_b, CT c, int k) const {
    int const m = static_cast<int>(size<0>(c)), n = static_cast<int>(size<1>(c));
    int const rank = block.cluster_rank(), steps = ceil_div(k, 64);
    auto const gA = local_tile(tma_a.get_tma_tensor(make_shape(m, k)), Tile{}, make_coord(_, _, _), Step<_1, X, _1>{});
    auto const gB = local_tile(tma_b.get_tma_tensor(make_shape(n, k)), Tile{}, make_coord(_, _, _), Step<X, _1, _1>{});
    auto sA = shared<Element>(block, SharedA{});                    // (BLK_M, BLK_K, stage)
    auto sB = shared<Element>(block, SharedB{});                    // (BLK_N, BLK_K, stage)
    auto full = shared<std::uint64_t>(block, Shape<C<stages>>{});   // (stage)
    auto empty = shared<std::uint64_t>(block, Shape<C<stages>>{});  // (stage)
    if (block.thread() == 0) {
      for (int s = 0; s < stages; ++s) {
        initialize_barrier(full(s), 1);
        initialize_barrier(empty(s), consumer_warps * Cluster);
      }
      fence_barrier_init();
    }
    if constexpr (Cluster == 1) block.sync();
    else block.cluster_sync();

    tiles_of_c const tiles{ceil_div(ceil_div(m, 128), Cluster), ceil_div(n, TileN)};
    int const first = static_cast<int>(block.index().x) / Cluster, step = static_cast<int>(block.grid().x) / Cluster;
    place at;
    if (block.thread() < 128) {  // the producer's warpgroup
      warpgroup_reg_dealloc<40>();
      if (block.thread() == 0) {
        auto const [tAgA, tAsA] = tma_partition(tma_a, 0, Layout<_1>{}, group_modes<0, 2>(sA),
                                                group_modes<0, 2>(gA));  // (TMA, m, k), (TMA, stage)
        auto const [tBgB, tBsB] = tma_partition(tma_b, rank, Layout<C<Cluster>>{}, group_modes<0, 2>(sB),
                                                group_modes<0, 2>(gB));  // (TMA, n, k), (TMA, stage)
        for (int i = first; i < tiles.count(); i += step) {
          auto const tile = tiles(i);
          for (int j = 0; j < steps; ++j, at.advance()) {
            wait_cluster_barrier(empty(at.stage), at.phase ^ 1);
            set_barrier_transaction_bytes(full(at.stage), bytes_of_a_stage);
            copy(tma_a.with(full(at.stage)), tAgA(_, get<0>(tile) * Cluster + rank, j), tAsA(_, at.stage));
            if constexpr (Cluster == 1) copy(tma_b.with(full(at.stage)), tBgB(_, get<1>(tile), j), tBsB(_, at.stage));
            else
              copy(tma_b.with(full(at.stage), static_cast<std::uint16_t>((1 << Cluster) - 1)), tBgB(_, get<1>(tile), j),
                   tBsB(_, at.stage));
          }
        }
      }
    } else {
      warpgroup_reg_alloc<232>();
      Mma const mma;
      auto const thr_mma = mma.get_slice(block.thread() - 128);
      auto const tCrA = thr_mma.partition_fragment_A(sA);              // (1, RestM, RestK, stage), descriptors
      auto const tCrB = thr_mma.partition_fragment_B(sB);              // (1, RestN, RestK, stage), descriptors
      auto tCrC = partition_fragment_C(mma, Shape<_128, C<TileN>>{});  // (V, RestM, RestN)
      for (int i = first; i < tiles.count(); i += step) {
        auto const tile = tiles(i);
        clear(tCrC);
        for (int j = 0; j < steps; ++j) {
          wait_barrier(full(at.stage), at.phase);
          warpgroup_fence_operand(tCrC);
          warpgroup_arrive();
          gemm(mma, tCrA(_, _, _, at.stage), tCrB(_, _, _, at.stage), tCrC);
          warpgroup_commit_batch();
          if constexpr (WaitsForProducts) warpgroup_wait<1>();  // the product before this one
          warpgroup_fence_operand(tCrC);
          if (!WaitsForProducts || j != 0)
            release(block, empty(WaitsForProducts ? (at.stage + stages - 1) % stages : at.stage));
          at.advance();
        }
        warpgroup_wait<0>();
        warpgroup_fence_operand(tCrC);
        if constexpr (WaitsForProducts) release(block, empty((at.stage + stages - 1) % stages));
        store(thr_mma, tCrC, c, get<0>(tile) * Cluster + rank, get<1>(tile));
      }
    }
    if constexpr (Cluster != 1) block.cluster_sync();  // no block exits while another may load into it
  }

 private:
  /// One arrival for each warp, at the stage's barrier in every block of the cluster.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Block, class Barrier>
  TILEWRIGHT_HOST_DEVICE static void release(Block& block, Barrier&& barrier) {
    block.sync_warp();
    int const lane = block.thread() % 32;
    if constexpr (Cluster == 1) {
      if (lane == 0) arrive_barrier(barrier);
    } else if (lane < Cluster) {
      release_remote_barrier(barrier, static_cast<std::uint32_t>(lane));
    }
  }
  /// The thread's values of a tile, those that are inside of C: in pairs where both are, and C's layout lets them be.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Thr, class Accumulator, class CT>
  TILEWRIGHT_HOST_DEVICE static void store(Thr const& thr_mma, Accumulator const& sums, CT c, int tile_m, int tile_n) {
    auto const gC = local_tile(c, Tile{}, make_coord(tile_m, tile_n, _), Step<_1, _1, X>{});  // (BLK_M, BLK_N)
    auto const cC =
        local_tile(make_identity_tensor(shape(c)), Tile{}, make_coord(tile_m, tile_n, _), Step<_1, _1, X>{});
    auto tCgC = thr_mma.partition_C(gC);        // (V, RestM, RestN)
    auto const tCcC = thr_mma.partition_C(cC);  // (V, RestM, RestN)
    TILEWRIGHT_UNROLL
    for (int i = 0; i < static_cast<int>(size(sums)); i += 2) {
      auto pair = make_tensor<Element>(_2{});
      pair(0) = static_cast<Element>(sums(i));
      pair(1) = static_cast<Element>(sums(i + 1));
      auto to = make_tensor(tCgC.data() + tCgC.layout()(i), make_layout(_2{}, stride<1>(c)));  // n, n + 1
      if (elem_less(tCcC(i + 1), shape(c))) copy(pair, to);
      else if (elem_less(tCcC(i), shape(c))) to(0) = pair(0);
    }
  }
};

inline int run_gemm_sm90() {
  using Element = bfloat16_t;
  int const m = 200, n = 90, k = 328;  // no whole number of tiles in any mode
  std::mt19937 random(1);
  std::uniform_real_distribution<float> real(-1, 1);
  std::vector<Element> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(n * k));
  for (Element& x : a) x = Element(real(random));
  for (Element& x : b) x = Element(real(random));
  auto const rows_of_k = [k](Element const* data, int rows) {
    return make_tensor(make_gmem_ptr(data), make_layout(make_shape(rows, k), make_stride(multiple_of<8>(k), _1{})));
  };
  auto const result = make_layout(make_shape(m, n), make_stride(n, _1{}));
  using Gemm = gemm_sm90<Element, 64, 1>;
  kernel_array<Element> const on_a(a), on_b(b);
  kernel_array<Element> on_c(static_cast<std::size_t>(m * n), Element(-1.0f));
  launch(launch_config{.grid = 2, .block = 384}, Gemm{}, Gemm::load_a(rows_of_k(on_a.data(), m)),
         Gemm::load_b(rows_of_k(on_b.data(), n)), make_tensor(make_gmem_ptr(on_c.data()), result), k);

  auto const count_right = [&](std::vector<Element> const& c) {
    int right = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum += static_cast<double>(a[static_cast<std::size_t>(i * k + l)]) *
                 static_cast<double>(b[static_cast<std::size_t>(j * k + l)]);
        double const given = static_cast<double>(c[static_cast<std::size_t>(i * n + j)]);
        right += std::abs(given - sum) < 0.005 * (1 + std::abs(sum)) ? 1 : 0;
      }
    return right;
  };
  int const right = count_right(on_c.host());
  printf("%d x %d x %d: %d of %d elements right\n", m, n, k, right, m * n);

  checked_config const config{.grid = 2, .block = 384};
  std::vector<Element> c(static_cast<std::size_t>(m * n));
  auto const C_ = make_tensor(make_gmem_ptr(c.data()), result);
  launch_checked(config, Gemm{}, Gemm::load_a(rows_of_k(a.data(), m)), Gemm::load_b(rows_of_k(b.data(), n)), C_, k);
  printf("every access of the kernel is in bounds and ordered; %d elements right\n", count_right(c));
  using Hasty = gemm_sm90<Element, 64, 1, false>;
  try {
    launch_checked(config, Hasty{}, Hasty::load_a(rows_of_k(a.data(), m)), Hasty::load_b(rows_of_k(b.data(), n)), C_,
                   k);
  } catch (execution_error const& error) {
    printf("with stages that are released before their products: %s\n", error.what());
    return right == m * n ? 0 : 1;
  }
  return 1;
}

}  // namespace tilewright::examples
