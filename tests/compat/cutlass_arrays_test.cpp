// Arithmetic of whole arrays and the small types that programs take from CUTLASS: coordinates, extents of a product, strides of packed
// matrices.
#include <cutlass/array.h>
#include <cutlass/functional.h>
#include <cutlass/gemm/gemm.h>
#include <cutlass/matrix_shape.h>
#include <cutlass/platform/platform.h>
#include <gtest/gtest.h>
#include <cutlass/util/packed_stride.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace {

using Four = cutlass::Array<float, 4>;

Four numbers(float a, float b, float c, float d) {
  Four out;
  out[0] = a, out[1] = b, out[2] = c, out[3] = d;
  return out;
}
void expect_equal(Four const& a, Four const& b) {
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(a[i], b[i]) << i;
}

TEST(CutlassArrays, Arithmetic) {
  Four const a = numbers(1, -2, 3, 8), b = numbers(4, 5, -6, 2);
  expect_equal(a + b, numbers(5, 3, -3, 10));
  expect_equal(a - b, numbers(-3, -7, 9, 6));
  expect_equal(-a, numbers(-1, 2, -3, -8));
  expect_equal(a * b, numbers(4, -10, -18, 16));
  expect_equal(2.0f * a, numbers(2, -4, 6, 16));
  expect_equal(a * 2.0f, a + a);
  expect_equal(a / b, numbers(0.25f, -0.4f, -0.5f, 4));
  expect_equal(cutlass::fma(a, b, a), numbers(5, -12, -15, 24));
  expect_equal(cutlass::fma(2.0f, b, a), numbers(9, 8, -9, 12));
  expect_equal(cutlass::fma(a, b, 1.0f), numbers(5, -9, -17, 17));
  cutlass::Array<cutlass::half_t, 2> halves;
  halves.fill(cutlass::half_t(1.5f));
  EXPECT_EQ(static_cast<float>((halves + halves)[1]), 3.0f);
}

TEST(CutlassArrays, FunctionObjects) {
  Four const a = numbers(1, -2, 3, 8), b = numbers(4, 5, -6, 2);
  expect_equal(cutlass::maximum<Four>{}(a, b), numbers(4, 5, 3, 8));
  expect_equal(cutlass::minimum<Four>{}(a, 2.0f), numbers(1, -2, 2, 2));
  expect_equal(cutlass::plus<Four>{}(1.0f, b), numbers(5, 6, -5, 3));
  expect_equal(cutlass::absolute_value_op<Four>{}(a), numbers(1, 2, 3, 8));
  expect_equal(cutlass::scale<Four>(3.0f)(a), 3.0f * a);
  float const nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(cutlass::maximum<float>{}(nan, 2.0f), 2.0f);
  EXPECT_TRUE(std::isnan((cutlass::maximum<float, true>{}(2.0f, nan))));
  EXPECT_TRUE(std::isnan(cutlass::minimum_with_nan_propagation<double>{}(std::nan(""), 2.0)));
  EXPECT_EQ(cutlass::maximum<int>{}(3, 2), 3);
  EXPECT_EQ((cutlass::multiply_add<std::int8_t, std::int8_t, int>{}(100, 100, 1)), 10001);
  EXPECT_EQ(cutlass::multiply_add_relu0<float>{}(2.0f, -3.0f, 1.0f), 0.0f);
  EXPECT_EQ(cutlass::bit_xor<unsigned>{}(6u, 3u), 5u);
  EXPECT_TRUE(cutlass::logical_and<bool>{}(true, true));
}

TEST(CutlassArrays, Coordinates) {
  auto const a = cutlass::make_Coord(3, 5, 7);
  static_assert(std::is_same_v<decltype(a), cutlass::Coord<3> const>);
  EXPECT_EQ((a + cutlass::make_Coord(1, 1, 1)).sum(), 18);
  EXPECT_EQ(a.product(), 105);
  EXPECT_EQ(a.dot(cutlass::make_Coord(1, 2, 3)), 34);
  EXPECT_EQ(a.max_dim_index(), 2);
  EXPECT_TRUE(a < cutlass::make_Coord(4, 6, 8) && !(a < cutlass::make_Coord(4, 5, 8)));
  EXPECT_TRUE((2 * a).slice<2>(1) == cutlass::make_Coord(10, 14));
  cutlass::gemm::GemmCoord const extents(128, 256, 64);
  EXPECT_EQ(extents.n(), 256);
  EXPECT_TRUE(extents.nk() == cutlass::make_Coord(256, 64));
  EXPECT_EQ((cutlass::gemm::BatchedGemmCoord{1, 2, 3, 4}.batch()), 4);
  EXPECT_EQ((cutlass::gemm::GemmShape<16, 8, 16>::kMN), 128);
  cutlass::MatrixCoord const at = cutlass::make_Coord(2, 3);
  EXPECT_EQ(cutlass::layout::RowMajor(10)(at), 23);
  using Column = cutlass::layout::ColumnMajor;
  Column::Stride const leading = Column(7).stride();
  EXPECT_EQ(leading[0], 7);
  EXPECT_EQ(Column(leading)(Column(7).inverse(17)), 17);
  EXPECT_EQ(cutlass::layout::RowMajor(10).inverse(23), at);
  Column changed(7);
  changed.stride(0) = 9;
  EXPECT_EQ(changed(at), 29);
  EXPECT_EQ((cutlass::MatrixShape<4, 8>::kCount), 32);
  static_assert(cutlass::platform::is_same_v<cutlass::platform::remove_cv_t<int const>, int>);
}

TEST(CutlassArrays, StridesOfPackedMatrices) {
  using namespace cute;
  using Rows = Stride<std::int64_t, _1, std::int64_t>;
  using Columns = Stride<_1, std::int64_t, std::int64_t>;
  EXPECT_TRUE(cutlass::make_cute_packed_stride(Rows{}, {8, 64, 3}) ==
              make_stride(std::int64_t(64), _1{}, std::int64_t(512)));
  EXPECT_TRUE(cutlass::make_cute_packed_stride(Columns{}, {8, 64, 1}) ==
              make_stride(_1{}, std::int64_t(8), std::int64_t(0)));
  EXPECT_TRUE(cutlass::make_cute_packed_stride(Stride<int, _1>{}, {8, 64, 1}) == make_stride(64, _1{}));
  EXPECT_TRUE(cutlass::make_cute_packed_stride(Stride<_1, int, _0>{}, {8, 64, 5}) == make_stride(_1{}, 8, _0{}));
}

}  // namespace
