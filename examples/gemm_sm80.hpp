// A product of matrices for SM80: C = A·Bᵀ with 16-bit floats, K contiguous in both, added up in float. Three tiles of A and of B are
// on their way through shared memory by cp.async, ldmatrix brings them to the fragments of tensor cores, and what the
// last tiles have beyond the matrices is filled with zeros and not written. The same kernel runs on a CPU; there one that
// forgets a barrier is found.
#pragma once

#include "examples/kernel_array.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

namespace tilewright::examples {

template <bool HasBarriers>
struct gemm_sm80 {
  static constexpr int stages = 3;
  using Tile = Shape<_64, _64, _32>;  // (BLK_M, BLK_N, BLK_K)
  // Rows of 64 bytes, whose pieces of 16 bytes are spread over the banks.
  using Shared = decltype(tile_to_shape(composition(Swizzle<2, 3, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}),
                                        Shape<_64, _32, C<stages>>{}));
  using Load = decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, half_t>{},
                                        Layout<Shape<_32, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _8>>{}));
  using Mma = decltype(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, tuple<_32, _32, _16>{}));
  using Fetch = Copy_Atom<SM75_U32x4_LDSM_N, half_t>;
  static constexpr bytes shared_bytes{2 * 64 * 32 * stages * 2};

  /// Tile `k` of an operand to its stage; zeros where it is beyond the matrix. A tile beyond the last is not loaded.
  template <class From, class To, class Coordinates, class Extents>
  TILEWRIGHT_FN static void load(From const& from, To const& to, Coordinates const& at, Extents const& extents, int k) {
    if (k < static_cast<int>(size<3>(from))) {
      auto inside = make_tensor<bool>(make_shape(size<1>(from), size<2>(from)));  // (CpyM, CpyK)
      TILEWRIGHT_UNROLL
      for (int m = 0; m < static_cast<int>(size<1>(from)); ++m) {
        TILEWRIGHT_UNROLL
        for (int j = 0; j < static_cast<int>(size<2>(from)); ++j) inside(m, j) = elem_less(at(0, m, j, k), extents);
      }
      copy_if(Load{}, inside, from(_, _, _, k), to(_, _, _, k % stages));
    }
  }

  /// a: (M,K), b: (N,K), c: (M,N).  pre: K is a multiple of 8
  TILEWRIGHT_NO_EXEC_CHECK  // launch_checked calls it with a block that is the host's alone
      template <class Block, class A, class B, class CT>
      TILEWRIGHT_HOST_DEVICE void operator()(Block& block, A a, B b, CT c) const {
    auto const place = make_coord(static_cast<int>(block.index().x), static_cast<int>(block.index().y), _);
    auto const gA = local_tile(a, Tile{}, place, Step<_1, X, _1>{});  // (BLK_M, BLK_K, k)
    auto const gB = local_tile(b, Tile{}, place, Step<X, _1, _1>{});  // (BLK_N, BLK_K, k)
    auto gC = local_tile(c, Tile{}, place, Step<_1, _1, X>{});        // (BLK_M, BLK_N)
    auto const cA = local_tile(make_identity_tensor(shape(a)), Tile{}, place, Step<_1, X, _1>{});
    auto const cB = local_tile(make_identity_tensor(shape(b)), Tile{}, place, Step<X, _1, _1>{});
    auto const cC = local_tile(make_identity_tensor(shape(c)), Tile{}, place, Step<_1, _1, X>{});
    auto sA = shared<half_t>(block, Shared{});  // (BLK_M, BLK_K, stage)
    auto sB = shared<half_t>(block, Shared{});  // (BLK_N, BLK_K, stage)

    auto const thr_load = Load{}.get_slice(block.thread());
    auto const tAgA = thr_load.partition_S(gA);  // (Cpy, CpyM, CpyK, k)
    auto const tAcA = thr_load.partition_S(cA);  // (Cpy, CpyM, CpyK, k)
    auto const tAsA = thr_load.partition_D(sA);  // (Cpy, CpyM, CpyK, stage)
    auto const tBgB = thr_load.partition_S(gB);  // (Cpy, CpyN, CpyK, k)
    auto const tBcB = thr_load.partition_S(cB);  // (Cpy, CpyN, CpyK, k)
    auto const tBsB = thr_load.partition_D(sB);  // (Cpy, CpyN, CpyK, stage)

    Mma const mma;
    auto const thr_mma = mma.get_slice(block.thread());
    auto const tCcC = thr_mma.partition_C(cC);              // (V, RestM, RestN)
    auto tCgC = thr_mma.partition_C(gC);                    // (V, RestM, RestN)
    auto tCrA = thr_mma.partition_fragment_A(sA(_, _, 0));  // (V, RestM, RestK)
    auto tCrB = thr_mma.partition_fragment_B(sB(_, _, 0));  // (V, RestN, RestK)
    auto tCrC = thr_mma.make_fragment_C(tCgC);              // (V, RestM, RestN)
    auto const fetch_a = make_tiled_copy_A(Fetch{}, mma);
    auto const fetch_b = make_tiled_copy_B(Fetch{}, mma);
    auto const tXsA = fetch_a.get_slice(block.thread()).partition_S(sA);  // (Cpy, RestM, RestK, stage)
    auto const tXsB = fetch_b.get_slice(block.thread()).partition_S(sB);  // (Cpy, RestN, RestK, stage)
    auto tXrA = fetch_a.get_slice(block.thread()).retile_D(tCrA);         // (Cpy, RestM, RestK)
    auto tXrB = fetch_b.get_slice(block.thread()).retile_D(tCrB);         // (Cpy, RestN, RestK)
    clear(tCrC);

    int const tiles = static_cast<int>(size<3>(tAgA));
    for (int k = 0; k < stages - 1; ++k) {
      load(tAgA, tAsA, tAcA, shape(a), k);
      load(tBgB, tBsB, tBcB, shape(b), k);
      cp_async_fence();
    }
    for (int k = 0; k < tiles; ++k) {
      cp_async_wait<stages - 2>();              // this thread's part of tile k is there,
      if constexpr (HasBarriers) block.sync();  // and the others', who have read what is overwritten next
      load(tAgA, tAsA, tAcA, shape(a), k + stages - 1);
      load(tBgB, tBsB, tBcB, shape(b), k + stages - 1);
      cp_async_fence();
      copy(fetch_a, tXsA(_, _, _, k % stages), tXrA);
      copy(fetch_b, tXsB(_, _, _, k % stages), tXrB);
      gemm(mma, tCrA, tCrB, tCrC);
    }
    cp_async_wait<0>();
    TILEWRIGHT_UNROLL
    for (int i = 0; i < static_cast<int>(size(tCrC)); ++i)
      if (elem_less(tCcC(i), shape(c))) tCgC(i) = tCrC(i);
  }
};

inline int run_gemm_sm80() {
  int const m = 150, n = 100, k = 136;  // no whole number of tiles in any mode
  std::mt19937 random(1);
  std::uniform_real_distribution<float> real(-1, 1);
  std::vector<half_t> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(n * k));
  for (half_t& x : a) x = half_t(real(random));
  for (half_t& x : b) x = half_t(real(random));
  kernel_array<half_t> const on_a(a), on_b(b);
  kernel_array<float> on_c(static_cast<std::size_t>(m * n), -1.0f);
  auto const rows_of_k = [k](half_t const* data, int rows) {
    return make_tensor(make_gmem_ptr(data), make_layout(make_shape(rows, k), make_stride(multiple_of<8>(k), _1{})));
  };
  auto const result = make_layout(make_shape(m, n), make_stride(n, _1{}));
  dim3 const grid(static_cast<unsigned>(ceil_div(m, 64)), static_cast<unsigned>(ceil_div(n, 64)));
  launch(launch_config{.grid = grid, .block = 128}, gemm_sm80<true>{}, rows_of_k(on_a.data(), m),
         rows_of_k(on_b.data(), n), make_tensor(make_gmem_ptr(on_c.data()), result));

  auto c = on_c.host();
  int right = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l)
        sum += static_cast<double>(a[static_cast<std::size_t>(i * k + l)]) *
               static_cast<double>(b[static_cast<std::size_t>(j * k + l)]);
      right += std::abs(static_cast<double>(c[static_cast<std::size_t>(i * n + j)]) - sum) < 1e-4 ? 1 : 0;
    }
  }
  printf("%d x %d x %d: %d of %d elements right\n", m, n, k, right, m * n);

  checked_config const config{.grid = grid, .block = 128};
  auto const C_ = make_tensor(make_gmem_ptr(c.data()), result);
  launch_checked(config, gemm_sm80<true>{}, rows_of_k(a.data(), m), rows_of_k(b.data(), n), C_);
  printf("every access of the kernel is in bounds and ordered\n");
  try {
    launch_checked(config, gemm_sm80<false>{}, rows_of_k(a.data(), m), rows_of_k(b.data(), n), C_);
  } catch (execution_error const& error) {
    printf("without its barriers: %s\n", error.what());
    return right == m * n ? 0 : 1;
  }
  return 1;
}

}  // namespace tilewright::examples
