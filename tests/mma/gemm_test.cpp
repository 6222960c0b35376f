// gemm in every rank and cooperative_gemm against a triple loop.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/algorithm/cooperative_gemm.hpp"
#include "tilewright/atom/ldmatrix.hpp"
#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace tilewright;

namespace {

/// d = a0 * b0 + a1 * b1 + c, by one thread.
struct dot_of_two {
  using DRegisters = float[1];
  using ARegisters = float[2];
  using BRegisters = float[2];
  using CRegisters = float[1];
  static void fma(float& d, float a0, float a1, float b0, float b1, float c) { d = a0 * b0 + a1 * b1 + c; }
};

}  // namespace

namespace tilewright {
template <>
struct MMA_Traits<dot_of_two> {
  using ValTypeD = float;
  using ValTypeA = float;
  using ValTypeB = float;
  using ValTypeC = float;
  using Shape_MNK = Shape<_1, _1, _2>;
  using ThrID = Layout<_1>;
  using ALayout = Layout<Shape<_1, _2>>;
  using BLayout = Layout<Shape<_1, _2>>;
  using CLayout = Layout<Shape<_1, _1>>;
};
}  // namespace tilewright

namespace {

/// Small integers, so that sums are exact in any order.
template <class T>
std::vector<T> random_integers(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> small(-3, 3);
  std::vector<T> out(n);
  for (T& x : out) x = static_cast<T>(small(random));
  return out;
}

constexpr int M = 5, N = 3, K = 4;

struct operands {
  std::vector<float> a = random_integers<float>(M * K, 1), b = random_integers<float>(N * K, 2),
                     c = random_integers<float>(M * N, 3), d = std::vector<float>(M * N, 99);
  float at(int m, int n, int k) const {
    auto const i = static_cast<std::size_t>(m), j = static_cast<std::size_t>(n), l = static_cast<std::size_t>(k);
    return a[i + M * l] * b[j + N * l];
  }
  float expected(int m, int n, int steps) const {
    float sum = c[static_cast<std::size_t>(m + M * n)];
    for (int k = 0; k < steps; ++k) sum += at(m, n, k);
    return sum;
  }
};

template <class A, class B, class CD>
void expect_both_forms(operands& o, int steps, A const& a, B const& b, CD const& c_layout) {
  auto const C_in = make_tensor(o.c.data(), c_layout);
  auto D = make_tensor(o.d.data(), c_layout);
  gemm(D, a, b, C_in);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) EXPECT_EQ(o.d[static_cast<std::size_t>(m + M * n)], o.expected(m, n, steps));
  std::vector<float> in_place = o.c;
  auto both = make_tensor(in_place.data(), c_layout);
  gemm(MMA_Atom<UniversalFMA<float>>{}, a, b, both);
  EXPECT_EQ(in_place, o.d);
}

/// One block multiplies two tiles of shared memory cooperatively.
template <class Mma, class TA, class TC, class ShapeMNK, class CopyOp>
struct cooperative_kernel {
  template <class Block, class A, class B, class CT>
  void operator()(Block& block, A a, B b, CT c) const {
    using m = tuple_element_t<0, ShapeMNK>;
    using n = tuple_element_t<1, ShapeMNK>;
    using k = tuple_element_t<2, ShapeMNK>;
    auto sA = shared<TA>(block, make_layout(Shape<m, k>{}, Stride<k, _1>{}));
    auto sB = shared<TA>(block, make_layout(Shape<n, k>{}, Stride<k, _1>{}));
    auto sC = shared<TC>(block, make_layout(Shape<m, n>{}));
    for (int i = block.thread(); i < size(sA); i += block.threads()) sA(i) = a(i);
    for (int i = block.thread(); i < size(sB); i += block.threads()) sB(i) = b(i);
    for (int i = block.thread(); i < size(sC); i += block.threads()) sC(i) = c(i);
    block.sync();
    same_again negate;
    cooperative_gemm(static_cast<unsigned>(block.thread()), Mma{}, TC(2), sA, sB, TC(3), sC, negate,
                     detail::same_value{}, detail::same_value{}, detail::same_value{}, CopyOp{}, CopyOp{});
    block.sync();
    for (int i = block.thread(); i < size(sC); i += block.threads()) c(i) = sC(i);
  }
  struct same_again {
    template <class T>
    T operator()(T const& x) const {
      return static_cast<T>(-x);
    }
  };
};

template <class TA, class TC, class CopyOp = DefaultCopy, class Mma, class ShapeMNK>
void expect_cooperative(Mma const&, ShapeMNK const&) {
  constexpr int m = tuple_element_t<0, ShapeMNK>::value, n = tuple_element_t<1, ShapeMNK>::value,
                k = tuple_element_t<2, ShapeMNK>::value;
  auto const a = random_integers<TA>(m * k, 4), b = random_integers<TA>(n * k, 5);
  auto const before = random_integers<TC>(m * n, 6);
  auto const A = make_tensor(make_gmem_ptr(a.data()), make_layout(Shape<C<m>, C<k>>{}));
  auto const B = make_tensor(make_gmem_ptr(b.data()), make_layout(Shape<C<n>, C<k>>{}));
  for (bool const checked : {false, true}) {
    auto c = before;
    auto const out = make_tensor(make_gmem_ptr(c.data()), make_layout(Shape<C<m>, C<n>>{}));
    cooperative_kernel<Mma, TA, TC, ShapeMNK, CopyOp> const kernel;
    auto const threads = static_cast<unsigned>(decltype(size(Mma{}))::value);
    if (checked) launch_checked(checked_config{.grid = 1, .block = threads, .seed = 9}, kernel, A, B, out);
    else launch(1, threads, kernel, A, B, out);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < k; ++l) sum -= static_cast<double>(A(i, l)) * static_cast<double>(B(j, l));
        ASSERT_EQ(static_cast<double>(out(i, j)),
                  2 * sum + 3 * static_cast<double>(before[static_cast<std::size_t>(i + m * j)]))
            << i << "," << j;
      }
  }
}

/// Constant shapes by run-time strides, whole tiles and others; one thread after the other, since none reads another's results.
template <class Shape_MNK>
void expect_of_runtime_strides(Shape_MNK const&) {
  constexpr int m = tuple_element_t<0, Shape_MNK>::value, n = tuple_element_t<1, Shape_MNK>::value,
                k = tuple_element_t<2, Shape_MNK>::value, pitch = 44;
  auto const a = random_integers<float>(m * pitch, 1), b = random_integers<float>(n * pitch, 2);
  auto c = random_integers<float>(n * pitch, 3);
  auto const before = c;
  auto const mma = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_2, _2>>{});
  int pitch_of_rows = pitch;
  auto const A = make_tensor(make_smem_ptr(a.data()), Shape<C<m>, C<k>>{}, make_stride(pitch_of_rows, 1));
  auto const B = make_tensor(make_smem_ptr(b.data()), Shape<C<n>, C<k>>{}, make_stride(pitch_of_rows, 1));
  auto const D = make_tensor(make_smem_ptr(c.data()), Shape<C<m>, C<n>>{}, make_stride(1, pitch_of_rows));
  for (unsigned thread = 0; thread < 4; ++thread) cooperative_gemm(thread, mma, 1.0f, A, B, 2.0f, D);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 2.0f * before[static_cast<std::size_t>(i + pitch * j)];
      for (int l = 0; l < k; ++l) sum += A(i, l) * B(j, l);
      ASSERT_EQ(D(i, j), sum) << i << ", " << j;
    }
}
TEST(cooperative_gemm, of_runtime_strides) {
  expect_of_runtime_strides(Shape<_8, _4, C<5>>{});
  expect_of_runtime_strides(Shape<C<13>, C<7>, C<35>>{});
}

}  // namespace

TEST(gemm, multiplies_values_one_by_one) {
  float a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, c[3] = {10, 20, 30};
  auto C_ = make_tensor(c, Shape<_3>{});
  gemm(make_tensor(a, Shape<_3>{}), make_tensor(b, Shape<_3>{}), C_);
  EXPECT_EQ(c[0], 14);
  EXPECT_EQ(c[1], 30);
  EXPECT_EQ(c[2], 48);
}

TEST(gemm, of_vectors_is_the_outer_product) {
  operands o;
  expect_both_forms(o, 1, make_tensor(o.a.data(), Shape<C<M>>{}), make_tensor(o.b.data(), Shape<C<N>>{}),
                    make_layout(Shape<C<M>, C<N>>{}));
}

TEST(gemm, of_matrices) {
  operands o;
  expect_both_forms(o, K, make_tensor(o.a.data(), Shape<C<M>, C<K>>{}), make_tensor(o.b.data(), Shape<C<N>, C<K>>{}),
                    make_layout(Shape<C<M>, C<N>>{}));
  operands dynamic;
  expect_both_forms(dynamic, K, make_tensor(dynamic.a.data(), make_shape(M, K)),
                    make_tensor(dynamic.b.data(), make_shape(N, K)), make_layout(make_shape(M, N)));
}

TEST(gemm, of_values_and_rows) {
  operands o;
  expect_both_forms(o, 1, make_tensor(o.a.data(), Shape<_1, C<M>>{}), make_tensor(o.b.data(), Shape<_1, C<N>>{}),
                    make_layout(Shape<_1, C<M>, C<N>>{}));
}

TEST(gemm, of_values_rows_and_steps) {
  operands o;
  expect_both_forms(o, K, make_tensor(o.a.data(), Shape<_1, C<M>, C<K>>{}),
                    make_tensor(o.b.data(), Shape<_1, C<N>, C<K>>{}), make_layout(Shape<_1, C<M>, C<N>>{}));
}

TEST(gemm, of_shared_memory_and_constant_operands) {
  operands o;
  auto const a = make_tensor(make_smem_ptr(static_cast<float const*>(o.a.data())), Shape<C<M>, C<K>>{});
  auto const b = make_tensor(make_gmem_ptr(static_cast<float const*>(o.b.data())), Shape<C<N>, C<K>>{});
  expect_both_forms(o, K, a, b, make_layout(Shape<C<M>, C<N>>{}));
}

TEST(gemm, adds_in_the_type_of_c) {
  half_t a[1] = {half_t(0.333f)}, b[1] = {half_t(0.777f)};
  float c[1] = {0};
  auto C_ = make_tensor(c, Shape<_1, _1>{});
  gemm(make_tensor(a, Shape<_1, _1>{}), make_tensor(b, Shape<_1, _1>{}), C_);
  EXPECT_EQ(c[0], static_cast<float>(a[0]) * static_cast<float>(b[0]));
}

TEST(gemm, by_an_operation_of_ones_own) {
  auto const mma = make_tiled_mma(dot_of_two{}, Layout<Shape<_2, _2>>{});
  EXPECT_EQ(static_cast<int>(size(mma)), 4);
  auto const a = random_integers<float>(4 * 6, 7), b = random_integers<float>(2 * 6, 8);
  std::vector<float> c(4 * 2);
  auto const A = make_tensor(a.data(), Shape<_4, _6>{});
  auto const B = make_tensor(b.data(), Shape<_2, _6>{});
  auto const result = make_tensor(c.data(), Shape<_4, _2>{});
  for (int t = 0; t < 4; ++t) {
    auto const thr = mma.get_slice(t);
    auto mine = thr.partition_C(result);
    gemm(mma, thr.partition_A(A), thr.partition_B(B), mine);
  }
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 2; ++n) {
      float sum = 0;
      for (int k = 0; k < 6; ++k) sum += A(m, k) * B(n, k);
      EXPECT_EQ(result(m, n), sum);
    }
}

TEST(gemm, run_time_extents_that_differ_are_refused) {
  operands o;
  auto const a = make_tensor(o.a.data(), make_shape(M, K)), b = make_tensor(o.b.data(), make_shape(N, K - 1));
  auto c = make_tensor(o.c.data(), make_shape(M, N));
  try {
    gemm(a, b, c);
    FAIL() << "no error";
  } catch (layout_error const& e) {
    EXPECT_NE(std::string(e.what()).find("gemm: the extents of A (M,K), B (N,K) and C (M,N) do not agree"),
              std::string::npos)
        << e.what();
  }
}

TEST(cooperative_gemm, of_whole_tiles) {
  expect_cooperative<float, float>(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_8, _4>>{}),
                                   Shape<_16, _8, C<5>>{});
  expect_cooperative<half_t, float>(
      make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{}),
      Shape<_32, _32, _32>{});
  expect_cooperative<half_t, float, SM75_U32x4_LDSM_N>(
      make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{}),
      Shape<_64, _32, _32>{});
  expect_cooperative<double, double>(make_tiled_mma(SM80_8x8x4_F64F64F64F64_TN{}, Layout<Shape<_2, _2>>{}),
                                     Shape<_32, _16, _16>{});
  expect_cooperative<half_t, float>(
      make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{}), Shape<_32, _32, _8>{});
}

TEST(cooperative_gemm, of_tiles_that_overhang) {
  expect_cooperative<float, float>(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_8, _4>>{}),
                                   Shape<C<13>, C<7>, C<5>>{});
  expect_cooperative<half_t, float>(
      make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, Tile<_32, _32, _16>{}),
      Shape<C<43>, C<17>, C<21>>{});
  expect_cooperative<double, double>(make_tiled_mma(SM80_8x8x4_F64F64F64F64_TN{}, Layout<Shape<_2, _2>>{}),
                                     Shape<C<5>, C<41>, C<3>>{});
}
