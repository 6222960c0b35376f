// A product of matrices for SM90: C = A·Bᵀ with 16-bit floats, K contiguous in both, added up in float. Blocks stay and take
// one tile of C after another. One thread keeps TMA loads of A and B in flight, four stages ahead; two warpgroups multiply the
// tiles as they arrive, each 64 rows of them. The blocks of a cluster have tiles of C below one another and load each a part of
// B for all. Each warp stores its 16 rows of C through shared memory by TMA, which goes on while the next tile is multiplied. The
// same kernel runs on a CPU; there one that releases a stage before its product is complete is found.
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
  static constexpr int stages = 4, max_threads = 384, consumer_warps = 8, pieces = TileN / 64;
  using Tile = Shape<_128, C<TileN>, _64>;  // (BLK_M, BLK_N, BLK_K)
  using SharedA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<Element>{}, Shape<_128, _64, C<stages>>{}));
  using SharedB = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<Element>{}, Shape<C<TileN>, _64, C<stages>>{}));
  using Mma =
      decltype(make_tiled_mma(GMMA::ss_op_selector<Element, Element, float, Tile>(), Layout<Shape<_2, _1, _1>>{}));
  using PieceMma =  // of 64 columns of the tile
      decltype(make_tiled_mma(GMMA::ss_op_selector<Element, Element, float, Shape<_128, _64, _64>>(),
                              Layout<Shape<_2, _1, _1>>{}));
  using SharedC = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<Element>{}, Shape<_128, _64, _2>{}));
  using SharedRows = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<Element>{}, Shape<_16, _64, _16>{}));
  using LoadB = std::conditional_t<Cluster == 1, SM90_TMA_LOAD, SM90_TMA_LOAD_MULTICAST>;
  static constexpr int bytes_of_a_stage = (128 + TileN) * 64 * 2;
  static constexpr bytes shared_bytes{bytes_of_a_stage * stages + 128 * 64 * 2 * 2 + 2048};

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

  /// For a result whose rows are multiples of 16 bytes.
  static auto store_c(auto const& c) {
    return make_tma_copy(SM90_TMA_STORE{}, c, SharedRows{}(_, _, 0), Shape<_16, _64>{});
  }

  /// c: (M,N), or the result of store_c.  pre: K is a multiple of 8
  TILEWRIGHT_NO_EXEC_CHECK  // launch_checked calls it with a block that is the host's alone
      template <class Block, class TmaA, class TmaB, class Result>
      TILEWRIGHT_HOST_DEVICE void operator()(Block& block, TmaA const& tma_a, TmaB const& tma_b, Result const& c, int m,
                                             int n, int k) const {
    int const rank = block.cluster_rank(), steps = ceil_div(k, 64);
    auto const gA = local_tile(tma_a.get_tma_tensor(make_shape(m, k)), Tile{}, make_coord(_, _, _), Step<_1, X, _1>{});
    auto const gB = local_tile(tma_b.get_tma_tensor(make_shape(n, k)), Tile{}, make_coord(_, _, _), Step<X, _1, _1>{});
    auto sA = shared<Element>(block, SharedA{});                    // (BLK_M, BLK_K, stage)
    auto sB = shared<Element>(block, SharedB{});                    // (BLK_N, BLK_K, stage)
    auto sC = shared<Element>(block, SharedC{});                    // (BLK_M, 64, buffer)
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
      Mma mma;
      auto const thr_mma = mma.get_slice(block.thread() - 128);
      auto const tCrA = thr_mma.partition_fragment_A(sA);              // (1, RestM, RestK, stage), descriptors
      auto const tCrB = thr_mma.partition_fragment_B(sB);              // (1, RestN, RestK, stage), descriptors
      auto tCrC = partition_fragment_C(mma, Shape<_128, C<TileN>>{});  // (V, RestM, RestN)
      for (int i = first; i < tiles.count(); i += step) {
        auto const tile = tiles(i);
        mma.accumulate_ = GMMA::ScaleOut::Zero;  // the first product replaces the sums
        TILEWRIGHT_UNROLL_BY(1)                  // a copy of the loop would copy sums in flight
        for (int j = 0; j < steps; ++j) {
          wait_barrier(full(at.stage), at.phase);
          warpgroup_fence_operand(tCrC);
          warpgroup_arrive();
          TILEWRIGHT_UNROLL
          for (int s = 0; s < 4; ++s) {
            gemm(mma, tCrA(_, _, s, at.stage), tCrB(_, _, s, at.stage), tCrC);
            mma.accumulate_ = GMMA::ScaleOut::One;
          }
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
        int const tile_m = get<0>(tile) * Cluster + rank;
        if constexpr (TensorType<Result>) store(thr_mma, tCrC, c, tile_m, get<1>(tile));
        else store_by_tma(block, tCrC, sC, c, make_shape(m, n), tile_m, get<1>(tile));
      }
      if constexpr (!TensorType<Result>) tma_store_wait<0>();  // no block exits while a store reads its memory
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
    if (lane < Cluster) release_remote_barrier(barrier, static_cast<std::uint32_t>(lane));
  }
  /// The warp's 16 rows of a tile, 64 columns at a time: by stmatrix to shared memory, from there by TMA, one store behind.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Block, class Accumulator, class SC, class Store, class ShapeC>
  TILEWRIGHT_HOST_DEVICE static void store_by_tma(Block& block, Accumulator const& sums, SC const& sC,
                                                  Store const& tma_c, ShapeC const& shape_c, int tile_m, int tile_n) {
    int const thread = block.thread() - 128, warp = thread / 32;
    auto const gC = local_tile(tma_c.get_tma_tensor(shape_c), Shape<_16, _64>{}, make_coord(_, _));  // (16, 64, m, n)
    auto const sRows = make_tensor(sC.data(), SharedRows{});  // (16, 64, warp + 8 buffer)
    auto const [tCgC, tCsC] = tma_partition(tma_c, 0, Layout<_1>{}, group_modes<0, 2>(sRows),
                                            group_modes<0, 2>(gC));  // (TMA, m, n), (TMA, warp + 8 buffer)
    auto const to_shared = make_tiled_copy_C(Copy_Atom<SM90_U32x4_STSM_N, Element>{}, PieceMma{});
    auto const thr_copy = to_shared.get_slice(thread);
    auto const tCsC_stored = thr_copy.partition_D(sC);  // (Cpy, RestM, RestN, buffer)
    auto piece = make_fragment_like<Element>(partition_fragment_C(PieceMma{}, Shape<_128, _64>{}));  // (V, 1, 1)
    TILEWRIGHT_UNROLL
    for (int p = 0; p < pieces; ++p) {
      TILEWRIGHT_UNROLL
      for (int v = 0; v < 32; ++v) piece(v) = static_cast<Element>(sums(32 * p + v));
      tma_store_wait<pieces % 2 == 0 ? 1 : 0>();  // the store before last has read its buffer
      block.sync_warp();
      copy(to_shared, thr_copy.retile_S(piece), tCsC_stored(_, _, _, p % 2));
      tma_store_fence();
      block.sync_warp();
      int const row = 8 * tile_m + warp, column = pieces * tile_n + p;
      if (thread % 32 == 0 && row < size<1>(tCgC) && column < size<2>(tCgC)) {
        copy(tma_c, tCsC(_, warp + 8 * (p % 2)), tCgC(_, row, column));
        tma_store_arrive();
      }
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
  int const m = 200, k = 328, pitch = 96;  // no whole number of tiles in any mode
  std::mt19937 random(1);
  std::uniform_real_distribution<float> real(-1, 1);
  std::vector<Element> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(pitch * k));
  for (Element& x : a) x = Element(real(random));
  for (Element& x : b) x = Element(real(random));
  auto const rows_of = [](auto* data, int rows, int columns, int to_next) {
    return make_tensor(make_gmem_ptr(data),
                       make_layout(make_shape(rows, columns), make_stride(multiple_of<8>(to_next), _1{})));
  };
  auto const count_right = [&](std::vector<Element> const& c, int n) {
    int right = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < pitch; ++j) {
        double sum = j < n ? 0 : -1;  // between the rows of C nothing is written
        for (int l = 0; j < n && l < k; ++l)
          sum += static_cast<double>(a[static_cast<std::size_t>(i * k + l)]) *
                 static_cast<double>(b[static_cast<std::size_t>(j * k + l)]);
        double const given = static_cast<double>(c[static_cast<std::size_t>(i * pitch + j)]);
        right += std::abs(given - sum) < 0.005 * (1 + std::abs(sum)) ? 1 : 0;
      }
    return right;
  };
  using Gemm = gemm_sm90<Element, 64, 1>;
  kernel_array<Element> const on_a(a), on_b(b);
  std::vector<Element> c(static_cast<std::size_t>(m * pitch), Element(-1.0f));
  kernel_array<Element> on_c(c);
  launch(launch_config{.grid = 2, .block = 384}, Gemm{}, Gemm::load_a(rows_of(on_a.data(), m, k, k)),
         Gemm::load_b(rows_of(on_b.data(), 88, k, k)), Gemm::store_c(rows_of(on_c.data(), m, 88, pitch)), m, 88, k);
  int const right = count_right(on_c.host(), 88);
  printf("%d x 88 x %d: %d of %d elements right\n", m, k, right, m * pitch);

  auto const check = [&](auto const& gemm, auto const& result, int n) {
    c.assign(c.size(), Element(-1.0f));
    launch_checked(checked_config{.grid = 2, .block = 384}, gemm, Gemm::load_a(rows_of(a.data(), m, k, k)),
                   Gemm::load_b(rows_of(b.data(), n, k, k)), result, m, n, k);
    printf("n = %d: every access is in bounds and ordered; %d elements right\n", n, count_right(c, n));
  };
  check(Gemm{}, Gemm::store_c(rows_of(c.data(), m, 88, pitch)), 88);
  check(Gemm{}, rows_of(c.data(), m, 91, pitch), 91);
  try {
    check(gemm_sm90<Element, 64, 1, false>{}, rows_of(c.data(), m, 91, pitch), 91);
  } catch (execution_error const& error) {
    printf("with stages that are released before their products: %s\n", error.what());
    return right == m * pitch ? 0 : 1;
  }
  return 1;
}

}  // namespace tilewright::examples
