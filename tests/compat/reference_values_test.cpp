// CUTLASS's references on the host: batches of complex products, norms and errors of views; small matrices, vectors, and types on a stream.
#include <cutlass/core_io.h>
#include <cutlass/layout/vector.h>
#include <cutlass/matrix.h>
#include <cutlass/util/reference/host/error_metrics.h>
#include <cutlass/util/reference/host/gemm_complex.h>
#include <cutlass/util/reference/host/tensor_norm.h>
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

namespace {

namespace host = cutlass::reference::host;
using cutlass::ComplexTransform;
using cutlass::layout::ColumnMajor;
using cutlass::layout::RowMajor;
using complexf = cutlass::complex<float>;

TEST(ReferenceValues, ComplexProductsOfABatchConjugateTheirOperands) {
  constexpr int m = 3, n = 2, k = 4, batches = 2;
  std::vector<complexf> a(m * k * batches), b(k * n * batches), c(m * n * batches), d(m * n * batches);
  std::vector<std::complex<float>> x(a.size()), y(b.size()), z(c.size());
  float next = 1;
  auto fill = [&](auto& ours, auto& theirs) {
    for (std::size_t i = 0; i < ours.size(); ++i) {
      ours[i] = complexf(next, 2 - next);
      theirs[i] = {next, 2 - next};
      next = next > 6 ? next - 9.5f : next + 1;
    }
  };
  fill(a, x), fill(b, y), fill(c, z);
  for (auto [ta, tb] : {std::pair(ComplexTransform::kNone, ComplexTransform::kNone),
                        std::pair(ComplexTransform::kConjugate, ComplexTransform::kNone),
                        std::pair(ComplexTransform::kNone, ComplexTransform::kConjugate)}) {
    host::GemmComplex<complexf, RowMajor, complexf, ColumnMajor, complexf, RowMajor, complexf, complexf>(
        {m, n, k}, complexf(2, 1), {a.data(), RowMajor(k)}, ta, {b.data(), ColumnMajor(k)}, tb, complexf(0, 3),
        {c.data(), RowMajor(n)}, {d.data(), RowMajor(n)}, complexf(1, -1), batches, m * k, k * n, m * n, m * n);
    for (int batch = 0; batch < batches; ++batch)
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          std::complex<float> sum(1, -1);
          for (int l = 0; l < k; ++l) {
            auto const left = x[static_cast<std::size_t>(batch * m * k + i * k + l)];
            auto const right = y[static_cast<std::size_t>(batch * k * n + j * k + l)];
            sum += (ta == ComplexTransform::kConjugate ? std::conj(left) : left) *
                   (tb == ComplexTransform::kConjugate ? std::conj(right) : right);
          }
          auto const at = static_cast<std::size_t>(batch * m * n + i * n + j);
          auto const expected = std::complex<float>(2, 1) * sum + std::complex<float>(0, 3) * z[at];
          ASSERT_NEAR(d[at].real(), expected.real(), 1e-3f) << batch << i << j;
          ASSERT_NEAR(d[at].imag(), expected.imag(), 1e-3f) << batch << i << j;
        }
  }
}

TEST(ReferenceValues, RealProductsIgnoreTheConjugateAndDoNotReadCForABetaOfZero) {
  std::vector<float> a = {1, 2}, b = {3, 4}, c = {std::numeric_limits<float>::quiet_NaN()}, d = {0};
  host::GemmComplex<float, RowMajor, float, ColumnMajor, float, RowMajor, float>(
      {1, 1, 2}, 2.f, {a.data(), RowMajor(2)}, ComplexTransform::kConjugate, {b.data(), ColumnMajor(2)},
      ComplexTransform::kNone, 0.f, {c.data(), RowMajor(1)}, {d.data(), RowMajor(1)});
  EXPECT_EQ(d[0], 22);
}

TEST(ReferenceValues, NormsAndErrors) {
  std::vector<float> a = {3, 99, 4, 99},
                     b = {3, 98, 1, 98};  // two columns, of which a view of one column sees the first
  cutlass::TensorView<float, RowMajor> x(a.data(), RowMajor(2), {2, 1}), y(b.data(), RowMajor(2), {2, 1});
  EXPECT_EQ(host::TensorSumSq(x), 25.0);
  EXPECT_EQ(host::TensorNorm(x), 5.0);
  EXPECT_EQ(host::TensorNormDiff(x, y), 3.0);
  EXPECT_EQ(host::TensorMSE(x, y), 4.5);
  EXPECT_EQ(host::TensorRelativeErrorMetric(y, x), 0.6);
  std::vector<complexf> z = {complexf(2, 3), complexf(6, 0)};
  cutlass::TensorView<complexf, RowMajor> w(z.data(), RowMajor(2), {1, 2});
  EXPECT_EQ(host::TensorNorm(w), 7.0);  // 4 + 9 + 36
  EXPECT_EQ(host::TensorNormDiff(w, w), 0.0);
}

TEST(ReferenceValues, MatricesAndVectors) {
  cutlass::Matrix<int, 2, 3> const a(1, 2, 3, 4, 5, 6);
  EXPECT_EQ(a.at(1, 0), 4);
  EXPECT_EQ(a.transpose().at(2, 1), 6);
  auto const square = a * a.transpose();  // (14, 32; 32, 77)
  EXPECT_EQ(square.at(0, 0), 14);
  EXPECT_EQ(square.at(1, 0), 32);
  EXPECT_EQ(square.at(1, 1), 77);
  auto const sum = cutlass::Matrix2x2<float>::identity() * 3.f + cutlass::Matrix2x2<float>::uniform(2);
  EXPECT_EQ(sum.at(0, 0), 5);
  EXPECT_EQ(sum.at(cutlass::MatrixCoord(0, 1)), 2);

  cutlass::layout::PackedVectorLayout const vector;
  EXPECT_EQ(vector(cutlass::make_Coord(7)), 7);
  EXPECT_EQ(vector.capacity(cutlass::make_Coord(12)), 12);
  std::vector<float> data = {1, 2, 2};
  cutlass::TensorView<float, cutlass::layout::PackedVectorLayout> view(data.data(), vector, cutlass::make_Coord(3));
  EXPECT_EQ(host::TensorNorm(view), 3.0);
}

TEST(ReferenceValues, SmallTypesOnAStream) {
  std::ostringstream out;
  out << cutlass::make_Coord(3, 5, 7) << ' ' << cutlass::gemm::GemmCoord(1, 2, 4) << ' '
      << cutlass::gemm::GemmShape<64, 32, 8>{} << ' ' << cutlass::half_t(1.5f) << ' ' << cutlass::MatrixCoord(8, 9);
  EXPECT_EQ(out.str(), "3,5,7 1,2,4 64,32,8 1.5 8,9");
}

TEST(ReferenceValues, NumbersFromAStream) {
  std::stringstream in("0.1 -3 x");
  cutlass::half_t a;
  cutlass::bfloat16_t b;
  ASSERT_TRUE(in >> a >> b);
  EXPECT_EQ(float(a), 0.0999755859375f);
  EXPECT_EQ(float(b), -3.0f);
  EXPECT_FALSE(in >> a);
  EXPECT_EQ(float(a), 0.0999755859375f);
}

}  // namespace
