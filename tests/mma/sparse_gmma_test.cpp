// Matrix products of a warpgroup with a sparse A on the CPU, next to a triple loop over the dense A: element types, A in shared
// memory and in registers, major modes, swizzles, both sparsity selectors, signs; the maps of the metadata; descriptors.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/mma/gmma_layouts.hpp"
#include "tilewright/mma/gmma_selectors.hpp"
#include "tilewright/mma/sm90_sparse_gmma_extended_names.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace tilewright;

namespace {

using namespace tilewright::SM90::GMMA::SPARSE;

constexpr auto K_ = GMMA::Major::K, MN_ = GMMA::Major::MN;

template <class T>
double as_double(T const& x) {
  if constexpr (std::is_integral_v<T>) return static_cast<double>(x);
  else return static_cast<double>(static_cast<float>(x));
}
template <class T>
T random_element(std::mt19937& random) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(random());
  else return static_cast<T>(static_cast<float>(static_cast<int>(random() % 33) - 16) / 8.0f);
}

/// A matrix of which of each 4 neighbours of a row (2 of 32 bits) half are stored.
template <class T>
struct sparse_matrix {
  int rows, columns;
  std::vector<T> dense, stored;      // m + rows * k
  std::vector<unsigned char> names;  // 4 bits for each 4 (2) neighbours

  sparse_matrix(int m, int k, unsigned seed)
      : rows(m),
        columns(k),
        dense(static_cast<std::size_t>(m * k), T(0)),
        stored(static_cast<std::size_t>(m * k / 2)) {
    std::mt19937 random(seed);
    constexpr int group = sizeof(T) == 4 ? 2 : 4;
    static constexpr int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int g = 0; g < k / group; ++g)
      for (int row = 0; row < m; ++row) {
        int const* const pair = pairs[random() % 6];
        int const one = static_cast<int>(random() % 2);
        for (int i = 0; i < group / 2; ++i) {
          T const x = random_element<T>(random);
          at(stored, row, g * group / 2 + i) = x;
          at(dense, row, g * group + (group == 2 ? one : pair[i])) = x;
        }
        names.push_back(static_cast<unsigned char>(group == 2 ? (one == 0 ? 0b0100 : 0b1110) : pair[0] + 4 * pair[1]));
      }
  }
  T& at(std::vector<T>& v, int m, int k) const { return v[static_cast<std::size_t>(m + rows * k)]; }
  /// The metadata of a thread for the product of columns first … of 64 rows: names of the columns that its map has.
  template <class ELayout>
  std::uint32_t metadata(int thread, int first) const {
    constexpr int group = sizeof(T) == 4 ? 2 : 4;
    std::uint32_t out = 0;
    for (int v = 0, bit = 0; v < static_cast<int>(size<1>(ELayout{})); v += group, bit += 4) {
      int const place = static_cast<int>(ELayout{}(thread, v)), m = place % 64, k = first + place / 64;
      out |= static_cast<std::uint32_t>(names[static_cast<std::size_t>(m + rows * (k / group))]) << bit;
    }
    return out;
  }
};

/// C (64,N) = A·B + C of K columns, the metadata in an array by thread and product. Threads that the selector does not name have others.
template <class Op, class LayoutA, class LayoutB>
struct sparse_kernel {
  using Traits = MMA_Traits<Op>;
  template <class Block, class GA, class GB, class GE, class GC>
  void operator()(Block& block, GA a, GB b, GE e, GC c) const {
    auto memory = shared<typename Traits::ValTypeA>(block, LayoutA{});
    auto sA = make_tensor(make_sparse_ptr<2>(memory.data()), LayoutA{});  // (M, K)
    auto sB = shared<typename Traits::ValTypeB>(block, LayoutB{});        // (N, K)
    using Stored = typename Traits::ValTypeA;
    for (int i = block.thread(); i < static_cast<int>(size(a)); i += block.threads()) {
      int const m = i % 64, k = i / 64;  // stored
      sA(m, 2 * k) = Stored(a(i));
    }
    for (int i = block.thread(); i < static_cast<int>(size(sB)); i += block.threads()) sB(i) = b(i);
    block.sync();
    auto mma = make_tiled_mma(Op{});
    auto const thr = mma.get_slice(block.thread());
    auto tCsA = thr.partition_A(sA);           // (V, RestM, RestK)
    auto tCrA = thr.make_fragment_A(tCsA);     // (1, RestM, RestK) of descriptors, or as tCsA
    auto tCrB = thr.partition_fragment_B(sB);  // (1, RestN, RestK)
    auto tCgC = thr.partition_C(c);            // (V, RestM, RestN)
    auto tCrC = thr.make_fragment_C(tCgC);
    if constexpr (!std::is_same_v<typename Op::ARegisters, std::uint64_t[1]>) copy(tCsA, tCrA);
    copy(tCgC, tCrC);
    warpgroup_arrive();
    for (int k = 0; k < static_cast<int>(size<2>(tCrA)); ++k) {
      auto metadata = make_tensor<std::uint32_t>(Shape<_1>{});
      metadata(0) = e(block.thread(), k);
      for (int n = 0; n < static_cast<int>(size<1>(tCrB)); ++n)
        mma_sparse(static_cast<Traits const&>(mma), tCrC(_, 0, n), tCrA(_, 0, k), metadata, tCrB(_, n, k),
                   tCrC(_, 0, n));
    }
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    copy(tCrC, tCgC);
  }
};

template <class Op>
inline constexpr int selector_of = 0;
template <int N, class D, class A, class B, bool R, GMMA::Major MA, GMMA::Major MB, GMMA::ScaleIn SA, GMMA::ScaleIn SB,
          bool Saturates>
inline constexpr int
    selector_of<warpgroup_sparse_mma<N, D, A, B, R, MA, MB, SA, SB, Saturates, SM90::GMMA::SparseSel::One>> = 1;

template <class Op, class LayoutA, class LayoutB, int Sign = 1>
void expect_product(char const* what, double tolerance = 0) {
  using T = MMA_Traits<Op>;
  using A = typename T::ValTypeA::raw_type;
  constexpr int N = decltype(size<0>(LayoutB{}))::value, K = decltype(size<1>(LayoutB{}))::value;
  sparse_matrix<A> const a(64, K, 1);
  std::mt19937 random(2);
  std::vector<typename T::ValTypeB> b(static_cast<std::size_t>(N * K));
  for (auto& x : b) x = random_element<typename T::ValTypeB>(random);
  std::vector<typename T::ValTypeC> c(static_cast<std::size_t>(64 * N));
  for (auto& x : c) x = random_element<typename T::ValTypeC>(random);
  constexpr int steps = K / Op::k_extent;
  std::vector<std::uint32_t> e(128 * steps);
  for (int t = 0; t < 128; ++t)
    for (int k = 0; k < steps; ++k)
      e[static_cast<std::size_t>(t + 128 * k)] = sizeof(A) > 1 && t % 4 / 2 != selector_of<Op>
                                                     ? static_cast<std::uint32_t>(random())
                                                     : a.template metadata<typename T::ELayout>(t, Op::k_extent * k);
  auto d = c;
  launch_checked(1, 128, sparse_kernel<Op, LayoutA, LayoutB>{},
                 make_tensor(make_gmem_ptr(a.stored.data()), Shape<_64, C<K / 2>>{}),
                 make_tensor(make_gmem_ptr(b.data()), Shape<C<N>, C<K>>{}),
                 make_tensor(make_gmem_ptr(e.data()), Shape<_128, C<steps>>{}),
                 make_tensor(make_gmem_ptr(d.data()), Shape<_64, C<N>>{}));
  for (int m = 0; m < 64; ++m)
    for (int n = 0; n < N; ++n) {
      auto const at = static_cast<std::size_t>(m + 64 * n);
      double sum = as_double(c[at]);
      for (int k = 0; k < K; ++k)
        sum += Sign * as_double(a.dense[static_cast<std::size_t>(m + 64 * k)]) *
               as_double(b[static_cast<std::size_t>(n + N * k)]);
      if (std::is_integral_v<typename T::ValTypeD>)
        sum = static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(sum) & 0xffffffff));
      ASSERT_NEAR(as_double(d[at]), sum, tolerance * (1 + std::abs(sum))) << what << " at " << m << "," << n;
    }
}

template <class Atom, int MN, int K>
using tile_of = decltype(tile_to_shape(Atom{}, Shape<C<MN>, C<K>>{}));

TEST(sparse_gmma, operands_in_shared_memory) {
  using namespace GMMA;
  expect_product<GMMA_64x8x32_F32F16F16_SS<K_, K_>, tile_of<Layout_K_SW128_SpAtom<half_t, 2>, 64, 128>,
                 tile_of<Layout_K_SW128_Atom<half_t>, 16, 128>>("K", 1e-5);
  expect_product<GMMA_64x64x32_F16F16F16_SS<MN_, MN_, ScaleIn::One, ScaleIn::One, SparseSel::One>,
                 tile_of<Layout_MN_SW128_SpAtom<half_t, 2>, 64, 64>, tile_of<Layout_MN_SW64_Atom<half_t>, 64, 64>>(
      "MN, selector 1", 2e-2);
  expect_product<GMMA_64x16x32_F32BF16BF16_SS<MN_, K_, ScaleIn::Neg>,
                 tile_of<Layout_MN_INTER_SpAtom<bfloat16_t, 2>, 64, 64>,
                 tile_of<Layout_K_INTER_Atom<bfloat16_t>, 16, 64>, -1>("no swizzle, -A", 1e-5);
  expect_product<GMMA_64x16x16_F32TF32TF32_SS_TN<>, tile_of<Layout_K_SW32_SpAtom<tfloat32_t, 2>, 64, 32>,
                 tile_of<Layout_K_SW64_Atom<tfloat32_t>, 16, 32>>("tf32", 1e-5);
  expect_product<GMMA_64x24x64_S32S8U8_SS_TN<>, tile_of<Layout_K_SW64_SpAtom<std::int8_t, 2>, 64, 128>,
                 tile_of<Layout_K_SW128_Atom<std::uint8_t>, 24, 128>>("s8");
}

TEST(sparse_gmma, a_in_registers) {
  using namespace GMMA;
  expect_product<GMMA_64x32x32_F32F16F16_RS<K_, MN_, ScaleIn::One, ScaleIn::Neg, SparseSel::One>,
                 tile_of<Layout_K_SW64_SpAtom<half_t, 2>, 64, 64>, tile_of<Layout_MN_SW64_Atom<half_t>, 32, 64>, -1>(
      "f16", 1e-5);
  expect_product<GMMA_64x8x16_F32TF32TF32_RS_TN<>, tile_of<Layout_K_SW128_SpAtom<tfloat32_t, 2>, 64, 64>,
                 tile_of<Layout_K_SW128_Atom<tfloat32_t>, 8, 64>>("tf32", 1e-5);
  expect_product<GMMA_64x8x64_F32E4M3E5M2_RS_TN<>, tile_of<Layout_K_INTER_SpAtom<float_e4m3_t, 2>, 64, 64>,
                 tile_of<Layout_K_SW64_Atom<float_e5m2_t>, 8, 64>>("fp8", 1e-5);
}

TEST(sparse_gmma, every_element_of_a_has_metadata) {
  auto const covers = [](auto const& map, int k, int times) {
    std::vector<int> seen(static_cast<std::size_t>(64 * k));
    for (int i = 0; i < static_cast<int>(size(map)); ++i) ++seen[static_cast<std::size_t>(static_cast<int>(map(i)))];
    for (int n : seen) EXPECT_EQ(n, times);
  };
  covers(GMMA::ELayout_64x64{}, 64, 1);
  covers(GMMA::ELayout_64x32{}, 32, 2);  // one of two pairs of threads
  covers(GMMA::ELayout_64x16{}, 16, 2);
  // The PTX ISA's figures: thread 5 has the second half of row 1 and of row 9; of 8-bit elements the first half of row 9.
  EXPECT_EQ(static_cast<int>(GMMA::ELayout_64x32{}(5, 0)), 1 + 64 * 16);
  EXPECT_EQ(static_cast<int>(GMMA::ELayout_64x32{}(5, 16)), 9 + 64 * 16);
  EXPECT_EQ(static_cast<int>(GMMA::ELayout_64x64{}(5, 0)), 9);
  EXPECT_EQ(static_cast<int>(GMMA::ELayout_64x64{}(6, 0)), 1 + 64 * 32);
}

TEST(sparse_gmma, descriptors_and_selectors) {
  using namespace GMMA;
  alignas(1024) static sparse_elem<2, half_t> memory[64 * 64];
  auto const fields = [](auto layout) {
    return make_gmma_desc<MN_>(make_tensor(make_sparse_ptr<2>(make_smem_ptr(memory)), layout)).bitfield;
  };
  auto const d = fields(tile_of<Layout_MN_SW64_SpAtom<half_t, 2>, 64, 32>{});
  EXPECT_EQ(d.leading_byte_offset_, 32);
  EXPECT_EQ(d.stride_byte_offset_, 64);
  EXPECT_EQ(d.layout_type_, 2);
  static_assert(
      std::is_same_v<decltype(ss_op_selector_sparse<half_t, half_t, float, Shape<_128, _128, _64>, MN_, K_>()),
                     GMMA_64x128x32_F32F16F16_SS<MN_, K_>>);
  static_assert(std::is_same_v<decltype(rs_op_selector_sparse<float, float, float, Shape<_64, C<40>, _64>>()),
                               GMMA_64x40x16_F32TF32TF32_RS_TN<>>);
}

/// The operation itself, with registers as arguments: A stored in registers and metadata that name columns 0 and 3 of each 4.
TEST(sparse_gmma, fma_takes_registers_one_by_one) {
  using Op = GMMA_64x8x64_S32S8S8_RS_TN<>;
  using Tile = tile_of<GMMA::Layout_K_SW64_Atom<std::int8_t>, 8, 64>;
  std::vector<int> sums(128);
  launch(1, 128, [&](auto& block) {
    auto sB = shared<std::int8_t>(block, Tile{});
    for (int i = block.thread(); i < 512; i += 128) sB(i) = static_cast<std::int8_t>(1 + i / 8 % 4);
    block.sync();
    std::uint64_t const b = GMMA::make_gmma_desc<K_>(sB);
    std::uint32_t d[4] = {1, 2, 3, 4};
    std::uint32_t const one = 0x01010101u;
    warpgroup_arrive();
    Op::fma(one, one, one, one, b, d[0], d[1], d[2], d[3], 0xccccccccu);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    sums[static_cast<std::size_t>(block.thread())] = static_cast<int>(d[0] + d[3]);
  });
  for (int s : sums) EXPECT_EQ(s, 5 + 2 * 16 * (1 + 4));
}

}  // namespace
