// The kernel of cutlass::gemm::device::Gemm: a block computes a tile (64,64) of D = epilogue(A · B, C), A (M,K), B (K,N), in steps of K
// through shared memory. What tiles have beyond the matrices is 0 and is not written. Warps multiply by the tensor cores of SM80 where
// the program asks for them and they have the types, else threads multiply and add in the type of the sum.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
#include "cutlass/arch/arch.h"
#include "cutlass/arch/mma.h"
#include "cutlass/layout/matrix.h"
#include "cutlass/tensor_ref.h"

#include <cstdint>
#include <type_traits>

namespace cutlass::detail {

/// Without tensor cores: 256 threads, a product of numbers each.
template <class A, class B, class Sum, bool TensorCores>
struct product_operation {
  using Mma = cute::TiledMMA<cute::MMA_Atom<cute::UniversalFMA<Sum, Sum, Sum, Sum>>,
                             cute::Layout<cute::Shape<cute::_16, cute::_16, cute::_1>>>;
  using SharedA = Sum;
  using SharedB = Sum;
  using Step = cute::_8;  // along K
  static constexpr bool is_of_warps = false;
};
/// With tensor cores: 2 x 2 warps.
template <class A, class B, class Operation>
struct product_of_warps {
  using Mma = cute::TiledMMA<cute::MMA_Atom<Operation>, cute::Layout<cute::Shape<cute::_2, cute::_2, cute::_1>>>;
  using SharedA = A;
  using SharedB = B;
  using Step = cute::_32;
  static constexpr bool is_of_warps = true;
};
template <>
struct product_operation<half_t, half_t, float, true>
    : product_of_warps<half_t, half_t, cute::SM80_16x8x16_F32F16F16F32_TN> {};
template <>
struct product_operation<half_t, half_t, half_t, true>
    : product_of_warps<half_t, half_t, cute::SM80_16x8x16_F16F16F16F16_TN> {};
template <>
struct product_operation<bfloat16_t, bfloat16_t, float, true>
    : product_of_warps<bfloat16_t, bfloat16_t, cute::SM80_16x8x16_F32BF16BF16F32_TN> {};
template <>
struct product_operation<tfloat32_t, tfloat32_t, float, true>
    : product_of_warps<tfloat32_t, tfloat32_t, cute::SM80_16x8x8_F32TF32TF32F32_TN> {};
template <>
struct product_operation<std::int8_t, std::int8_t, std::int32_t, true>
    : product_of_warps<std::int8_t, std::int8_t, cute::SM80_16x8x32_S32S8S8S32_TN> {};
template <>
struct product_operation<double, double, double, true>
    : product_of_warps<double, double, cute::SM80_8x8x4_F64F64F64F64_TN> {};

/// The factors are those of Epilogue, and the order of tiles that of Swizzle.
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementC, class LayoutC, class Sum,
          bool TensorCores, class Epilogue, class Swizzle>
struct matrix_product {
  using Operation = product_operation<ElementA, ElementB, Sum, TensorCores>;
  using Mma = typename Operation::Mma;
  using SharedA = typename Operation::SharedA;
  using SharedB = typename Operation::SharedB;
  static constexpr int kTile = 64, kStep = Operation::Step::value;
  static constexpr int kThreads = static_cast<int>(decltype(size(Mma{}))::value);
  static constexpr int MaxThreadsPerBlock = kThreads, MinBlocksPerMultiprocessor = 1;
  // 16 bytes between rows, so that the threads of a warp read different banks.
  static constexpr int kPad = sizeof(SharedA) < 16 ? 16 / static_cast<int>(sizeof(SharedA)) : 1;
  /// Rows of K for the operations of warps, columns of M or N for those of threads.
  using SharedLayout = std::conditional_t<
      Operation::is_of_warps,
      cute::Layout<cute::Shape<cute::C<kTile>, cute::C<kStep>>, cute::Stride<cute::C<kStep + kPad>, cute::_1>>,
      cute::Layout<cute::Shape<cute::C<kTile>, cute::C<kStep>>, cute::Stride<cute::_1, cute::C<kTile + kPad>>>>;
  static constexpr int kShared = static_cast<int>(decltype(cosize(SharedLayout{}))::value);

  struct Params {
    gemm::GemmCoord problem;
    TensorRef<ElementA const, LayoutA> a;
    TensorRef<ElementB const, LayoutB> b;
    TensorRef<ElementC const, LayoutC> c;
    TensorRef<ElementC, LayoutC> d;
    typename Epilogue::Params epilogue;

    CUTLASS_HOST_DEVICE constexpr int rows() const { return (problem.m() + kTile - 1) / kTile; }
    CUTLASS_HOST_DEVICE constexpr int columns() const { return (problem.n() + kTile - 1) / kTile; }
  };
  struct SharedStorage {
    alignas(16) SharedA a[static_cast<std::size_t>(kShared)];
    alignas(16) SharedB b[static_cast<std::size_t>(kShared)];
  };

  /// Tile (kTile,kStep) of an operand to shared memory: element_at(i, k), 0 beyond `extent` and `depth`.
  template <bool StepIsFast, class Tile, class ElementAt>
  CUTLASS_HOST_DEVICE static void load(Tile const& tile, int thread, int first, int extent, int k0, int depth,
                                       ElementAt const& element_at) {
    using T = typename Tile::value_type;
    CUTLASS_PRAGMA_UNROLL
    for (int i = thread; i < kTile * kStep; i += kThreads) {
      int const at = StepIsFast ? i / kStep : i % kTile;
      int const k = StepIsFast ? i % kStep : i / kTile;
      bool const inside = first + at < extent && k0 + k < depth;
      tile(at, k) = inside ? static_cast<T>(element_at(first + at, k0 + k)) : T(0);
    }
  }

  /// One thread of block `block`. sA and sB are tensors of SharedLayout in shared memory, `sync` is the barrier of the block.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class TileA, class TileB, class Sync>
  CUTLASS_HOST_DEVICE static void run(Params const& p, int block, int thread, TileA const& sA, TileB const& sB,
                                      Sync const& sync) {
    using namespace cute;
    MatrixCoord const tile = Swizzle::tile_of_block(block, p.rows(), p.columns());
    int const m0 = tile.row() * kTile, n0 = tile.column() * kTile;
    auto const thr = Mma{}.get_slice(thread);
    auto const tCsA = thr.partition_A(sA);                                                 // (V, RestM, RestK)
    auto const tCsB = thr.partition_B(sB);                                                 // (V, RestN, RestK)
    auto const tCcC = thr.partition_C(make_identity_tensor(Shape<C<kTile>, C<kTile>>{}));  // (V, RestM, RestN)
    auto tCrA = thr.partition_fragment_A(sA);                                              // (V, RestM, RestK)
    auto tCrB = thr.partition_fragment_B(sB);                                              // (V, RestN, RestK)
    auto tCrC = partition_fragment_C(Mma{}, Shape<C<kTile>, C<kTile>>{});                  // (V, RestM, RestN)
    clear(tCrC);
    for (int k0 = 0; k0 < p.problem.k(); k0 += kStep) {
      load<std::is_same_v<LayoutA, layout::RowMajor>>(
          sA, thread, m0, p.problem.m(), k0, p.problem.k(),
          [&](int m, int k) { return static_cast<ElementA>(p.a.at(MatrixCoord(m, k))); });
      load<std::is_same_v<LayoutB, layout::ColumnMajor>>(
          sB, thread, n0, p.problem.n(), k0, p.problem.k(),
          [&](int n, int k) { return static_cast<ElementB>(p.b.at(MatrixCoord(k, n))); });
      sync();
      CUTLASS_PRAGMA_UNROLL
      for (int k = 0; k < static_cast<int>(size<2>(tCsA)); ++k) {
        copy(tCsA(_, _, k), tCrA(_, _, k));
        copy(tCsB(_, _, k), tCrB(_, _, k));
        cute::gemm(Mma{}, tCrA(_, _, k), tCrB(_, _, k), tCrC);
      }
      sync();
    }
    Epilogue const epilogue(p.epilogue);
    CUTLASS_PRAGMA_UNROLL
    for (int i = 0; i < static_cast<int>(size(tCrC)); ++i) {
      auto const at = tCcC(i);
      MatrixCoord const coord(m0 + static_cast<int>(get<0>(at)), n0 + static_cast<int>(get<1>(at)));
      if (coord.row() >= p.problem.m() || coord.column() >= p.problem.n()) continue;
      Sum const sum = tCrC(i);
      if (epilogue.is_source_needed()) p.d.at(coord) = epilogue(sum, static_cast<ElementC>(p.c.at(coord)));
      else p.d.at(coord) = epilogue(sum);
    }
  }

#if defined(__CUDACC__)
  struct block_barrier {
    __device__ void operator()() const { __syncthreads(); }
  };
  /// Of device_kernel.
  __device__ void operator()(Params const& p, char* memory) const {
    auto& shared = *reinterpret_cast<SharedStorage*>(memory);
    auto const sA = cute::make_tensor(cute::make_smem_ptr(shared.a), SharedLayout{});  // (M, K)
    auto const sB = cute::make_tensor(cute::make_smem_ptr(shared.b), SharedLayout{});  // (N, K)
    run(p, static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x), sA, sB, block_barrier{});
  }
#endif
};

}  // namespace cutlass::detail
