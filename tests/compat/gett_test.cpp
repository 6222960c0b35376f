// Products of tensors on the host against loops by hand: layouts of every major, batches, modes of modes, biases, activations,
// factors by value and by tensor, the largest magnitudes; extents of problems out of tuples.
#include <cutlass/layout/matrix.h>
#include <gtest/gtest.h>
#include <cutlass/gemm_coord.hpp>
#include <cutlass/util/reference/host/gett.hpp>

#include <cmath>
#include <random>
#include <vector>

using namespace cute;
namespace host = cutlass::reference::host;

namespace {

template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(T(static_cast<float>(static_cast<int>(random() % 7) - 3)));
  return out;
}

TEST(Gett, BatchesOfEveryMajor) {
  int const m = 5, n = 6, k = 7, l = 3;
  auto a = numbers<half_t>(5 * 7 * 3, 1);
  auto b = numbers<half_t>(6 * 7 * 3, 2);
  auto c = numbers<float>(5 * 6 * 3, 3);
  std::vector<float> d(c.size());
  auto A = make_tensor(a.data(), make_layout(make_shape(m, k, l), make_stride(k, _1{}, m * k)));
  auto B = make_tensor(b.data(), make_layout(make_shape(n, k, l), make_stride(_1{}, n, n * k)));
  auto C = make_tensor(c.data(), make_layout(make_shape(m, n, l), make_stride(_1{}, m, m * n)));
  auto D = make_tensor(d.data(), make_layout(make_shape(m, n, l), make_stride(n, _1{}, m * n)));
  host::GettMainloopParams<float, decltype(A), decltype(B)> const mainloop{A, B};
  host::GettEpilogueParams<float, float, float, float, decltype(C), decltype(D)> const epilogue{2.0f, -1.0f, C, D};
  host::Gett(mainloop, epilogue);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int q = 0; q < l; ++q) {
        float sum = 0;
        for (int p = 0; p < k; ++p)
          sum += static_cast<float>(a[static_cast<std::size_t>(i * k + p + q * m * k)]) *
                 static_cast<float>(b[static_cast<std::size_t>(j + n * p + q * n * k)]);
        ASSERT_EQ(d[static_cast<std::size_t>(i * n + j + q * m * n)],
                  2 * sum - c[static_cast<std::size_t>(i + m * j + q * m * n)]);
      }
}

TEST(Gett, WithoutABatchBiasActivationAuxAndMagnitudes) {
  auto a = numbers<float>(4 * 3, 4);
  auto b = numbers<float>(5 * 3, 5);
  auto bias = numbers<float>(4, 6);
  std::vector<float> d(20), aux(20);
  auto A = make_tensor(a.data(), Layout<Shape<_4, _3>>{});
  auto B = make_tensor(b.data(), Layout<Shape<_5, _3>>{});
  auto D = make_tensor(d.data(), Layout<Shape<_4, _5>>{});
  auto Aux = make_tensor(aux.data(), Layout<Shape<_4, _5>>{});
  auto Bias = make_tensor(bias.data(), Layout<Shape<_4, _5>, Stride<_1, _0>>{});
  using Unused = decltype(D);
  host::GettEpilogueParams<float, float, float, float, Unused, decltype(D), decltype(Bias), decltype(Aux), Unused,
                           Unused, cutlass::epilogue::thread::ReLu<float>>
      epilogue;
  float largest = 0, largest_aux = 0;
  epilogue.D = D;
  epilogue.Bias = Bias;
  epilogue.Aux = Aux;
  epilogue.scale_a = 2;
  epilogue.scale_d = 0.5f;
  epilogue.scale_aux = 3;
  epilogue.abs_max_D = &largest;
  epilogue.abs_max_Aux = &largest_aux;
  host::GettMainloopParams<float, decltype(A), decltype(B)> const mainloop{A, B};
  host::Gemm3x(mainloop, epilogue);
  float expected_largest = 0, expected_aux = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j) {
      float x = bias[static_cast<std::size_t>(i)];
      for (int p = 0; p < 3; ++p) x += 2 * A(i, p) * B(j, p);
      float const y = x > 0 ? x : 0;
      EXPECT_EQ(Aux(i, j), 3 * x);
      EXPECT_EQ(D(i, j), 0.5f * y);
      expected_aux = std::fmax(expected_aux, std::fabs(x));
      expected_largest = std::fmax(expected_largest, y);
    }
  EXPECT_EQ(largest, expected_largest);
  EXPECT_EQ(largest_aux, expected_aux);
}

TEST(Gett, FactorsOfBlocksAndOfRows) {
  auto a = numbers<float>(4 * 8, 7);
  auto b = numbers<float>(3 * 8, 8);
  auto sf_a = numbers<float>(4 * 2, 9);
  auto alphas = numbers<float>(4, 10);
  std::vector<float> d(12);
  auto A = make_tensor(a.data(), Layout<Shape<_4, _8, _1>>{});
  auto B = make_tensor(b.data(), Layout<Shape<_3, _8, _1>>{});
  auto SfA = make_tensor(sf_a.data(), Layout<Shape<_4, Shape<_4, _2>, _1>, Stride<_1, Stride<_0, _4>, _0>>{});
  auto D = make_tensor(d.data(), Layout<Shape<_4, _3, _1>>{});
  host::GettBlockScalingMainloopParams<float, decltype(A), decltype(SfA), decltype(B), decltype(B)> const mainloop{
      A, SfA, B, B};
  auto Valpha = make_tensor(alphas.data(), Layout<Shape<_4, _3, _1>, Stride<_1, _0, _0>>{});
  host::GettEpilogueParams<float, float, float, float, decltype(D), decltype(D), decltype(D), decltype(D),
                           decltype(Valpha), decltype(Valpha)>
      epilogue;
  epilogue.D = D;
  epilogue.Valpha = Valpha;
  host::Gett(mainloop, epilogue);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) {
      float sum = 0;
      for (int p = 0; p < 8; ++p)  // B is its own factor
        sum += A(i, p, 0) * sf_a[static_cast<std::size_t>(i + 4 * (p / 4))] * B(j, p, 0) * B(j, p, 0);
      EXPECT_EQ(D(i, j, 0), alphas[static_cast<std::size_t>(i)] * sum);
    }
}

TEST(Gett, LayoutsOfTransposes) {
  using namespace cutlass::layout;
  static_assert(std::is_same_v<LayoutTranspose<RowMajor>::type, ColumnMajor>);
  static_assert(std::is_same_v<LayoutTranspose<ColumnMajor>::type, RowMajor>);
}

TEST(Gett, ExtentsOutOfTuples) {
  auto const three = cutlass::gemm::to_gemm_coord(make_shape(make_shape(2, 3), _4{}));
  EXPECT_TRUE(three.m() == 6 && three.n() == 4 && three.k() == 1);
  auto const four = cutlass::gemm::to_gemm_coord(make_shape(2, 3, 4, 5));
  EXPECT_TRUE(four.m() == 2 && four.k() == 4 && four.batch() == 5);
}

}  // namespace
