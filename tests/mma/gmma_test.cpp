// Matrix products of a warpgroup on the CPU, next to a triple loop: operand types, N, major modes, swizzles, signs, A in registers;
// descriptors of layouts, by hand from the PTX ISA's tables; products happen when they are waited for; misuse is reported.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/mma/gmma_layouts.hpp"
#include "tilewright/mma/gmma_selectors.hpp"
#include "tilewright/mma/sm90_gmma_extended_names.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace tilewright;

namespace {

template <class T>
double as_double(T const& x) {
  if constexpr (std::is_integral_v<T>) return static_cast<double>(x);
  else return static_cast<double>(static_cast<float>(x));
}
template <class T>
std::vector<T> random_elements(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> out(n);
  for (T& x : out) {
    if constexpr (std::is_integral_v<T>) x = static_cast<T>(random());
    else x = static_cast<T>(static_cast<float>(static_cast<int>(random() % 33) - 16) / 8.0f);
  }
  return out;
}

template <class Op>
inline constexpr bool saturates = false;
template <int N, class D, class A, class B, bool R, GMMA::Major MA, GMMA::Major MB, GMMA::ScaleIn SA, GMMA::ScaleIn SB>
inline constexpr bool saturates<warpgroup_mma<N, D, A, B, R, MA, MB, SA, SB, true>> = true;

/// C = A·B + C by one tiled operation on whole tiles of shared memory.
template <class Op, class LayoutA, class LayoutB, bool IsReplaced, bool Waits>
struct gmma_kernel {
  using Traits = MMA_Traits<Op>;
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Block, class GA, class GB, class GC>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, GA a, GB b, GC c) const {
    auto sA = shared<typename Traits::ValTypeA>(block, LayoutA{});  // (M, K)
    auto sB = shared<typename Traits::ValTypeB>(block, LayoutB{});  // (N, K)
    for (int i = block.thread(); i < static_cast<int>(size(sA)); i += block.threads()) sA(i) = a(i);
    for (int i = block.thread(); i < static_cast<int>(size(sB)); i += block.threads()) sB(i) = b(i);
    block.sync();
    auto mma = make_tiled_mma(Op{});
    auto const thr = mma.get_slice(block.thread());
    auto const tCsA = thr.partition_A(sA);     // (V, RestM, RestK)
    auto tCrA = thr.make_fragment_A(tCsA);     // (1, RestM, RestK) of descriptors, or as tCsA
    auto tCrB = thr.partition_fragment_B(sB);  // (1, RestN, RestK)
    auto tCgC = thr.partition_C(c);            // (V, RestM, RestN)
    auto tCrC = thr.make_fragment_C(tCgC);     // (V, RestM, RestN)
    if constexpr (is_register_operand) copy(tCsA, tCrA);
    copy(tCgC, tCrC);
    if constexpr (IsReplaced) mma.accumulate_ = GMMA::ScaleOut::Zero;
    warpgroup_fence_operand(tCrC);
    warpgroup_arrive();
    for (int k = 0; k < static_cast<int>(size<2>(tCrA)); ++k) {
      gemm(mma, tCrA(_, _, k), tCrB(_, _, k), tCrC);
      mma.accumulate_ = GMMA::ScaleOut::One;
    }
    warpgroup_commit_batch();
    if constexpr (Waits) warpgroup_wait<0>();
    warpgroup_fence_operand(tCrC);
    copy(tCrC, tCgC);
  }
  static constexpr bool is_register_operand = !std::is_same_v<typename Op::ARegisters, std::uint64_t[1]>;
};

struct gmma_result {
  double worst = 0;
  std::string text;
};

/// The kernel under launch_checked, against a triple loop.
template <class Op, class LayoutA, class LayoutB, int SignA = 1, int SignB = 1, bool IsReplaced = false>
void expect_product(char const* what, double tolerance = 0) {
  using T = MMA_Traits<Op>;
  constexpr int M = decltype(size<0>(LayoutA{}))::value, N = decltype(size<0>(LayoutB{}))::value,
                K = decltype(size<1>(LayoutA{}))::value;
  auto const a = random_elements<typename T::ValTypeA>(M * K, 1);
  auto const b = random_elements<typename T::ValTypeB>(N * K, 2);
  auto const c = random_elements<typename T::ValTypeC>(M * N, 3);
  auto d = c;
  launch_checked(1, 128, gmma_kernel<Op, LayoutA, LayoutB, IsReplaced, true>{},
                 make_tensor(make_gmem_ptr(a.data()), Shape<C<M>, C<K>>{}),
                 make_tensor(make_gmem_ptr(b.data()), Shape<C<N>, C<K>>{}),
                 make_tensor(make_gmem_ptr(d.data()), Shape<C<M>, C<N>>{}));
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      double sum = IsReplaced ? 0 : as_double(c[static_cast<std::size_t>(m + M * n)]);
      for (int k = 0; k < K; ++k) {
        sum += SignA * SignB * as_double(a[static_cast<std::size_t>(m + M * k)]) *
               as_double(b[static_cast<std::size_t>(n + N * k)]);
        if (saturates<Op> && k % Op::k_extent == Op::k_extent - 1)
          sum = std::min(std::max(sum, -2147483648.0), 2147483647.0);
      }
      if (std::is_integral_v<typename T::ValTypeD>)
        sum = static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(sum) & 0xffffffff));
      ASSERT_NEAR(as_double(d[static_cast<std::size_t>(m + M * n)]), sum, tolerance * (1 + std::abs(sum)))
          << what << " at " << m << "," << n;
    }
}

template <class Atom, int MN, int K>
using tile_of = decltype(tile_to_shape(Atom{}, Shape<C<MN>, C<K>>{}));
constexpr auto K_ = GMMA::Major::K, MN_ = GMMA::Major::MN;

template <class T, int N, int K, class Op>
void expect_every_k_swizzle() {
  using namespace GMMA;
  expect_product<Op, tile_of<Layout_K_INTER_Atom<T>, 64, K>, tile_of<Layout_K_INTER_Atom<T>, N, K>>("INTER", 2e-3);
  expect_product<Op, tile_of<Layout_K_SW32_Atom<T>, 64, K>, tile_of<Layout_K_SW64_Atom<T>, N, K>>("SW32, SW64", 2e-3);
  expect_product<Op, tile_of<Layout_K_SW128_Atom<T>, 128, K>, tile_of<Layout_K_SW128_Atom<T>, 2 * N, K>>("SW128", 2e-3);
}

TEST(gmma, k_major_operands_with_every_swizzle) {
  expect_every_k_swizzle<half_t, 8, 64, SM90_64x8x16_F32F16F16_SS<K_, K_>>();
  expect_every_k_swizzle<half_t, 24, 64, SM90_64x24x16_F16F16F16_SS<K_, K_>>();
  expect_every_k_swizzle<bfloat16_t, 96, 64, SM90_64x96x16_F32BF16BF16_SS<K_, K_>>();
  expect_every_k_swizzle<tfloat32_t, 16, 32, SM90_64x16x8_F32TF32TF32_SS_TN<>>();
  expect_every_k_swizzle<float_e4m3_t, 32, 128, SM90_64x32x32_F32E4M3E4M3_SS_TN<>>();
  expect_every_k_swizzle<float_e5m2_t, 8, 128, SM90_64x8x32_F16E5M2E5M2_SS_TN<>>();
  expect_every_k_swizzle<std::int8_t, 48, 128, SM90_64x48x32_S32S8S8_SS_TN>();
  expect_every_k_swizzle<std::uint8_t, 16, 128, SM90_64x16x32_S32U8U8_SS_TN_SATURATE>();
}

TEST(gmma, mn_major_operands_with_every_swizzle) {
  using namespace GMMA;
  using Op = SM90_64x64x16_F32F16F16_SS<MN_, MN_>;
  using Wide = SM90_64x256x16_F32BF16BF16_SS<MN_, MN_>;
  expect_product<Op, tile_of<Layout_MN_INTER_Atom<half_t>, 64, 32>, tile_of<Layout_MN_INTER_Atom<half_t>, 64, 32>>(
      "INTER", 1e-5);
  expect_product<Op, tile_of<Layout_MN_SW32_Atom<half_t>, 64, 32>, tile_of<Layout_MN_SW64_Atom<half_t>, 64, 32>>(
      "SW32, SW64", 1e-5);
  expect_product<Op, tile_of<Layout_MN_SW128_Atom<half_t>, 128, 32>, tile_of<Layout_MN_SW128_Atom<half_t>, 128, 32>>(
      "SW128", 1e-5);
  expect_product<Wide, tile_of<Layout_MN_SW64_Atom<bfloat16_t>, 64, 16>,
                 tile_of<Layout_MN_SW128_Atom<bfloat16_t>, 256, 16>>("256", 1e-5);
  expect_product<SM90_64x40x16_F32F16F16_SS<K_, MN_>, tile_of<Layout_K_SW128_Atom<half_t>, 64, 64>,
                 tile_of<Layout_MN_INTER_Atom<half_t>, 40, 64>>("K, MN", 1e-5);
  // Operations that take a part of the swizzle's rows each.
  expect_product<SM90_64x32x16_F32F16F16_SS<K_, MN_>, tile_of<Layout_K_SW128_Atom<half_t>, 64, 64>,
                 tile_of<Layout_MN_SW128_Atom<half_t>, 128, 64>>("a half of a row", 1e-5);
  expect_product<SM90_64x8x16_F32F16F16_SS<K_, MN_>, tile_of<Layout_K_SW64_Atom<half_t>, 64, 32>,
                 tile_of<Layout_MN_SW64_Atom<half_t>, 32, 32>>("a quarter of a row", 1e-5);
  // The tiles along K before those along MN: the two offsets swap.
  using Other = decltype(tile_to_shape(Layout_MN_SW32_Atom<half_t>{}, Shape<_64, _32>{}, Step<_2, _1>{}));
  expect_product<Op, Other, Other>("K first", 1e-5);
}

TEST(gmma, a_in_registers) {
  using namespace GMMA;
  expect_product<SM90_64x32x16_F32F16F16_RS<K_, MN_>, tile_of<Layout_K_SW64_Atom<half_t>, 64, 64>,
                 tile_of<Layout_MN_SW64_Atom<half_t>, 32, 64>>("f16", 1e-5);
  expect_product<SM90_64x8x8_F32TF32TF32_RS_TN<>, tile_of<Layout_K_SW32_Atom<tfloat32_t>, 128, 16>,
                 tile_of<Layout_K_SW64_Atom<tfloat32_t>, 8, 16>>("tf32", 1e-5);
  expect_product<SM90_64x16x32_F32E4M3E5M2_RS_TN<>, tile_of<Layout_K_SW128_Atom<float_e4m3_t>, 64, 128>,
                 tile_of<Layout_K_SW128_Atom<float_e5m2_t>, 16, 128>>("fp8", 1e-5);
  expect_product<SM90_64x16x32_S32U8S8_RS_TN, tile_of<Layout_K_INTER_Atom<std::uint8_t>, 64, 64>,
                 tile_of<Layout_K_SW32_Atom<std::int8_t>, 16, 64>>("s8");
}

TEST(gmma, signs_and_replaced_accumulators) {
  using namespace GMMA;
  using A = tile_of<Layout_K_SW128_Atom<half_t>, 64, 64>;
  using B = tile_of<Layout_K_SW128_Atom<half_t>, 16, 64>;
  expect_product<SM90_64x16x16_F32F16F16_SS<K_, K_, ScaleIn::Neg>, A, B, -1, 1>("-A", 1e-5);
  expect_product<SM90_64x16x16_F32F16F16_SS<K_, K_, ScaleIn::Neg, ScaleIn::Neg>, A, B, -1, -1>("-A, -B", 1e-5);
  expect_product<SM90_64x16x16_F32F16F16_RS<K_, K_, ScaleIn::One, ScaleIn::Neg>, A, B, 1, -1>("-B", 1e-5);
  expect_product<SM90_64x16x16_F16F16F16_SS<K_, K_>, A, B, 1, 1, true>("replaced", 2e-3);
}

/// The fields of the descriptor of a tile's first operation.
template <GMMA::Major Major, class L>
std::vector<int> fields_of() {
  alignas(1024) static std::byte memory[1024];
  using T = half_t;
  auto const tile = make_tensor(make_smem_ptr(reinterpret_cast<T*>(memory)), L{});
  auto const d = GMMA::make_gmma_desc<Major>(tile).bitfield;
  return {d.leading_byte_offset_, d.stride_byte_offset_, d.layout_type_};
}

TEST(gmma, descriptors_have_the_offsets_of_their_layouts) {
  using namespace GMMA;
  using v = std::vector<int>;
  // K-major: eight rows of 32, 64 or 128 bytes, then the next eight.
  EXPECT_EQ((fields_of<K_, tile_of<Layout_K_SW32_Atom<half_t>, 64, 16>>()), (v{1, 16, 3}));
  EXPECT_EQ((fields_of<K_, Layout<Shape<Shape<_8, _8>, Shape<_8, _2>>, Stride<Stride<_8, C<128>>, Stride<_1, _64>>>>()),
            (v{8, 16, 0}));
  // The two halves of K far apart.
  EXPECT_EQ((fields_of<K_, Layout<Shape<Shape<_8, _8>, Shape<_8, _2>>, Stride<Stride<_8, _64>, Stride<_1, C<512>>>>>()),
            (v{64, 8, 0}));
  // MN-major: 64 elements of MN are one row of 128 bytes.
  EXPECT_EQ((fields_of<MN_, tile_of<Layout_MN_SW128_Atom<half_t>, 64, 16>>()), (v{0, 64, 1}));
  EXPECT_EQ((fields_of<MN_, tile_of<Layout_MN_SW128_Atom<half_t>, 128, 16>>()), (v{64, 128, 1}));
  EXPECT_EQ((fields_of<MN_, tile_of<Layout_MN_SW64_Atom<half_t>, 128, 16>>()), (v{32, 128, 2}));
  EXPECT_EQ((fields_of<MN_, tile_of<Layout_MN_INTER_Atom<half_t>, 64, 16>>()), (v{64, 8, 0}));
  using Stages = tile_of<Layout_K_SW128_Atom<half_t>, 128, 64>;
  alignas(1024) static half_t memory[128 * 64];
  auto const thr = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<K_, K_>{}).get_slice(5);
  auto const fragment = thr.partition_fragment_A(make_tensor(make_smem_ptr(memory), Stages{}));  // (1, RestM, RestK)
  EXPECT_EQ(static_cast<int>(size<1>(fragment)), 2);
  EXPECT_EQ(static_cast<int>(size<2>(fragment)), 4);
  // 32 bytes of K further within the row, 64 rows of 128 bytes further.
  EXPECT_EQ((fragment(0, 0, 1).desc_ - fragment(0, 0, 0).desc_), 2u);
  EXPECT_EQ((fragment(0, 1, 0).desc_ - fragment(0, 0, 0).desc_), 512u);
}

TEST(gmma, maps_of_results_and_register_operands_cover_their_matrices) {
  auto const covers = [](auto const& map, int elements) {
    std::vector<int> times(static_cast<std::size_t>(elements));
    for (int i = 0; i < static_cast<int>(size(map)); ++i) ++times[static_cast<std::size_t>(static_cast<int>(map(i)))];
    for (int t : times) EXPECT_EQ(t, 1);
  };
  covers(GMMA::CLayout_64xN<8>{}, 512);
  covers(GMMA::CLayout_64xN<200>{}, 64 * 200);
  covers(GMMA::ALayout_64x8{}, 512);
  covers(GMMA::ALayout_64x16{}, 1024);
  covers(GMMA::ALayout_64x32{}, 2048);
  // The PTX ISA's figure of D: thread 37 (warp 1, lane 5) has rows 17 and 25, columns 2 and 3.
  EXPECT_EQ(static_cast<int>(GMMA::CLayout_64xN<16>{}(37, 0)), 17 + 64 * 2);
  EXPECT_EQ(static_cast<int>(GMMA::CLayout_64xN<16>{}(37, 3)), 25 + 64 * 3);
  EXPECT_EQ(static_cast<int>(GMMA::CLayout_64xN<16>{}(37, 4)), 17 + 64 * 10);
}

TEST(gmma, selectors_take_the_largest_operation) {
  using namespace GMMA;
  static_assert(std::is_same_v<decltype(ss_op_selector<half_t, half_t, float, Shape<_128, _256, _64>>()),
                               SM90_64x256x16_F32F16F16_SS<K_, K_>>);
  static_assert(std::is_same_v<decltype(ss_op_selector<half_t, half_t, half_t, Shape<_64, C<176>, _64>, MN_, K_>()),
                               SM90_64x176x16_F16F16F16_SS<MN_, K_>>);
  static_assert(
      std::is_same_v<decltype(rs_op_selector<std::int8_t, std::int8_t, std::int32_t, Shape<_64, C<80>, _64>>()),
                     SM90_64x80x32_S32S8S8_RS_TN>);
  static_assert(
      std::is_same_v<decltype(ss_op_selector<std::int8_t, std::int8_t, std::int32_t, Shape<_64, C<40>, _64>>()),
                     SM90_64x8x32_S32S8S8_SS_TN>);
  static_assert(std::is_same_v<decltype(ss_op_selector<float, float, float, Shape<_64, C<512>, _64>>()),
                               SM90_64x256x8_F32TF32TF32_SS_TN<>>);
  static_assert(
      std::is_same_v<
          decltype(ss_op_selector<float_e4m3_t, float_e5m2_t, float, Shape<_64, _8, _64>, K_, K_, ScaleIn::Neg>()),
          SM90_64x8x32_F32E4M3E5M2_SS_TN<ScaleIn::Neg>>);
}

using small_a = tile_of<GMMA::Layout_K_SW128_Atom<half_t>, 64, 64>;
using small_b = tile_of<GMMA::Layout_K_SW128_Atom<half_t>, 8, 64>;
using small_op = SM90_64x8x16_F32F16F16_SS<K_, K_>;

/// `message` is part of what a checked launch of the kernel throws.
template <class Kernel>
void expect_report(Kernel const& kernel, std::string const& message, int threads = 128) {
  std::vector<half_t> const a(64 * 64, half_t(1)), b(8 * 64, half_t(1));
  std::vector<float> c(64 * 8);
  try {
    launch_checked(1, threads, kernel, make_tensor(make_gmem_ptr(a.data()), Shape<_64, _64>{}),
                   make_tensor(make_gmem_ptr(b.data()), Shape<_8, _64>{}),
                   make_tensor(make_gmem_ptr(c.data()), Shape<_64, _8>{}));
    FAIL() << "no report; " << message;
  } catch (std::exception const& e) {
    EXPECT_NE(std::string(e.what()).find(message), std::string::npos) << e.what();
  }
}

TEST(gmma, a_missing_wait_is_reported) {
  expect_report(gmma_kernel<small_op, small_a, small_b, false, false>{}, "of its matrix products");
}

/// B is loaded without a barrier before the product; or overwritten before the wait; or read by other descriptors in a warp.
template <int Fault>
struct faulty_gmma {
  template <class Block, class GA, class GB, class GC>
  void operator()(Block& block, GA a, GB b, GC) const {
    auto sA = shared<half_t>(block, small_a{});
    auto sB = shared<half_t>(block, small_b{});
    for (int i = block.thread(); i < static_cast<int>(size(sA)); i += block.threads()) sA(i) = a(i);
    if constexpr (Fault != 0) block.sync();
    for (int i = block.thread(); i < static_cast<int>(size(sB)); i += block.threads()) sB(i) = b(i);
    if constexpr (Fault != 0) block.sync();
    auto const mma = make_tiled_mma(small_op{});
    auto const thr = mma.get_slice(block.thread());
    auto tCrA = thr.partition_fragment_A(sA);
    auto tCrB = thr.partition_fragment_B(sB);
    auto tCrC = partition_fragment_C(mma, Shape<_64, _8>{});
    warpgroup_arrive();
    if constexpr (Fault == 2) gemm(mma, tCrA(_, _, block.thread() % 2), tCrB(_, _, 0), tCrC);
    else gemm(mma, tCrA, tCrB, tCrC);
    warpgroup_commit_batch();
    if constexpr (Fault == 1) sB(block.thread()) = half_t(0);
    warpgroup_wait<0>();
  }
};

TEST(gmma, races_and_different_descriptors_are_reported) {
  expect_report(faulty_gmma<0>{}, "no barrier");
  expect_report(faulty_gmma<1>{}, "no barrier");
  expect_report(faulty_gmma<2>{}, "two threads of a warp pass different matrix descriptors");
}

/// A product reads shared memory and its accumulator when it is waited for, not when it is started.
TEST(gmma, products_happen_when_they_are_waited_for) {
  std::vector<float> seen(128 * 2);
  launch(1, 128, [&](auto& block) {
    auto sA = shared<half_t>(block, small_a{});
    auto sB = shared<half_t>(block, small_b{});
    for (int i = block.thread(); i < static_cast<int>(size(sA)); i += block.threads()) sA(i) = half_t(1);
    for (int i = block.thread(); i < static_cast<int>(size(sB)); i += block.threads()) sB(i) = half_t(2);
    block.sync();
    auto const mma = make_tiled_mma(small_op{});
    auto const thr = mma.get_slice(block.thread());
    auto tCrA = thr.partition_fragment_A(sA);
    auto tCrB = thr.partition_fragment_B(sB);
    auto tCrC = partition_fragment_C(mma, Shape<_64, _8>{});
    gemm(mma, tCrA, tCrB, tCrC);
    warpgroup_commit_batch();
    gemm(mma, tCrA, tCrB, tCrC);
    warpgroup_commit_batch();
    auto const t = static_cast<std::size_t>(block.thread());
    warpgroup_wait<1>();
    seen[2 * t] = tCrC(0);
    warpgroup_wait<0>();
    seen[2 * t + 1] = tCrC(0);
  });
  for (std::size_t t = 0; t < 128; ++t) {
    EXPECT_EQ(seen[2 * t], 128.0f);
    EXPECT_EQ(seen[2 * t + 1], 256.0f);
  }
}

/// Partitions of shared memory are operands as they are: their descriptors are made by gemm.
TEST(gmma, partitions_of_shared_memory_are_operands) {
  std::vector<float> seen(128);
  launch(1, 128, [&](auto& block) {
    auto sA = shared<half_t>(block, small_a{});
    auto sB = shared<half_t>(block, small_b{});
    for (int i = block.thread(); i < static_cast<int>(size(sA)); i += block.threads()) sA(i) = half_t(1);
    for (int i = block.thread(); i < static_cast<int>(size(sB)); i += block.threads()) sB(i) = half_t(2);
    block.sync();
    auto const mma = make_tiled_mma(small_op{});
    auto const thr = mma.get_slice(block.thread());
    auto tCrC = partition_fragment_C(mma, Shape<_64, _8>{});
    gemm(mma, thr.partition_A(sA), thr.partition_B(sB), tCrC);
    gemm(mma, thr.partition_A(sA), thr.partition_fragment_B(sB), tCrC);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    seen[static_cast<std::size_t>(block.thread())] = tCrC(0);
  });
  for (float const sum : seen) EXPECT_EQ(sum, 256.0f);
}

/// The operation itself, with registers as arguments.
TEST(gmma, fma_takes_registers_one_by_one) {
  std::vector<float> sums(128);
  launch(1, 128, [&](auto& block) {
    auto sA = shared<half_t>(block, small_a{});
    auto sB = shared<half_t>(block, small_b{});
    for (int i = block.thread(); i < static_cast<int>(size(sA)); i += block.threads()) sA(i) = half_t(1);
    for (int i = block.thread(); i < static_cast<int>(size(sB)); i += block.threads()) sB(i) = half_t(2);
    block.sync();
    std::uint64_t const a = GMMA::make_gmma_desc<K_>(local_tile(sA, Shape<_64, _16>{}, make_coord(0, 0)));
    std::uint64_t const b = GMMA::make_gmma_desc<K_>(local_tile(sB, Shape<_8, _16>{}, make_coord(0, 0)));
    float d[4] = {1, 2, 3, 4};
    warpgroup_arrive();
    small_op::fma(a, b, d[0], d[1], d[2], d[3]);
    small_op::fma(a, b, d[0], d[1], d[2], d[3], GMMA::ScaleOut::One);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    sums[static_cast<std::size_t>(block.thread())] = d[0] + d[3];
  });
  for (float s : sums) EXPECT_EQ(s, 5 + 2 * 64.0f);
}

}  // namespace
