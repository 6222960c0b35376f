// A tile by a tiled operation of SM120 with factors, written as CuTe kernels are: fragments of elements and of factors side by side.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include "tilewright/exec/launch.hpp"

using namespace cute;

namespace {

constexpr int m = 32, n = 16, k = 128, vector = 16;

struct operands {
  // elements as their bits
  std::vector<std::uint8_t> a = std::vector<std::uint8_t>(m * k), b = std::vector<std::uint8_t>(n * k);
  std::vector<float_ue4m3_t> factors_a = std::vector<float_ue4m3_t>(m * k / vector),
                             factors_b = std::vector<float_ue4m3_t>(n * k / vector);
  std::vector<float> c = std::vector<float>(m * n);
};

/// The factors that a thread has of one operation's rows, by (V, Rest, RestK); V counts elements.
template <class Factors, class MapTV>
auto fragment_of_factors(Factors const& dense, MapTV const& map, int thread, int rows) {
  constexpr int values = decltype(size<1>(map))::value, blocks = values / vector;
  auto fragment = make_tensor<float_ue4m3_t>(
      Layout<Shape<Shape<Int<vector>, Int<blocks>>, _2, _2>, Stride<Stride<_0, _1>, Int<blocks>, Int<2 * blocks>>>{});
  for (int v = 0; v < values; v += vector)
    for (int rest = 0; rest < 2; ++rest)
      for (int step = 0; step < 2; ++step) {
        int const at = map(thread, v), row = at % rows + rows * rest, column = at / rows + 64 * step;
        fragment(v, rest, step) = dense(row, column / vector);
      }
  return fragment;
}

/// K at once, or step by step.
template <bool AtOnce>
struct multiply {
  operands* all;
  template <class Block>
  void operator()(Block& block) const {
    using Op = SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, vector>;
    auto const mma = make_tiled_mma(Op{});
    auto const thr = mma.get_thread_slice(block.thread());
    auto const A = make_tensor(all->a.data(), Layout<Shape<Int<m>, Int<k>>>{});
    auto const B = make_tensor(all->b.data(), Layout<Shape<Int<n>, Int<k>>>{});
    auto const tCA = thr.partition_A(A);  // (V, RestM, RestK)
    auto const tCB = thr.partition_B(B);  // (V, RestN, RestK)
    auto rA = thr.partition_fragment_A(A);
    auto rB = thr.partition_fragment_B(B);
    for (int i = 0; i < size(rA); ++i) rA(i) = tCA(i);
    for (int i = 0; i < size(rB); ++i) rB(i) = tCB(i);
    auto const tCC = thr.partition_C(make_tensor(all->c.data(), Layout<Shape<Int<m>, Int<n>>>{}));
    auto rC = thr.make_fragment_C(tCC);
    copy(tCC, rC);
    using Traits = MMA_Traits<Op>;
    auto const rFA = fragment_of_factors(make_tensor(all->factors_a.data(), Layout<Shape<Int<m>, _8>>{}),
                                         typename Traits::SFALayout{}, block.thread(), 16);
    auto const rFB = fragment_of_factors(make_tensor(all->factors_b.data(), Layout<Shape<Int<n>, _8>>{}),
                                         typename Traits::SFBLayout{}, block.thread(), 8);
    if constexpr (AtOnce) {
      gemm(mma, make_zip_tensor(rA, rFA), make_zip_tensor(rB, rFB), rC);
    } else {
      gemm(mma, make_zip_tensor(rA(_, _, 0), rFA(_, _, 0)), make_zip_tensor(rB(_, _, 0), rFB(_, _, 0)), rC);
      gemm(mma, rC, make_zip_tensor(rA(_, _, Int<1>{}), rFA(_, _, 1)), make_zip_tensor(rB(_, _, 1), rFB(_, _, 1)), rC);
    }
    copy(rC, tCC);
  }
};

float value_of(std::uint8_t bits) { return static_cast<float>(float_e2m1_t::bitcast(bits)); }

template <bool AtOnce>
void expect_tile() {
  std::mt19937 random(1);
  operands all;
  for (auto* bits : {&all.a, &all.b})
    for (auto& x : *bits) x = static_cast<std::uint8_t>(random() % 16);
  for (auto* factors : {&all.factors_a, &all.factors_b})
    for (auto& f : *factors) f = float_ue4m3_t(0.25f * static_cast<float>(1 + random() % 8));
  for (auto& x : all.c) x = static_cast<float>(random() % 32);
  auto const before = all.c;
  tilewright::launch(1, 32, multiply<AtOnce>{&all});
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = before[static_cast<std::size_t>(i + m * j)];
      for (int l = 0; l < k; ++l) {
        auto const at = [&](int row, int rows, int column) { return static_cast<std::size_t>(row + rows * column); };
        sum += value_of(all.a[at(i, m, l)]) * value_of(all.b[at(j, n, l)]) *
               (static_cast<float>(all.factors_a[at(i, m, l / vector)]) *
                static_cast<float>(all.factors_b[at(j, n, l / vector)]));
      }
      ASSERT_EQ(all.c[static_cast<std::size_t>(i + m * j)], sum) << i << ", " << j;
    }
}
TEST(Sm120, TilesWithFactors) { expect_tile<false>(); }
TEST(Sm120, TilesWithFactorsOfAllSteps) { expect_tile<true>(); }

}  // namespace
