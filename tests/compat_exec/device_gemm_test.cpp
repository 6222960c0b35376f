// The kernel of cutlass::gemm::device::Gemm on the CPU against a triple loop: by threads and by tensor cores, matrices of every major,
// extents that are no whole number of tiles, and orders of the tiles.
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/gemm/threadblock/threadblock_swizzle.h>
#include <cutlass/detail/matrix_product.hpp>

#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace {

using cutlass::MatrixCoord;
using cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle;
using cutlass::layout::ColumnMajor;
using cutlass::layout::RowMajor;

template <class Product>
struct product_of_blocks {
  template <class Block, class Params>
  void operator()(Block& block, Params p) const {
    typename Product::SharedLayout const layout;
    auto const a = tilewright::shared<typename Product::SharedA>(block, layout);  // (M, K)
    auto const b = tilewright::shared<typename Product::SharedB>(block, layout);  // (N, K)
    Product::run(p, static_cast<int>(block.index().x), static_cast<int>(block.thread()), a, b, [&] { block.sync(); });
  }
};

/// Offset of (row, column) by hand.
template <class Layout>
std::size_t place(int row, int column, int leading) {
  return static_cast<std::size_t>(std::is_same_v<Layout, RowMajor> ? row * leading + column : column * leading + row);
}

template <class T, class LayoutA, class LayoutB, class LayoutC, class Sum, class Out, bool TensorCores, int Band>
void expect_a_triple_loops_product(int m, int n, int k, int beta) {
  using Epilogue = cutlass::epilogue::thread::LinearCombination<Out, 1, Sum, Sum>;
  using Product = cutlass::detail::matrix_product<T, LayoutA, T, LayoutB, Out, LayoutC, Sum, TensorCores, Epilogue,
                                                  GemmIdentityThreadblockSwizzle<Band>>;
  std::mt19937 random(11);
  std::uniform_int_distribution<int> small(-3, 3);  // sums are exact in any order
  constexpr int pad = 3;
  int const lda = (std::is_same_v<LayoutA, RowMajor> ? k : m) + pad;
  int const ldb = (std::is_same_v<LayoutB, RowMajor> ? n : k) + pad;
  int const ldc = (std::is_same_v<LayoutC, RowMajor> ? n : m) + pad;
  auto const numbers = [&](int count) {
    std::vector<int> out;
    for (int i = 0; i < count; ++i) out.push_back(small(random));
    return out;
  };
  auto const a = numbers(lda * (m + k)), b = numbers(ldb * (n + k)), c = numbers(ldc * (m + n));
  std::vector<T> const A(a.begin(), a.end()), B(b.begin(), b.end());
  std::vector<Out> const C(c.begin(), c.end());
  std::vector<Out> D(C.size(), Out(99)), expected = D;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int l = 0; l < k; ++l) sum += a[place<LayoutA>(i, l, lda)] * b[place<LayoutB>(l, j, ldb)];
      auto const at = place<LayoutC>(i, j, ldc);
      expected[at] = static_cast<Out>(2 * sum + beta * c[at]);
    }
  typename Product::Params const p{{m, n, k},       {A.data(), lda}, {B.data(), ldb},
                                   {C.data(), ldc}, {D.data(), ldc}, {Sum(2), static_cast<Sum>(beta)}};
  tilewright::launch_checked(tilewright::checked_config{.grid = static_cast<unsigned>(p.rows() * p.columns()),
                                                        .block = static_cast<unsigned>(Product::kThreads)},
                             product_of_blocks<Product>{}, p);
  for (std::size_t i = 0; i < D.size(); ++i)
    ASSERT_EQ(static_cast<double>(D[i]), static_cast<double>(expected[i])) << i;
}

TEST(DeviceGemm, ThreadsMultiply) {
  expect_a_triple_loops_product<float, RowMajor, ColumnMajor, RowMajor, float, float, false, 1>(70, 65, 19, 3);
  expect_a_triple_loops_product<float, ColumnMajor, RowMajor, ColumnMajor, float, float, false, 2>(5, 130, 8, 0);
}
TEST(DeviceGemm, TensorCoresMultiply) {
  using cutlass::half_t;
  expect_a_triple_loops_product<half_t, RowMajor, ColumnMajor, ColumnMajor, float, half_t, true, 1>(66, 64, 40, 1);
  expect_a_triple_loops_product<std::int8_t, ColumnMajor, RowMajor, RowMajor, int, int, true, 1>(64, 70, 33, 2);
  expect_a_triple_loops_product<double, ColumnMajor, RowMajor, RowMajor, double, double, true, 1>(30, 20, 35, 2);
}

TEST(DeviceGemm, EachTileIsThatOfOneBlock) {
  auto const covers = [](auto swizzle, int rows, int columns) {
    std::set<std::pair<int, int>> tiles;
    for (int i = 0; i < rows * columns; ++i) {
      MatrixCoord const at = decltype(swizzle)::tile_of_block(i, rows, columns);
      if (at.row() < 0 || at.row() >= rows || at.column() < 0 || at.column() >= columns) return false;
      tiles.insert({at.row(), at.column()});
    }
    return static_cast<int>(tiles.size()) == rows * columns;
  };
  EXPECT_TRUE(covers(GemmIdentityThreadblockSwizzle<1>{}, 3, 5));
  EXPECT_TRUE(covers(GemmIdentityThreadblockSwizzle<4>{}, 3, 10));
  EXPECT_TRUE(covers(GemmIdentityThreadblockSwizzle<8>{}, 2, 3));
  EXPECT_EQ(GemmIdentityThreadblockSwizzle<2>::tile_of_block(2, 4, 4), MatrixCoord(1, 0));
}

}  // namespace
