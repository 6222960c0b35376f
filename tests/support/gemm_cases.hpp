// Kernels out of the builders' main loops and epilogues on the CPU, and what compares their products with a triple loop.
#pragma once

#include "tilewright/exec/launch.hpp"

#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <gtest/gtest.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/epilogue/collective/default_epilogue.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace gemm_cases {

using namespace cute;
namespace fusion = cutlass::epilogue::fusion;
using cutlass::layout::ColumnMajor;
using cutlass::layout::RowMajor;

template <class Kernel>
struct of_block {
  template <class Block, class Params>
  void operator()(Block& block, Params const& params) const {
    char* const memory = block.template shared_array<char>(sizeof(typename Kernel::SharedStorage), 1024);
    Kernel{}(params, memory);
  }
};

template <class A, class LayoutA, class B, class LayoutB, class D, class LayoutD, class Tile, class Cluster,
          class Schedule, class Fusion = fusion::LinearCombination<D, float, D, float>,
          class EpilogueSchedule = cutlass::epilogue::collective::EpilogueScheduleAuto, class C = D,
          class LayoutC = LayoutD, int Alignment = 128 / sizeof_bits_v<D>,
          class EpilogueTile = cutlass::epilogue::collective::EpilogueTileAuto, int Stages = 3>
struct kernel_of {
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile, Cluster, EpilogueTile, float, float, C, LayoutC,
      Alignment, D, LayoutD, Alignment, EpilogueSchedule, Fusion>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, A, LayoutA, 128 / sizeof_bits_v<A>, B, LayoutB,
      128 / sizeof_bits_v<B>, float, Tile, Cluster, cutlass::gemm::collective::StageCount<Stages>,
      Schedule>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue>;
};

/// expected(sum, source, m, n): of an element
template <class Made, class Change, class Expected>
void expect_product(int m, int n, int k, int batches, int multiprocessors, Change const& change,
                    Expected const& expected) {
  using Kernel = typename Made::Kernel;
  using A = typename Kernel::ElementA;
  using B = typename Kernel::ElementB;
  using D = typename Kernel::ElementD;
  using Source = std::conditional_t<std::is_void_v<typename Kernel::ElementC>, D, typename Kernel::ElementC>;
  std::mt19937 random(7);
  auto const numbers = [&](auto zero, int count) {
    std::vector<decltype(zero)> out;
    for (int i = 0; i < count; ++i)
      out.push_back(decltype(zero)(static_cast<float>(static_cast<int>(random() % 5) - 2)));  // sums are exact
    return out;
  };
  auto const a = numbers(A(0.0f), m * k * batches);
  auto const b = numbers(B(0.0f), n * k * batches);
  auto const c = numbers(Source(0.0f), m * n * batches);
  std::vector<D> d(c.size(), D(99.0f));
  auto const dA = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, make_shape(m, k, batches));
  auto const dB = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, make_shape(n, k, batches));
  auto const dC = cutlass::make_cute_packed_stride(typename Kernel::StrideC{}, make_shape(m, n, batches));
  auto const dD = cutlass::make_cute_packed_stride(typename Kernel::StrideD{}, make_shape(m, n, batches));
  typename Kernel::Arguments args{cutlass::gemm::GemmUniversalMode::kGemm,
                                  {m, n, k, batches},
                                  {a.data(), dA, b.data(), dB},
                                  {{}, c.data(), dC, d.data(), dD}};
  if constexpr (requires { args.epilogue.thread.alpha; }) args.epilogue.thread.alpha = 2.0f;
  if constexpr (requires { args.epilogue.thread.beta; }) args.epilogue.thread.beta = -1.0f;
  args.hw_info.sm_count = multiprocessors;
  change(args);
  ASSERT_TRUE(Kernel::can_implement(args));
  auto const params = Kernel::to_underlying_arguments(args);
  auto const grid = Kernel::get_grid_shape(params);
  using Cluster = typename Kernel::ClusterShape;
  auto const cluster =
      tilewright::dim3(static_cast<unsigned>(size<0>(Cluster{})), static_cast<unsigned>(size<1>(Cluster{})), 1);
  tilewright::launch(tilewright::launch_config{.grid = grid, .block = Kernel::get_block_shape(), .cluster = cluster},
                     of_block<Kernel>{}, params);
  auto const A_ = make_tensor(a.data(), make_shape(m, k, batches), dA);
  auto const B_ = make_tensor(b.data(), make_shape(n, k, batches), dB);
  auto const C_ = make_tensor(c.data(), make_shape(m, n, batches), dC);
  auto const D_ = make_tensor(d.data(), make_shape(m, n, batches), dD);
  for (int l = 0; l < batches; ++l)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int p = 0; p < k; ++p) sum += static_cast<float>(A_(i, p, l)) * static_cast<float>(B_(j, p, l));
        ASSERT_EQ(static_cast<float>(D_(i, j, l)),
                  static_cast<float>(D(expected(sum, static_cast<float>(C_(i, j, l)), i, j))))
            << i << ", " << j << " of " << l;
      }
}
inline auto const unchanged = [](auto&) {};
inline auto const linear = [](float sum, float source, int, int) { return 2 * sum - source; };

}  // namespace gemm_cases
