// Epilogues that write D through shared memory by TMA stores, and load C by TMA, on the CPU against a triple loop: elements of 8, 16 and
// 32 bits, both majors of C and D, ragged extents, batches, several tiles of a block; and where threads write D instead.
#include "gemm_cases.hpp"

#include <cutlass/epilogue/collective/collective_epilogue.hpp>

using namespace cute;
using namespace gemm_cases;

namespace {

namespace gemm = cutlass::gemm;

namespace epilogue = cutlass::epilogue;
using epilogue::NoSmemWarpSpecialized;
using epilogue::TmaWarpSpecialized;
using epilogue::TmaWarpSpecializedCooperative;
using epilogue::collective::EpilogueScheduleAuto;
using epilogue::collective::EpilogueTileAuto;
using one = Shape<_1, _1, _1>;

template <class D, class LayoutD, class Tile, class Schedule, class EpilogueSchedule, class C = D,
          class LayoutC = LayoutD, class EpilogueTile = EpilogueTileAuto, int Stages = 3>
using made = kernel_of<half_t, RowMajor, half_t, ColumnMajor, D, LayoutD, Tile, one, Schedule,
                       fusion::LinearCombination<D, float, std::conditional_t<std::is_void_v<C>, D, C>, float>,
                       EpilogueSchedule, C, LayoutC, 128 / sizeof_bits_v<D>, EpilogueTile, Stages>;
template <class Made>
using operation_for_d = typename Made::Epilogue::GmemTiledCopyD;
template <class Made>
using operation_for_c = typename Made::Epilogue::GmemTiledCopyC;

TEST(gemm_epilogue, two_warpgroups_share_a_tile) {
  using rows = made<half_t, RowMajor, Shape<_128, _64, _64>, gemm::KernelTmaWarpSpecializedCooperative,
                    TmaWarpSpecializedCooperative>;
  static_assert(std::is_same_v<operation_for_d<rows>, SM90_TMA_STORE>);
  static_assert(std::is_same_v<operation_for_c<rows>, SM90_TMA_LOAD>);
  static_assert(std::is_same_v<rows::Epilogue::EpilogueTile, Shape<_128, _32>>);
  expect_product<rows>(200, 136, 72, 2, 3, unchanged, linear);
  expect_product<made<bfloat16_t, ColumnMajor, Shape<_256, _96, _64>, gemm::KernelTmaWarpSpecializedCooperative,
                      TmaWarpSpecializedCooperative>>(264, 100, 72, 1, 1, unchanged, linear);
  expect_product<made<float, ColumnMajor, Shape<_128, _48, _64>, gemm::KernelTmaWarpSpecializedCooperative,
                      TmaWarpSpecializedCooperative, half_t, RowMajor>>(132, 72, 72, 2, 1, unchanged, linear);
}

TEST(gemm_epilogue, each_warpgroup_has_a_tile) {
  expect_product<
      made<float, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecializedPingpong, TmaWarpSpecialized>>(
      260, 136, 136, 1, 2, unchanged, linear);
  expect_product<made<half_t, ColumnMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecializedPingpong,
                      TmaWarpSpecialized, half_t, RowMajor>>(200, 136, 72, 2, 1, unchanged, linear);
}

TEST(gemm_epilogue, one_warpgroup) {
  using bytes = made<float_e4m3_t, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecialized, TmaWarpSpecialized,
                     float_e5m2_t>;
  static_assert(std::is_same_v<operation_for_c<bytes>, SM90_TMA_LOAD>);
  expect_product<bytes>(
      72, 80, 64, 1, 2, [](auto& args) { args.epilogue.thread.alpha = 0.25f; },
      [](float sum, float source, int, int) { return 0.25f * sum - source; });
  // pieces of the program's, rows of 16 bytes
  using narrow = made<half_t, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecialized, TmaWarpSpecialized,
                      half_t, RowMajor, Shape<_64, _8>>;
  static_assert(std::is_same_v<narrow::Epilogue::EpilogueTile, Shape<_64, _8>>);
  expect_product<narrow>(72, 72, 64, 1, 2, unchanged, linear);
}

TEST(gemm_epilogue, without_a_source) {
  using without =
      made<half_t, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecialized, TmaWarpSpecialized, void>;
  static_assert(std::is_void_v<operation_for_c<without>>);
  auto const twice = [](float sum, float, int, int) { return 2 * sum; };
  expect_product<without>(72, 72, 64, 1, 2, unchanged, twice);
  // beta is 0: C is not read
  expect_product<made<half_t, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecialized, TmaWarpSpecialized>>(
      72, 72, 64, 1, 2,
      [](auto& args) {
        args.epilogue.thread.beta = 0;
        args.epilogue.ptr_C = nullptr;
      },
      twice);
}

/// A row for all rows and batches: strides of 0.
TEST(gemm_epilogue, source_is_broadcast) {
  std::vector<half_t> row(72);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = half_t(static_cast<float>(i % 5));
  expect_product<made<half_t, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecialized, TmaWarpSpecialized>>(
      72, 72, 64, 2, 2,
      [&](auto& args) {
        args.epilogue.ptr_C = row.data();
        args.epilogue.dC = {0, _1{}, 0};
      },
      [&](float sum, float, int, int j) { return 2 * sum - static_cast<float>(row[static_cast<std::size_t>(j)]); });
}

TEST(gemm_epilogue, fusions) {
  std::vector<float> bias;
  for (int i = 0; i < 200; ++i) bias.push_back(static_cast<float>(i % 7) - 3);
  auto const at = [&](int i) { return bias[static_cast<std::size_t>(i)]; };
  expect_product<
      kernel_of<half_t, RowMajor, half_t, ColumnMajor, half_t, RowMajor, Shape<_64, _32, _64>, one,
                gemm::KernelTmaWarpSpecialized,
                fusion::LinCombPerRowBiasEltAct<epilogue::thread::ReLu, half_t, float, float>, TmaWarpSpecialized>>(
      72, 40, 64, 1, 2, [&](auto& args) { args.epilogue.thread.bias_ptr = bias.data(); },
      [&](float sum, float source, int i, int) {
        float const x = 2 * sum - source + at(i);
        return x > 0 ? x : 0.0f;
      });
}

/// sum * scale of the column + C, and that number in another matrix.
TEST(gemm_epilogue, trees_of_functions) {
  constexpr auto nearest = cutlass::FloatRoundStyle::round_to_nearest;
  using tile = Shape<_128, _32, _64>;
  using scaled = fusion::Sm90EVT<fusion::Sm90Compute<cutlass::multiplies, float, float, nearest>,
                                 fusion::Sm90RowBroadcast<0, tile, float>, fusion::Sm90AccFetch>;
  using added =
      fusion::Sm90EVT<fusion::Sm90Compute<cutlass::plus, float, float, nearest>, fusion::Sm90SrcFetch<half_t>, scaled>;
  using stored =
      fusion::Sm90EVT<fusion::Sm90AuxStore<0, void, float, nearest, Stride<std::int64_t, _1, std::int64_t>>, added>;
  static_assert(fusion::takes_source<stored> && fusion::takes_place<stored>);
  static_assert(!fusion::takes_source<scaled> && fusion::takes_place<scaled>);
  static_assert(!fusion::takes_place<fusion::Sm90EVT<fusion::Sm90Compute<cutlass::multiplies, float, float, nearest>,
                                                     fusion::Sm90ScalarBroadcast<float>, fusion::Sm90AccFetch>>);
  int const m = 136, n = 40;
  std::vector<float> scales, aux(static_cast<std::size_t>(m * n));
  for (int j = 0; j < n; ++j) scales.push_back(static_cast<float>(j % 3) - 1);
  expect_product<kernel_of<half_t, RowMajor, half_t, ColumnMajor, half_t, RowMajor, tile, one,
                           gemm::KernelTmaWarpSpecializedCooperative, stored, TmaWarpSpecializedCooperative>>(
      m, n, 64, 1, 2,
      [&](auto& args) {
        args.epilogue.thread = {{{}, {{scales.data()}, {}, {}}, {}}, {aux.data(), {n, _1{}, 0}}};
      },
      [&](float sum, float source, int i, int j) {
        float const x = scales[static_cast<std::size_t>(j)] * sum + source;
        EXPECT_EQ(aux[static_cast<std::size_t>(i * n + j)], x);
        return x;
      });
}

/// Through shared memory of the program's layout: accumulators in a swizzled layout along M, read back as 8 neighbours of a thread.
template <class Schedule, class LayoutD, class TiledCopyS2R, class SmemLayout, class Tile>
struct made_through_memory {
  using Op = cutlass::epilogue::thread::LinearCombination<half_t, 1, float, float>;
  using Epilogue = epilogue::collective::detail::Sm90TmaWarpSpecializedAdapter<
      epilogue::collective::Epilogue<gemm::TagToStrideC_t<LayoutD>, gemm::TagToStrideC_t<LayoutD>, Op, SmemLayout,
                                     Copy_Atom<DefaultCopy, float>, TiledCopyS2R, Copy_Atom<DefaultCopy, half_t>>>;
  using Mainloop =
      typename gemm::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, half_t,
                                                   RowMajor, 8, half_t, ColumnMajor, 8, float, Tile, one,
                                                   gemm::collective::StageCount<3>, Schedule>::CollectiveOp;
  using Kernel = gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue>;
};
TEST(gemm_epilogue, through_shared_memory_of_the_program) {
  using chunks = ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<32>,
                                Layout<Shape<Shape<_32, _4>, _64>, Stride<Stride<_1, _2048>, _32>>>;
  using columns =
      TiledCopy<Copy_Atom<DefaultCopy, float>, Layout<Shape<_128, _8>, Stride<_8, _1>>, Shape<_128, Int<8>>>;
  using one_group =
      made_through_memory<gemm::KernelTmaWarpSpecialized, ColumnMajor, columns, chunks, Shape<_128, _64, _64>>;
  expect_product<one_group>(256, 128, 64, 1, 2, unchanged, linear);
  expect_product<one_group>(200, 104, 72, 2, 2, unchanged, linear);
  using rows = decltype(make_tiled_copy(Copy_Atom<DefaultCopy, float>{}, Layout<Shape<_32, _8>, Stride<_8, _1>>{},
                                        Layout<Shape<_1, _8>>{}));
  expect_product<made_through_memory<gemm::KernelTmaWarpSpecializedCooperative, RowMajor, rows,
                                     Layout<Shape<_128, _64>, Stride<Int<68>, _1>>, Shape<_128, _64, _64>>>(
      136, 72, 72, 1, 1, unchanged, linear);
}

TEST(gemm_epilogue, threads_write_what_tma_cannot) {
  using by_threads =
      made<half_t, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecialized, NoSmemWarpSpecialized>;
  static_assert(std::is_void_v<operation_for_d<by_threads>>);
  expect_product<by_threads>(70, 67, 64, 2, 2, unchanged, linear);
  // Rows of 134 bytes: TMA is refused where the program asks for it, and not used where the builder chooses.
  using asked = made<half_t, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecialized, TmaWarpSpecialized>;
  std::vector<half_t> d(70 * 72);
  typename asked::Epilogue::Arguments args{};
  args.ptr_D = d.data();
  args.dD = {72, _1{}, 0};
  EXPECT_TRUE(asked::Epilogue::can_implement(make_shape(70, 67, 64), args));
  args.dD = {67, _1{}, 0};
  EXPECT_FALSE(asked::Epilogue::can_implement(make_shape(70, 67, 64), args));
  args = {};
  args.ptr_D = d.data() + 1;
  args.dD = {72, _1{}, 0};
  EXPECT_FALSE(asked::Epilogue::can_implement(make_shape(70, 67, 64), args));
  using chosen = made<half_t, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecialized, EpilogueScheduleAuto>;
  static_assert(std::is_same_v<operation_for_d<chosen>, SM90_TMA_STORE>);
  expect_product<chosen>(70, 67, 64, 1, 2, unchanged, linear);
  // Stages that fill shared memory leave no room for pieces.
  using full = made<half_t, RowMajor, Shape<_64, _64, _64>, gemm::KernelTmaWarpSpecialized, EpilogueScheduleAuto,
                    half_t, RowMajor, EpilogueTileAuto, 14>;
  static_assert(full::Kernel::SharedStorageSize <= 227 * 1024);
  static_assert(sizeof(typename full::Mainloop::TensorStorage) + sizeof(typename full::Epilogue::TensorStorage) >
                227 * 1024);
  expect_product<full>(72, 72, 64, 1, 1, unchanged, linear);
}

}  // namespace
