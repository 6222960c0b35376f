// CuTe's names for matrix operations: a kernel of CuTe's style on the CPU, and what print says.
#include <cute/algorithm/cooperative_gemm.hpp>
#include <cute/algorithm/gemm.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

// Names of every header of operations.
static_assert(sizeof(cute::SM61_DP4A) + sizeof(cute::SM70_8x8x4_F32F16F16F32_NT) +
                  sizeof(cute::SM75_8x8x16_S32S8S8S32_TN) >
              0);
static_assert(sizeof(cute::SM80_16x8x256_S32U1U1S32_TN_XORPOPC) + sizeof(cute::SM89_16x8x32_F32E4M3E4M3F32_TN) > 0);
static_assert(sizeof(cute::SM90_16x8x16_F64F64F64F64_TN) > 0);

TEST(cute_mma, objects_are_deduced) {
  using namespace cute;
  MMA_Atom atom = MMA_Atom<SM70_8x8x4_F32F16F16F32_NT>{};
  TiledMMA mma = make_tiled_mma(atom, Layout<Shape<_2, _2>, Stride<_2, _1>>{}, Tile<_32, _32, _4>{});
  ThrMMA thr = mma.get_thread_slice(3);
  static_assert(decltype(size(mma))::value == 32 && decltype(tile_size<0>(mma))::value == 32);
  static_assert(std::is_same_v<decltype(tile_shape(mma)), Shape<_32, _32, _4>>);
  std::vector<float> c(32 * 32);
  Tensor C = make_tensor(c.data(), Shape<_32, _32>{});
  EXPECT_EQ(static_cast<int>(size(thr.partition_C(C))), 32);
  using Spelled = TiledMMA<MMA_Atom<SM80_16x8x8_F16F16F16F16_TN>, Layout<Shape<_2, _2, _1>>>;
  static_assert(decltype(size(Spelled{}))::value == 128);
  static_assert(decltype(size(TiledMMA<MMA_Atom<SM80_16x8x8_F16F16F16F16_TN>>{}))::value == 32);  // one atom
}

// CuTe before CUTLASS 3.4 had how often atoms are repeated in place of the tile.
TEST(cute_mma, a_layout_of_repetitions_is_a_tile) {
  using namespace cute;
  using Atom = MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>;
  using Repeated = TiledMMA<Atom, Layout<Shape<_4, _1, _1>>, Layout<Shape<_1, _2, _1>>>;
  // CUTLASS 3.2 and 3.3: a permutation of the tensors' modes as a fourth argument, which changes nothing here.
  using Fourth =
      TiledMMA<Atom, Layout<Shape<_4, _1, _1>>, Layout<Shape<_1, _2, _1>>, Tile<Underscore, Underscore, Underscore>>;
  static_assert(std::is_same_v<Fourth::base, Repeated::base>);
  static_assert(size(Fourth{}) == size(Repeated{}));
  static_assert(std::is_same_v<decltype(partition_shape_C(Fourth{}, Shape<_64, _32>{})),
                               decltype(partition_shape_C(Repeated{}, Shape<_64, _32>{}))>);
  using Tiled = TiledMMA<Atom, Layout<Shape<_4, _1, _1>>, Tile<_64, _16, _16>>;
  static_assert(std::is_same_v<decltype(tile_shape(Repeated{})), Shape<_64, _16, _16>>);
  static_assert(std::is_same_v<Repeated::TiledShape_MNK, Shape<_64, _16, _16>>);
  static_assert(std::is_same_v<decltype(Repeated{}.get_layoutB_TV()), decltype(Tiled{}.get_layoutB_TV())>);
  using Deep = TiledMMA<Atom, Layout<Shape<_2, _2>>, Layout<Shape<_2, _1, _2>>>;
  static_assert(std::is_same_v<decltype(tile_shape(Deep{})), Shape<_64, _16, _32>>);
  std::vector<half_t> b(32 * 16);
  auto const thr = Repeated{}.get_slice(5);
  auto const mine = thr.partition_B(make_tensor(b.data(), Shape<_32, _16>{}));  // (V, RestN, RestK)
  EXPECT_EQ(static_cast<int>(size<1>(mine)), 4);
  auto const load = make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, Repeated{});
  EXPECT_EQ(static_cast<int>(size<0>(typename decltype(load)::Tiler_MN{})), 16);
}

TEST(cute_mma, the_tutorials_sgemm_runs_on_the_cpu) {
  using namespace cute;
  int const M = 16, N = 32, K = 8;
  std::vector<float> a(M * K), b(N * K), c(M * N), expected(M * N);
  for (int i = 0; i < M * K; ++i) a[static_cast<std::size_t>(i)] = static_cast<float>(i % 5);
  for (int i = 0; i < N * K; ++i) b[static_cast<std::size_t>(i)] = static_cast<float>(i % 3);
  Tensor A = make_tensor(a.data(), Shape<_16, _8>{});
  Tensor B = make_tensor(b.data(), Shape<_32, _8>{});
  Tensor C = make_tensor(c.data(), Shape<_16, _32>{});
  TiledMMA mma = make_tiled_mma(UniversalFMA<float, float, float>{}, Layout<Shape<_4, _8, _1>>{});
  for (int t = 0; t < size(mma); ++t) {
    ThrMMA thr_mma = mma.get_slice(t);
    Tensor tCgC = thr_mma.partition_C(C);
    Tensor tCrC = thr_mma.make_fragment_C(tCgC);
    clear(tCrC);
    gemm(mma, thr_mma.partition_A(A), thr_mma.partition_B(B), tCrC);
    axpby(2.0f, tCrC, 0.0f, tCgC);
  }
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += A(m, k) * B(n, k);
      EXPECT_EQ(C(m, n), 2 * sum);
    }
}

TEST(cute_mma, print_is_cutes) {
  testing::internal::CaptureStdout();
  cute::print(
      cute::make_tiled_mma(cute::UniversalFMA<float>{}, cute::Layout<cute::Shape<cute::_16, cute::_16, cute::_1>>{}));
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "TiledMMA\n  ThrLayoutVMNK:  (_1,_16,_16,_1):(_0,_1,_16,_0)\n  PermutationMNK: (_,_,_)\nMMA_Atom\n"
            "  ThrID:      _1:_0\n  Shape_MNK:  (_1,_1,_1)\n  LayoutA_TV: (_1,_1):(_0,_0)\n"
            "  LayoutB_TV: (_1,_1):(_0,_0)\n  LayoutC_TV: (_1,_1):(_0,_0)\n");
}

// More results than a thread has registers for: its loops are not unrolled as a whole.
TEST(cute_mma, a_long_product_of_one_thread) {
  using namespace cute;
  std::vector<float> a(48 * 3), b(40 * 3), c(48 * 40, 1.0f), d(48 * 40);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5);
  auto const A = make_tensor(a.data(), Layout<Shape<_48, _3>>{});
  auto const B = make_tensor(b.data(), Layout<Shape<_40, _3>>{});
  auto C = make_tensor(c.data(), Layout<Shape<_48, _40>>{});
  auto D = make_tensor(d.data(), Layout<Shape<_40, _48>, Stride<_48, _1>>{});
  gemm(A, B, C);
  for (int m = 0; m < 48; ++m)
    for (int n = 0; n < 40; ++n) {
      float sum = 1;
      for (int k = 0; k < 3; ++k) sum += A(m, k) * B(n, k);
      ASSERT_EQ(C(m, n), sum);
    }
  copy_if([](int i) { return i % 3 == 0; }, C, D);
  for (int i = 0; i < 48 * 40; ++i) ASSERT_EQ(D(i), i % 3 == 0 ? C(i) : 0.0f);
  ASSERT_EQ(reduce(C, 0.0f), transform_reduce(C, 0.0f, plus{}, identity{}));
}
