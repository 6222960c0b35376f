// Epilogues of operations that a program defines itself, of trees that share results, and the scheduler by stream-K's name: kernels on
// the CPU against a triple loop.
#include "gemm_cases.hpp"

#include <algorithm>

namespace scaled {

using namespace cutlass::epilogue;
using cutlass::FloatRoundStyle;

/// scale * relu(alpha * accumulator + beta * C), derived from an operation that the library knows.
template <class ElementOutput, class ElementCompute>
struct LinCombReluScale : fusion::LinearCombination<ElementOutput, ElementCompute> {
  static constexpr bool IsEltActSupported = true;
};
template <class Output, class Compute>
using tree =
    fusion::Sm90EVT<fusion::Sm90Compute<cutlass::multiplies, Output, Compute, FloatRoundStyle::round_to_nearest>,
                    fusion::Sm90ScalarBroadcast<Compute, cute::Stride<cute::_0, cute::_0, std::int64_t>>,
                    fusion::Sm90LinCombEltAct<cutlass::epilogue::thread::ReLu, Compute, Compute, Output>>;

}  // namespace scaled

namespace cutlass::epilogue::fusion {

template <int StagesC, int StagesD, int FragmentSize, bool ReuseSmemC, bool DelayTmaStore, class Output, class Compute,
          class CtaTileShapeMNK, class EpilogueTile>
struct FusionCallbacks<Sm90TmaWarpSpecialized<StagesC, StagesD, FragmentSize, ReuseSmemC, DelayTmaStore>,
                       scaled::LinCombReluScale<Output, Compute>, CtaTileShapeMNK, EpilogueTile>
    : scaled::tree<Output, Compute> {
  using Impl = scaled::tree<Output, Compute>;
  using Operation = scaled::LinCombReluScale<Output, Compute>;
  struct Arguments {
    Compute alpha = 1, beta = 0, scale = 1;
    operator typename Impl::Arguments() const {
      return {{{scale}, {}, {}}, {{{{beta}, {}, {}}, {}, {{{alpha}, {}, {}}, {}, {}}, {}}, {}}, {}};
    }
  };
};

}  // namespace cutlass::epilogue::fusion

using namespace cute;
using namespace gemm_cases;

namespace {

namespace epilogue = cutlass::epilogue;
using one = Shape<_1, _1, _1>;
using tile = Shape<_64, _32, _64>;

/// Arguments are converted on the host: the conversion is the program's, and no function of a kernel.
template <class EpilogueSchedule>
void expect_scaled() {
  using kernel =
      kernel_of<half_t, RowMajor, half_t, ColumnMajor, half_t, RowMajor, tile, one,
                cutlass::gemm::KernelTmaWarpSpecialized, scaled::LinCombReluScale<half_t, float>, EpilogueSchedule>;
  using params = typename kernel::Epilogue::Params;
  static_assert(std::is_same_v<decltype(params::thread), typename scaled::tree<half_t, float>::Arguments>);
  expect_product<kernel>(
      72, 40, 64, 2, 2, [](auto& args) { args.epilogue.thread.scale = 0.5f; },
      [](float sum, float source, int, int) {
        float const x = 2 * sum - source;
        return x > 0 ? 0.5f * x : 0.0f;
      });
}
TEST(gemm_callbacks, of_an_operation_of_the_program) {
  expect_scaled<epilogue::TmaWarpSpecialized>();
  expect_scaled<epilogue::NoSmemWarpSpecialized>();
}

/// x = sum * factor of the batch; (x + C) * x, in which x is used twice; one operation more than arguments by name.
TEST(gemm_callbacks, graph_whose_results_are_shared) {
  constexpr auto nearest = cutlass::FloatRoundStyle::round_to_nearest;
  using multiply = fusion::Sm90Compute<cutlass::multiplies, float, float, nearest>;
  using graph = fusion::Sm90TopologicalVisitor<float, tuple<seq<>, seq<>, seq<0, 1>, seq<>, seq<2, 3>, seq<4, 2>>,
                                               fusion::Sm90AccFetch, fusion::Sm90ScalarBroadcastPtrArray<float>,
                                               multiply, fusion::Sm90SrcFetch<half_t>,
                                               fusion::Sm90Compute<cutlass::plus, float, float, nearest>, multiply>;
  static_assert(fusion::takes_source<graph>);
  std::vector<float> const factors{0.5f, -0.25f};
  std::vector<float const*> const addresses{&factors[0], &factors[1]};
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, half_t, RowMajor, tile, one,
                           cutlass::gemm::KernelTmaWarpSpecialized, graph, epilogue::TmaWarpSpecialized>>(
      72, 40, 64, 1, 2,
      [&](auto& args) {
        args.epilogue.thread = {{}, {{}, {}, {addresses.data()}, {}}, {}, {}, {}, {}};
      },
      [](float sum, float source, int, int) { return (0.5f * sum + source) * (0.5f * sum); });
}

template <class Made>
struct by_stream_k : Made {
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, typename Made::Mainloop,
                                                      typename Made::Epilogue, cutlass::gemm::StreamKScheduler>;
};
TEST(gemm_callbacks, scheduler_by_the_name_of_stream_k) {
  using Made = by_stream_k<kernel_of<half_t, RowMajor, half_t, ColumnMajor, float, RowMajor, Shape<_128, _32, _64>, one,
                                     cutlass::gemm::KernelTmaWarpSpecializedCooperative>>;
  using Mode = cutlass::gemm::kernel::detail::PersistentTileSchedulerSm90StreamKParams::DecompositionMode;
  expect_product<Made>(
      200, 72, 200, 1, 3,
      [](auto& args) {
        args.scheduler.splits = 2;
        args.scheduler.max_swizzle_size = 2;
        args.scheduler.decomposition_mode = Mode::SplitK;
      },
      linear);
  typename Made::Kernel::Arguments args{};
  args.scheduler.splits = 0;
  EXPECT_FALSE(Made::Kernel::TileScheduler::can_implement(args.scheduler));
}

/// Z in a second matrix, scaled, and the largest magnitudes of it and of D, unscaled.
template <class EpilogueSchedule>
void expect_scales_and_magnitudes() {
  using Fusion = fusion::ScaledLinCombPerRowBiasEltActAmaxAux<RowMajor, epilogue::thread::ReLU, float_e4m3_t, float,
                                                              float_e5m2_t, float, float, half_t>;
  int const m = 72, n = 48;
  std::vector<float> bias;
  for (int i = 0; i < m; ++i) bias.push_back(static_cast<float>(i % 7) - 3);
  std::vector<float_e5m2_t> aux(static_cast<std::size_t>(m * n));
  float const scale_a = 0.5f;
  float amax_d = 0, amax_aux = 0, expected_d = 0, expected_aux = 0;
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, float_e4m3_t, RowMajor, tile, one,
                           cutlass::gemm::KernelTmaWarpSpecialized, Fusion, EpilogueSchedule, half_t, RowMajor>>(
      m, n, 64, 1, 2,
      [&](auto& args) {
        auto& thread = args.epilogue.thread;
        thread.scale_a_ptr = &scale_a;
        thread.scale_c = 3;
        thread.scale_d = 0.25f;
        thread.scale_aux = 0.125f;
        thread.bias_ptr = bias.data();
        thread.aux_ptr = aux.data();
        thread.dAux = {n, _1{}, 0};
        thread.amax_D_ptr = &amax_d;
        thread.amax_aux_ptr = &amax_aux;
      },
      [&](float sum, float source, int i, int j) {
        float const z = sum - 3 * source + bias[static_cast<std::size_t>(i)];  // alpha is 2, beta -1
        EXPECT_EQ(static_cast<float>(aux[static_cast<std::size_t>(i * n + j)]),
                  static_cast<float>(float_e5m2_t(0.125f * z)));
        expected_aux = std::max(expected_aux, std::abs(z));
        expected_d = std::max(expected_d, z);
        return z > 0 ? 0.25f * z : 0.0f;
      });
  EXPECT_EQ(amax_d, expected_d);
  EXPECT_EQ(amax_aux, expected_aux);
  EXPECT_NE(amax_d, amax_aux);  // the data tell the two apart
}
TEST(gemm_callbacks, scales_second_matrix_and_magnitudes) {
  expect_scales_and_magnitudes<epilogue::TmaWarpSpecialized>();
  expect_scales_and_magnitudes<epilogue::NoSmemWarpSpecialized>();
}

TEST(gemm_callbacks, second_matrix_of_columns) {
  using Fusion = fusion::LinCombPerColBiasEltActAux<ColumnMajor, epilogue::thread::ReLu, half_t, float, float, float>;
  int const m = 72, n = 40;
  std::vector<float> aux(static_cast<std::size_t>(m * n)), bias(static_cast<std::size_t>(n), 2.0f);
  bias[3] = -5;
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, half_t, RowMajor, tile, one,
                           cutlass::gemm::KernelTmaWarpSpecialized, Fusion, epilogue::TmaWarpSpecialized>>(
      m, n, 64, 1, 2,
      [&](auto& args) {
        args.epilogue.thread.bias_ptr = bias.data();
        args.epilogue.thread.aux_ptr = aux.data();
        args.epilogue.thread.dAux = {_1{}, m, 0};
      },
      [&](float sum, float source, int i, int j) {
        float const z = 2 * sum - source + bias[static_cast<std::size_t>(j)];
        EXPECT_EQ(aux[static_cast<std::size_t>(i + j * m)], z);
        return z > 0 ? z : 0.0f;
      });
}

}  // namespace
