// CUTLASS's views of matrices and its references on the host: fill, compare, copy, multiply. The expected numbers are those of CUTLASS 4.
#include <cutlass/array.h>
#include <cutlass/block_striped.h>
#include <cutlass/layout/matrix.h>
#include <cutlass/tensor_view.h>
#include <cutlass/util/reference/host/gemm.h>
#include <cutlass/util/reference/host/tensor_compare.h>
#include <cutlass/util/reference/host/tensor_copy.h>
#include <cutlass/util/reference/host/tensor_fill.h>
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

using namespace cutlass;

namespace {

/// A packed matrix of its own.
template <class T, class Layout>
struct matrix {
  MatrixCoord extent;
  std::vector<T> elements;
  matrix(int rows, int columns) : extent(rows, columns), elements(static_cast<std::size_t>(rows * columns)) {}
  TensorView<T, Layout> view() { return {elements.data(), Layout::packed(extent), extent}; }
  TensorRef<T, Layout> ref() { return view().ref(); }
};

TEST(TensorViews, AreAddressedByCoordinates) {
  matrix<int, layout::RowMajor> m(3, 4);
  auto const view = m.view();
  reference::host::TensorFillSequential(view);
  EXPECT_EQ(m.elements, (std::vector<int>{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
  EXPECT_EQ(view.at({1, 2}), 7);
  EXPECT_EQ(view[MatrixCoord(2, 3)], 11);
  EXPECT_EQ(view.size(), 12);
  EXPECT_EQ(view.capacity(), 12);
  EXPECT_EQ(view.stride(0), 4);
  EXPECT_EQ(view.offset({2, 1}), 9);
  auto const part = view.subview({2, 2}, {1, 1});
  EXPECT_EQ(part.at({0, 0}), 4);
  EXPECT_EQ(part.at({1, 1}), 8);
  EXPECT_TRUE(part.contains({1, 1}));
  EXPECT_FALSE(part.contains({2, 0}));
  TensorView<int const, layout::RowMajor> const constant = view;
  static_assert(std::is_same_v<decltype(constant.at({0, 0})), int const&>);
  EXPECT_TRUE((reference::host::TensorEquals(constant, view)));
  EXPECT_FALSE((TensorRef<int, layout::ColumnMajor>().good()));
}

TEST(TensorViews, AreFilledComparedAndCopied) {
  matrix<float, layout::ColumnMajor> a(3, 5);
  matrix<half_t, layout::RowMajor> b(3, 5);
  reference::host::TensorFillIdentity(a.view());
  reference::host::TensorCopy(b.view(), a.view());
  EXPECT_EQ(static_cast<float>(b.view().at({2, 2})), 1.0f);
  EXPECT_EQ(static_cast<float>(b.view().at({2, 3})), 0.0f);
  cutlass::Array<half_t, 2> steps;
  steps[0] = half_t(16);
  steps[1] = half_t(-1);
  reference::host::TensorFillLinear(b.view(), steps, half_t(3));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j) EXPECT_EQ(static_cast<float>(b.view().at({i, j})), static_cast<float>(3 + 16 * i - j));
  reference::host::TensorCopy(b.view(), a.view());
  auto c = a;
  EXPECT_TRUE(reference::host::TensorEquals(a.view(), c.view()));
  c.view().at({1, 1}) = 1.01f;
  EXPECT_TRUE(reference::host::TensorNotEquals(a.view(), c.view()));
  EXPECT_TRUE(reference::host::TensorRelativelyEquals(a.view(), c.view(), 0.1f, 0.1f));
  EXPECT_FALSE(reference::host::TensorRelativelyEquals(a.view(), c.view(), 0.001f, 0.001f));
  reference::host::TensorFillRandomUniform(a.view(), 7, 4, -4, 0);
  for (float const x : a.elements) EXPECT_TRUE(x >= -4 && x <= 4 && x == static_cast<float>(static_cast<int>(x)));
  reference::host::TensorFill(a.view(), 4.0f);
  EXPECT_EQ(a.elements, std::vector<float>(15, 4.0f));
  reference::host::BlockFillSequential(a.elements.data(), 4, 3.0f, 1.0f);
  EXPECT_EQ(a.elements[3], 10.0f);
  cutlass::Distribution dist;
  reference::host::BlockFillRandom(a.elements.data(), 15, 7, dist.set_uniform(-4, 4, 0));
  matrix<float, layout::RowMajor> uniform(3, 5);
  reference::host::BlockFillRandomUniform(uniform.elements.data(), 15, 7, 4, -4, 0);
  EXPECT_EQ(a.elements, uniform.elements);
  reference::host::BlockFillRandom(a.elements.data(), 15, 7, dist.set_sequential(2, 0.5));
  EXPECT_EQ(a.elements[14], 9.0f);
  EXPECT_THROW(reference::host::BlockFillRandom(a.elements.data(), 15, 7, dist.set_identity()), std::invalid_argument);
}

TEST(TensorViews, AreMultiplied) {
  using Row = layout::RowMajor;
  matrix<float, Row> a(3, 4), b(4, 5), c(3, 5), d(3, 5);
  reference::host::TensorFillSequential(a.view());
  reference::host::TensorFillSequential(b.view());
  reference::host::TensorFillIdentity(c.view());
  reference::host::Gemm<float, Row, float, Row, float, Row, float> const gemm;
  gemm({3, 5, 4}, 2.0f, a.ref(), b.ref(), 3.0f, c.ref(), d.ref());
  EXPECT_EQ(d.elements, (std::vector<float>{87, 228, 372, 516, 660, 96, 275, 448, 624, 800, 108, 316, 527, 732, 940}));
  gemm({3, 5, 4}, 2.0f, a.ref(), b.ref(), 3.0f, c.ref());
  EXPECT_EQ(c.elements, d.elements);
}

TEST(BlockStriped, WordsOfNeighbouringThreadsAreNeighbours) {
  using Eight = Array<float, 8>;
  using Sums = BlockStripedReduce<4, Eight>;
  Eight memory[4], mine;
  for (Eight& m : memory) m.clear();
  mine.fill(2.0f);
  for (int round = 0; round < 2; ++round)
    for (int thread = 0; thread < 4; ++thread) Sums::reduce(memory, mine, thread);
  for (Eight const& m : memory)
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(m[i], 4.0f);
  using Words = BlockStriped<4, Eight, float>;
  for (std::size_t i = 0; i < 8; ++i) mine[i] = static_cast<float>(i);
  Words::store(memory, mine, 1);  // word i is word 4 i + 1
  EXPECT_EQ(memory[0][1], 0.0f);
  EXPECT_EQ(memory[0][5], 1.0f);
  EXPECT_EQ(memory[1][1], 2.0f);
  Words::load_add(mine, memory, 1);
  EXPECT_EQ(mine[3], 6.0f);
}

}  // namespace
