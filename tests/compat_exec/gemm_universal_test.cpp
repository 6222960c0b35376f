// Kernels out of a collective main loop and an epilogue on the CPU against a triple loop: cooperative, ping-pong and one warpgroup;
// matrices of every major, batches, ragged extents, clusters that share loads, fusions, small floats.
#include "gemm_cases.hpp"

#include <cutlass/epilogue/collective/default_epilogue.hpp>

using namespace cute;
using namespace gemm_cases;

namespace {

namespace gemm = cutlass::gemm;

TEST(gemm_universal, schedules_and_majors) {
  using one = Shape<_1, _1, _1>;
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, Shape<_128, _64, _64>, one,
                           gemm::KernelTmaWarpSpecializedCooperative>>(200, 136, 72, 2, 3, unchanged, linear);
  expect_product<kernel_of<bfloat16_t, ColumnMajor, bfloat16_t, RowMajor, float, ColumnMajor, Shape<_64, _32, _64>, one,
                           gemm::KernelTmaWarpSpecializedPingpong>>(200, 96, 200, 1, 2, unchanged, linear);
  expect_product<kernel_of<half_t, RowMajor, half_t, RowMajor, half_t, RowMajor, Shape<_64, _64, _64>, one,
                           gemm::KernelTmaWarpSpecialized>>(72, 64, 136, 1, 8, unchanged, linear);
}

TEST(gemm_universal, blocks_of_a_cluster_share_loads) {
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, Shape<_64, _32, _64>,
                           Shape<_2, _2, _1>, gemm::KernelTmaWarpSpecialized>>(
      200, 100, 136, 1, 4, [](auto& args) { args.scheduler.max_swizzle_size = 2; }, linear);
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, Shape<_128, _64, _64>,
                           Shape<_2, _1, _1>, gemm::KernelTmaWarpSpecializedCooperative>>(300, 136, 200, 1, 4,
                                                                                          unchanged, linear);
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, Shape<_64, _64, _64>,
                           Shape<_1, _2, _1>, gemm::KernelTmaWarpSpecializedPingpong>>(300, 250, 328, 2, 4, unchanged,
                                                                                       linear);
}

TEST(gemm_universal, small_floats_and_single_precision) {
  expect_product<kernel_of<float_e4m3_t, RowMajor, float_e4m3_t, ColumnMajor, half_t, RowMajor, Shape<_64, _32, _128>,
                           Shape<_1, _1, _1>, gemm::KernelTmaWarpSpecialized>>(70, 40, 272, 1, 2, unchanged, linear);
  expect_product<kernel_of<float_e4m3_t, RowMajor, float_e5m2_t, ColumnMajor, half_t, RowMajor, Shape<_64, _32, _128>,
                           Shape<_1, _1, _1>, gemm::KernelTmaWarpSpecializedFP8FastAccum>>(70, 40, 272, 1, 2, unchanged,
                                                                                           linear);
  expect_product<kernel_of<float, RowMajor, float, ColumnMajor, float, RowMajor, Shape<_64, _32, _32>,
                           Shape<_1, _1, _1>, gemm::collective::KernelScheduleAuto>>(70, 40, 68, 1, 2, unchanged,
                                                                                     linear);
}

TEST(gemm_universal, fusions) {
  using one = Shape<_1, _1, _1>;
  using tile = Shape<_64, _32, _64>;
  std::vector<float> bias;
  for (int i = 0; i < 200; ++i) bias.push_back(static_cast<float>(i % 7) - 3);
  auto const with_bias = [&](auto& args) { args.epilogue.thread.bias_ptr = bias.data(); };
  auto const relu = [](float x) { return x > 0 ? x : 0.0f; };
  auto const at = [&](int i) { return bias[static_cast<std::size_t>(i)]; };
  expect_product<
      kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, tile, one, gemm::KernelTmaWarpSpecialized,
                fusion::LinCombPerRowBiasEltAct<cutlass::epilogue::thread::ReLu, float, float, float>>>(
      72, 40, 64, 1, 2, with_bias, [&](float sum, float source, int i, int) { return relu(2 * sum - source + at(i)); });
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, tile, one,
                           gemm::KernelTmaWarpSpecialized, fusion::LinCombPerColBias<float, float, float>>>(
      72, 40, 64, 1, 2, with_bias, [&](float sum, float source, int, int j) { return 2 * sum - source + at(j); });
  float const alpha = 3, beta = 0;
  expect_product<
      kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, tile, one, gemm::KernelTmaWarpSpecialized,
                fusion::LinCombEltAct<cutlass::epilogue::thread::ReLu, float, float>>>(
      72, 40, 64, 1, 2,
      [&](auto& args) {
        args.epilogue.thread.alpha_ptr = &alpha;
        args.epilogue.thread.beta_ptr = &beta;
      },
      [&](float sum, float, int, int) { return relu(3 * sum); });
}

// relu(scale of the row * accumulator + beta * C + bias of the column), and the number before relu in another matrix.
TEST(gemm_universal, trees_of_functions) {
  using tile = Shape<_64, _32, _64>;
  constexpr auto nearest = cutlass::FloatRoundStyle::round_to_nearest;
  using scaled = fusion::Sm90EVT<fusion::Sm90Compute<cutlass::multiplies, float, float, nearest>,
                                 fusion::Sm90ColBroadcast<0, tile, float, float>, fusion::Sm90AccFetch>;
  using with_source = fusion::Sm90EVT<fusion::Sm90Compute<cutlass::homogeneous_multiply_add, float, float, nearest>,
                                      fusion::Sm90ScalarBroadcast<float>, fusion::Sm90SrcFetch<float>, scaled>;
  using with_bias = fusion::Sm90EVT<fusion::Sm90Compute<cutlass::plus, float, float, nearest>, with_source,
                                    fusion::Sm90RowBroadcast<0, tile, half_t, float>>;
  using stored =
      fusion::Sm90EVT<fusion::Sm90AuxStore<0, void, float, nearest, Stride<std::int64_t, _1, std::int64_t>>, with_bias>;
  using tree = fusion::Sm90EVT<fusion::Sm90Compute<cutlass::epilogue::thread::ReLu, float, float, nearest>, stored>;
  int const m = 72, n = 40;
  std::vector<float> scales, aux(static_cast<std::size_t>(m * n));
  std::vector<half_t> bias;
  for (int i = 0; i < m; ++i) scales.push_back(static_cast<float>(i % 3) - 1);
  for (int i = 0; i < n; ++i) bias.push_back(half_t(static_cast<float>(i % 5) - 2));
  auto const before = [&](float sum, float source, int i, int j) {
    return scales[static_cast<std::size_t>(i)] * sum + 0.5f * source +
           static_cast<float>(bias[static_cast<std::size_t>(j)]);
  };
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, tile, Shape<_1, _1, _1>,
                           gemm::KernelTmaWarpSpecialized, tree>>(
      m, n, 64, 1, 2,
      [&](auto& args) {
        args.epilogue.thread = {{{{{{0.5f}}, {}, {{scales.data()}, {}, {}}, {}}, {bias.data()}, {}},  // with_bias
                                 {aux.data(), {n, _1{}, 0}}},
                                {}};
      },
      [&](float sum, float source, int i, int j) {
        float const x = before(sum, source, i, j);
        EXPECT_EQ(aux[static_cast<std::size_t>(i * n + j)], x);
        return x > 0 ? x : 0.0f;
      });
}

/// DefaultEpilogue in place of the builder's.
struct with_default_epilogue {
  using Stride = cutlass::detail::TagToStrideC_t<RowMajor>;
  using Epilogue = cutlass::epilogue::collective::DefaultEpilogue<
      float, Stride, Stride, cutlass::epilogue::thread::LinearCombination<float, 1, float, float>,
      gemm::EpilogueDefault>;
  using Mainloop = kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, Shape<_64, _32, _64>,
                             Shape<_1, _1, _1>, gemm::KernelTmaWarpSpecialized>::Mainloop;
  using Kernel = gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue, gemm::PersistentScheduler>;
};
TEST(gemm_universal, default_epilogue) { expect_product<with_default_epilogue>(72, 40, 64, 2, 2, unchanged, linear); }

TEST(gemm_universal, what_builders_choose) {
  using Mainloop =
      gemm::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, half_t, RowMajor, 8,
                                          half_t, ColumnMajor, 8, float, Shape<_128, _128, _64>, Shape<_2, _1, _1>,
                                          gemm::collective::StageCountAuto,
                                          gemm::collective::KernelScheduleAuto>::CollectiveOp;
  static_assert(Mainloop::DispatchPolicy::Stages == 7);  // 227 KiB of 32 KiB each
  static_assert(std::is_same_v<Mainloop::DispatchPolicy::Schedule, gemm::KernelTmaWarpSpecializedCooperative>);
  using Simple = gemm::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, half_t,
                                                     RowMajor, 8, half_t, ColumnMajor, 8, float, Shape<_64, _128, _64>,
                                                     Shape<_1, _1, _1>, _5, gemm::KernelTma>::CollectiveOp;
  static_assert(Simple::DispatchPolicy::Stages == 5);
  static_assert(std::is_same_v<Simple::DispatchPolicy::Schedule, gemm::KernelTmaWarpSpecialized>);
  static_assert(std::is_same_v<Mainloop::GmemTiledCopyA, SM90_TMA_LOAD>);
  static_assert(std::is_same_v<Mainloop::GmemTiledCopyB, SM90_TMA_LOAD_MULTICAST>);
  static_assert(size(Mainloop::TiledMma{}) == 256 && Mainloop::TmaTransactionBytes == 32768);
  EXPECT_TRUE(Mainloop::can_implement(make_shape(1, 1, 64), {}));
  EXPECT_FALSE(Mainloop::can_implement(make_shape(1, 1, 65), {}));
  using Stride = cutlass::detail::TagToStrideB_t<ColumnMajor>;
  static_assert(std::is_same_v<cutlass::detail::StrideToLayoutTagB_t<Stride>, ColumnMajor>);
}

}  // namespace
