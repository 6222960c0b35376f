// TiledMMA: the pictures of CuTe's documentation as layouts, partitions that cover every element as often as they should, and
// whole products under launch against a triple loop.
#include "tilewright/algorithm/elementwise.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/atom/ldmatrix.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tiled/make_tiled_copy_mma.hpp"

#include <gtest/gtest.h>

#include <random>
#include <type_traits>
#include <vector>

using namespace tilewright;

namespace {

template <class Expected, class Given>
constexpr bool is_layout_of(Given const&) {
  return std::is_same_v<Expected, Given>;
}

using volta = SM70_8x8x4_F32F16F16F32_NT;
using ampere = SM80_16x8x16_F32F16F16F32_TN;
using four_atoms = Layout<Shape<_2, _2>, Stride<_2, _1>>;

/// How many threads have each element of an operand of `I` × `J` elements.
template <class Mma, class Partition, class Count>
void expect_times(Mma const& mma, int rows, int columns, Partition const& partition, Count const& times) {
  std::vector<int> seen(static_cast<std::size_t>(rows * columns));
  for (int k = 0; k < size(mma); ++k) {  // the threads of a lone quad pair are 0 … 3 and 16 … 19
    auto const mine = partition(mma.get_slice(static_cast<int>(mma.get_thr_layout_vmnk()(k))));
    for (int i = 0; i < size(mine); ++i) ++seen[static_cast<std::size_t>(mine(i))];
  }
  for (int const n : seen) ASSERT_EQ(n, times);
}

template <class Mma, class M, class N, class K>
void expect_partitions(Mma const& mma, M m, N n, K k) {
  auto const a = make_counting_tensor(make_layout(make_shape(m, k)));
  auto const b = make_counting_tensor(make_layout(make_shape(n, k)));
  auto const c = make_counting_tensor(make_layout(make_shape(m, n)));
  auto const thr = mma.get_thr_layout_vmnk();
  expect_times(
      mma, m, n, [&](auto const& slice) { return slice.partition_C(c); }, static_cast<int>(size<3>(thr)));
  expect_times(
      mma, m, k, [&](auto const& slice) { return slice.partition_A(a); }, static_cast<int>(size<2>(thr)));
  expect_times(
      mma, n, k, [&](auto const& slice) { return slice.partition_B(b); }, static_cast<int>(size<1>(thr)));
}

/// The thread-value layouts say the same as the partitions of one tile.
template <class Mma>
void expect_thread_value_layouts(Mma const& mma) {
  auto const m = tile_size<0>(mma);
  auto const n = tile_size<1>(mma);
  auto const k = tile_size<2>(mma);
  auto const compare = [&](auto const& tv, auto const& partition) {
    for (int t = 0; t < size(mma); ++t) {
      auto const mine = partition(mma.get_slice(t));
      ASSERT_EQ(static_cast<int>(size(mine)), static_cast<int>(size<1>(tv)));
      for (int v = 0; v < size(mine); ++v) ASSERT_EQ(static_cast<int>(tv(t, v)), mine(v)) << t << " " << v;
    }
  };
  auto const a = make_counting_tensor(make_layout(make_shape(m, k)));
  auto const b = make_counting_tensor(make_layout(make_shape(n, k)));
  auto const c = make_counting_tensor(make_layout(make_shape(m, n)));
  compare(mma.get_layoutA_TV(), [&](auto const& slice) { return slice.partition_A(a); });
  compare(mma.get_layoutB_TV(), [&](auto const& slice) { return slice.partition_B(b); });
  compare(mma.get_layoutC_TV(), [&](auto const& slice) { return slice.partition_C(c); });
  auto const holder = mma.get_layoutC_MN();
  auto const tv = mma.get_layoutC_TV();
  for (int i = 0; i < size(holder); ++i) {
    int const at = static_cast<int>(holder(i)), threads = static_cast<int>(size<0>(tv));
    ASSERT_EQ(static_cast<int>(tv(at % threads, at / threads)), i);
  }
}

/// One tile of M × N × K by all threads, through shared memory.
template <class Mma, class M, class N, class K>
struct tile_product {
  template <class Block, class A, class B, class C>
  void operator()(Block& block, A const& a, B const& b, C c) const {
    using TA = typename Mma::ValTypeA;
    using TB = typename Mma::ValTypeB;
    Mma const mma;
    auto sA = shared<TA>(block, make_layout(Shape<M, K>{}, Stride<K, _1>{}));  // (M, K)
    auto sB = shared<TB>(block, make_layout(Shape<N, K>{}, Stride<K, _1>{}));  // (N, K)
    for (int i = block.thread(); i < size(sA); i += block.threads()) sA(i) = a(i);
    for (int i = block.thread(); i < size(sB); i += block.threads()) sB(i) = b(i);
    block.sync();
    auto const thr = mma.get_slice(block.thread());
    auto const tCsA = thr.partition_A(sA);  // (V, RestM, RestK)
    auto const tCsB = thr.partition_B(sB);  // (V, RestN, RestK)
    auto tCgC = thr.partition_C(c);         // (V, RestM, RestN)
    auto tCrC = thr.make_fragment_C(tCgC);  // (V, RestM, RestN)
    clear(tCrC);
    gemm(mma, tCsA, tCsB, tCrC);
    copy(tCrC, tCgC);
  }
};

template <class Mma, class M, class N, class K>
void expect_product(Mma const&, M, N, K) {
  using TA = typename Mma::ValTypeA;
  using TB = typename Mma::ValTypeB;
  using TC = typename Mma::ValTypeC;
  constexpr int m = M::value, n = N::value, k = K::value;
  std::mt19937 random(3);
  std::uniform_int_distribution<int> small(-3, 3);
  std::vector<TA> a(m * k);
  std::vector<TB> b(n * k);
  std::vector<TC> c(m * n);
  for (TA& x : a) x = static_cast<TA>(small(random));
  for (TB& x : b) x = static_cast<TB>(small(random));
  auto const A = make_tensor(make_gmem_ptr(a.data()), make_layout(Shape<M, K>{}));
  auto const B = make_tensor(make_gmem_ptr(b.data()), make_layout(Shape<N, K>{}));
  auto const C = make_tensor(make_gmem_ptr(c.data()), make_layout(Shape<M, N>{}));
  unsigned const block = static_cast<unsigned>(decltype(size(Mma{}))::value);
  for (bool const checked : {false, true}) {
    for (TC& x : c) x = static_cast<TC>(-1);
    if (checked)
      launch_checked(checked_config{.grid = 1, .block = block, .seed = 2}, tile_product<Mma, M, N, K>{}, A, B, C);
    else launch(1, block, tile_product<Mma, M, N, K>{}, A, B, C);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < k; ++l) sum += static_cast<double>(A(i, l)) * static_cast<double>(B(j, l));
        ASSERT_EQ(static_cast<double>(C(i, j)), sum) << i << "," << j;
      }
  }
}

}  // namespace

// media/docs/cpp/cute/0t_mma_atom.md of CUTLASS: what its text says of each map.
TEST(tiled_mma, atoms_are_those_of_cutes_documentation) {
  using T = MMA_Traits<volta>;
  static_assert(std::is_same_v<T::ThrID, Layout<Shape<_4, _2>, Stride<_1, _16>>>);
  static_assert(std::is_same_v<T::CLayout, Layout<Shape<Shape<_2, _2, _2>, Shape<_2, _2, _2>>,
                                                  Stride<Stride<_1, _16, _4>, Stride<_8, _2, _32>>>>);
  static_assert(std::is_same_v<T::ALayout, Layout<Shape<Shape<_4, _2>, _4>, Stride<Stride<_8, _4>, _1>>>);
  static_assert(std::is_same_v<T::BLayout, T::ALayout>);
  using TN = MMA_Traits<SM70_8x8x4_F32F16F16F32_TN>;
  static_assert(std::is_same_v<TN::ALayout, Layout<Shape<_8, _4>, Stride<_1, _8>>>);
  static_assert(std::is_same_v<TN::BLayout, TN::ALayout>);
  static_assert(std::is_same_v<MMA_Traits<SM70_8x8x4_F16F16F16F16_NT>::CLayout, Layout<Shape<_8, _8>, Stride<_1, _8>>>);
  static_assert(std::is_same_v<volta::DRegisters, float[8]> && std::is_same_v<volta::ARegisters, std::uint32_t[2]>);
  using A = MMA_Traits<ampere>;
  static_assert(
      std::is_same_v<A::ALayout,
                     Layout<Shape<Shape<_4, _8>, Shape<_2, _2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8, _128>>>>);
  static_assert(std::is_same_v<A::BLayout,
                               Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_16, _1>, Stride<_8, _64>>>>);
  static_assert(std::is_same_v<A::CLayout,
                               Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8>>>>);
}

// Its picture 2x2, n-major: threads 4, 8 and 12 begin the other quadrants, T4 beside T0 in N.
TEST(tiled_mma, four_quad_pairs_are_the_documented_picture) {
  auto const mma = make_tiled_mma(volta{}, four_atoms{});
  EXPECT_EQ(static_cast<int>(size(mma)), 32);
  EXPECT_TRUE((std::is_same_v<decltype(tile_shape(mma)), Shape<_16, _16, _4>>));
  auto const c = mma.get_layoutC_TV();
  EXPECT_EQ(static_cast<int>(c(0, 0)), 0);
  EXPECT_EQ(static_cast<int>(c(4, 0)), 16 * 8);
  EXPECT_EQ(static_cast<int>(c(8, 0)), 8);
  EXPECT_EQ(static_cast<int>(c(12, 0)), 16 * 8 + 8);
}

// The tile of 32 × 32 × 4: T0V8, T16V8 and T8V8 are in the part that values repeat; T0's A values are at these coordinates.
TEST(tiled_mma, a_larger_tile_repeats_values) {
  auto const mma = make_tiled_mma(volta{}, four_atoms{}, Tile<_32, _32, _4>{});
  auto const c = mma.get_layoutC_TV();
  EXPECT_EQ(static_cast<int>(size<1>(c)), 32);
  EXPECT_EQ(static_cast<int>(c(0, 8)), 16);
  EXPECT_EQ(static_cast<int>(c(0, 16)), 32 * 16);
  auto const a = mma.get_layoutA_TV();
  int const expected[8] = {0, 1, 2, 3, 16, 17, 18, 19};
  for (int v = 0; v < 8; ++v) EXPECT_EQ(static_cast<int>(a(0, v)), expected[v]);
}

TEST(tiled_mma, a_permutation_makes_them_contiguous) {
  auto const mma =
      make_tiled_mma(volta{}, four_atoms{}, Tile<Layout<Shape<_4, _4, _2>, Stride<_1, _8, _4>>, _32, _4>{});
  auto const a = mma.get_layoutA_TV();
  for (int v = 0; v < 8; ++v) EXPECT_EQ(static_cast<int>(a(0, v)), v);
  int const moved[32] = {0, 1, 2, 3, 8,  9,  10, 11, 16, 17, 18, 19, 24, 25, 26, 27,
                         4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31};
  auto const plain = make_tiled_mma(volta{}, four_atoms{}, Tile<_32, _32, _4>{});
  for (int t = 0; t < 32; ++t)
    for (int v = 0; v < 32; ++v) {
      int const old = static_cast<int>(plain.get_layoutC_TV()(t, v)),
                now = static_cast<int>(mma.get_layoutC_TV()(t, v));
      EXPECT_EQ(now % 32, moved[old % 32]);
      EXPECT_EQ(now / 32, old / 32);
    }
}

TEST(tiled_mma, partitions_cover_every_operand) {
  expect_partitions(make_tiled_mma(volta{}), C<16>{}, C<24>{}, C<8>{});
  expect_partitions(make_tiled_mma(volta{}, four_atoms{}), C<32>{}, C<16>{}, C<4>{});
  expect_partitions(
      make_tiled_mma(volta{}, four_atoms{}, Tile<Layout<Shape<_4, _4, _2>, Stride<_1, _8, _4>>, _32, _4>{}), C<64>{},
      C<32>{}, C<8>{});
  expect_partitions(make_tiled_mma(ampere{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{}), C<64>{}, C<32>{},
                    C<32>{});
  expect_partitions(make_tiled_mma(ampere{}, Layout<Shape<_4, _1, _1>>{}), C<64>{}, C<48>{}, C<16>{});
  expect_partitions(make_tiled_mma(ampere{}, Layout<Shape<_1, _2, _2>>{}), C<16>{}, C<32>{}, C<64>{});
  expect_partitions(make_tiled_mma(ampere{}, Layout<Shape<_2, _1>, Stride<_1, _2>>{},
                                   Tile<Underscore, Layout<Shape<_8, _2>, Stride<_2, _1>>, Underscore>{}),
                    C<32>{}, C<32>{}, C<16>{});
  expect_partitions(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_16, _16, _1>>{}), C<32>{}, C<48>{}, C<3>{});
  expect_partitions(make_tiled_mma(SM61_DP4A{}, Layout<Shape<_4, _8>, Stride<_8, _1>>{}), C<8>{}, C<8>{}, C<12>{});
  expect_partitions(make_tiled_mma(SM80_16x8x64_S32S4S4S32_TN{}, Layout<Shape<_2, _2>>{}), C<64>{}, C<16>{}, C<128>{});
}

TEST(tiled_mma, thread_value_layouts_are_the_partitions) {
  expect_thread_value_layouts(make_tiled_mma(volta{}));
  expect_thread_value_layouts(make_tiled_mma(volta{}, four_atoms{}));
  expect_thread_value_layouts(
      make_tiled_mma(volta{}, four_atoms{}, Tile<Layout<Shape<_4, _4, _2>, Stride<_1, _8, _4>>, _32, _4>{}));
  expect_thread_value_layouts(make_tiled_mma(ampere{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{}));
  expect_thread_value_layouts(make_tiled_mma(SM80_8x8x4_F64F64F64F64_TN{}, Layout<Shape<_2, _2>>{}));
  expect_thread_value_layouts(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_4, _2, _1>>{}, Tile<_8, _8, _2>{}));
}

TEST(tiled_mma, products_are_those_of_a_triple_loop) {
  expect_product(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_4, _8>>{}), C<16>{}, C<16>{}, C<5>{});
  expect_product(make_tiled_mma(UniversalFMA<double, float>{}, Layout<Shape<_3, _2>>{}), C<9>{}, C<4>{}, C<7>{});
  expect_product(make_tiled_mma(SM61_DP4A{}, Layout<Shape<_8, _4>>{}), C<16>{}, C<8>{}, C<16>{});
  expect_product(make_tiled_mma(volta{}, four_atoms{}), C<32>{}, C<16>{}, C<8>{});
  expect_product(make_tiled_mma(volta{}, four_atoms{}, Tile<Layout<Shape<_4, _4, _2>, Stride<_1, _8, _4>>, _32, _4>{}),
                 C<32>{}, C<64>{}, C<8>{});
  expect_product(make_tiled_mma(SM75_16x8x8_F16F16F16F16_TN{}, Layout<Shape<_2, _1>>{}), C<32>{}, C<16>{}, C<16>{});
  expect_product(make_tiled_mma(ampere{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{}), C<64>{}, C<32>{},
                 C<32>{});
  expect_product(make_tiled_mma(ampere{}, Layout<Shape<_1, _4>>{},
                                Tile<Underscore, Layout<Shape<_8, _4, _2>, Stride<_2, _16, _1>>, Underscore>{}),
                 C<16>{}, C<64>{}, C<16>{});
  expect_product(make_tiled_mma(SM80_8x8x4_F64F64F64F64_TN{}, Layout<Shape<_2, _2>>{}), C<16>{}, C<32>{}, C<8>{});
  expect_product(make_tiled_mma(SM80_16x8x32_S32S8S8S32_TN{}), C<32>{}, C<16>{}, C<32>{});
  expect_product(make_tiled_mma(SM89_16x8x32_F32E4M3E5M2F32_TN{}), C<16>{}, C<16>{}, C<32>{});
}

TEST(tiled_mma, fragments_and_shapes_agree) {
  auto const mma = make_tiled_mma(ampere{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{});
  static_assert(std::is_same_v<decltype(partition_shape_C(mma, Shape<_128, _128>{})), Shape<Shape<_2, _2>, _4, _8>>);
  static_assert(std::is_same_v<decltype(partition_shape_A(mma, Shape<_128, _64>{})), Shape<Shape<_2, _2, _2>, _4, _4>>);
  static_assert(std::is_same_v<decltype(partition_shape_B(mma, Shape<_128, _64>{})), Shape<Shape<_2, _2>, _8, _4>>);
  auto const c = partition_fragment_C(mma, Shape<_128, _128>{});
  static_assert(std::is_same_v<decltype(c)::value_type, float>);
  EXPECT_EQ(static_cast<int>(size(c)), 128);
  auto const thr = mma.get_thread_slice(5);
  std::vector<half_t> data(128 * 64);
  auto const tensor = make_tensor(make_smem_ptr(data.data()), make_layout(Shape<_128, _64>{}));
  EXPECT_TRUE(shape(thr.partition_fragment_A(tensor)) == shape(thr.partition_A(tensor)));
  EXPECT_TRUE(shape(thr.partition_fragment_B(tensor)) == shape(thr.partition_B(tensor)));
  static_assert(decltype(thr_size(mma))::value == 128 && decltype(size<1>(mma))::value == 2);
}

TEST(tiled_mma, a_missing_barrier_is_found) {
  auto const kernel = [](auto& block, auto out) {
    auto const mma = make_tiled_mma(ampere{});
    auto sA = shared<half_t>(block, make_layout(Shape<_16, _16>{}));
    for (int i = block.thread(); i < 256; i += 32) sA(i) = half_t(1);
    auto const thr = mma.get_slice(block.thread());
    auto rA = thr.partition_fragment_A(sA);
    copy(thr.partition_A(sA), rA);  // no block.sync() before it
    out(block.thread()) = static_cast<float>(rA(0));
  };
  std::vector<float> out(32);
  EXPECT_THROW(launch_checked(1, 32, kernel, make_tensor(make_gmem_ptr(out.data()), make_layout(Shape<_32>{}))),
               execution_error);
}

TEST(tiled_mma, tiled_copies_fill_the_fragments) {
  auto const kernel = [](auto& block, auto in, auto out) {
    auto const mma = make_tiled_mma(ampere{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{});
    auto sA = shared<half_t>(block, make_layout(Shape<_32, _32>{}, Stride<_32, _1>{}));
    for (int i = block.thread(); i < 1024; i += 128) sA(i) = in(i);
    block.sync();
    auto const thr = mma.get_slice(block.thread());
    auto rA = thr.partition_fragment_A(sA);  // (V, RestM, RestK)
    auto const tiled = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
    auto const thr_copy = tiled.get_slice(block.thread());
    copy(tiled, thr_copy.partition_S(sA), thr_copy.retile_D(rA));
    auto const expected = thr.partition_A(sA);
    int wrong = 0;
    for (int i = 0; i < size(rA); ++i) wrong += static_cast<float>(rA(i)) != static_cast<float>(expected(i)) ? 1 : 0;
    out(block.thread()) = wrong;
  };
  std::vector<half_t> in(1024);
  for (int i = 0; i < 1024; ++i) in[static_cast<std::size_t>(i)] = half_t(i);
  std::vector<int> out(128, -1);
  launch(1, 128, kernel, make_tensor(make_gmem_ptr(in.data()), make_layout(Shape<_32, _32>{})),
         make_tensor(make_gmem_ptr(out.data()), make_layout(Shape<_128>{})));
  for (int const wrong : out) EXPECT_EQ(wrong, 0);
}

TEST(tiled_mma, the_copy_of_the_result_may_be_cut_to_one_atom) {
  auto const mma = make_tiled_mma(ampere{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{});
  auto const tiled = make_tiled_copy_C_atom(Copy_Atom<UniversalCopy<std::uint64_t>, float>{}, mma);
  auto const whole = mma.get_layoutC_TV();
  EXPECT_EQ(static_cast<int>(size(tiled)), 128);
  EXPECT_EQ(static_cast<int>(size<1>(tiled.get_layoutS_TV())), 2);
  auto const c = make_counting_tensor(make_layout(Shape<_32, _32>{}));
  for (int t = 0; t < 128; ++t) {
    auto const mine = tiled.get_slice(t).partition_D(c);
    for (int v = 0; v < 2; ++v) EXPECT_EQ(mine(v), static_cast<int>(whole(t, v)));
  }
}
