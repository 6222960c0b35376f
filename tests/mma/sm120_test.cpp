// The operation of SM120 on floats of 8, 6 and 4 bits: every pair of types on random fragments, against a triple loop.
#include "tilewright/mma/sm120.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/exec/launch.hpp"

#include "narrow_floats.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

using namespace tilewright;

namespace {

constexpr int m = 16, n = 8, k = 32;

struct operands {
  std::vector<std::uint8_t> a = std::vector<std::uint8_t>(m * k), b = std::vector<std::uint8_t>(n * k);
  std::vector<float> c = std::vector<float>(m * n), d = std::vector<float>(m * n);
};

/// One product by the 32 threads of a warp.
template <class Op>
struct multiply {
  operands* all;
  template <class Block>
  void operator()(Block& block) const {
    auto const mma = make_tiled_mma(Op{});
    auto const thr = mma.get_slice(block.thread());
    auto const A = make_tensor(all->a.data(), Layout<Shape<C<m>, C<k>>>{});
    auto const B = make_tensor(all->b.data(), Layout<Shape<C<n>, C<k>>>{});
    auto const partC = thr.partition_C(make_tensor(all->c.data(), Layout<Shape<C<m>, C<n>>>{}));
    auto const partD = thr.partition_C(make_tensor(all->d.data(), Layout<Shape<C<m>, C<n>>>{}));
    auto fa = thr.partition_fragment_A(A);
    auto fb = thr.partition_fragment_B(B);
    auto fc = thr.make_fragment_C(partC);
    auto const partA = thr.partition_A(A);
    auto const partB = thr.partition_B(B);
    for (int i = 0; i < size(fa); ++i) fa(i) = partA(i);
    for (int i = 0; i < size(fb); ++i) fb(i) = partB(i);
    for (int i = 0; i < size(fc); ++i) fc(i) = partC(i);
    fp4_shift_A(Op{}, fa);
    fp4_shift_B(Op{}, fb);
    gemm(mma, fa, fb, fc);
    for (int i = 0; i < size(fc); ++i) partD(i) = fc(i);
  }
};

template <class TA, class TB>
void expect_product(unsigned seed) {
  std::mt19937 random(seed);
  operands all;
  for (auto& x : all.a) x = tests::random_bits<TA>(random, 1e5f);
  for (auto& x : all.b) x = tests::random_bits<TB>(random, 1e5f);
  for (auto& x : all.c) x = static_cast<float>(static_cast<int>(random() % 64)) / 4.0f;
  launch(1, 32, multiply<SM120_16x8x32_TN<TA, TB, float>>{&all});
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = all.c[static_cast<std::size_t>(i + m * j)];
      for (int l = 0; l < k; ++l)
        sum += tests::value_of<TA>(all.a[static_cast<std::size_t>(i + m * l)]) *
               tests::value_of<TB>(all.b[static_cast<std::size_t>(j + n * l)]);
      ASSERT_EQ(all.d[static_cast<std::size_t>(i + m * j)], sum) << i << ", " << j;
    }
}
template <class TA, class... TB>
void expect_products() {
  (expect_product<TA, TB>(11u + sizeof_bits_v<TB>), ...);
}

TEST(sm120, floats_of_all_widths) {
  expect_products<float_e4m3_t, float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t, float_e2m1_t>();
  expect_products<float_e5m2_t, float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t, float_e2m1_t>();
  expect_products<float_e3m2_t, float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t, float_e2m1_t>();
  expect_products<float_e2m3_t, float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t, float_e2m1_t>();
  expect_products<float_e2m1_t, float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t, float_e2m1_t>();
}

}  // namespace
