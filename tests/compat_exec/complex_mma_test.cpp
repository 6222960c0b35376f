// The operations of a warp on complex numbers, on the CPU, against a triple loop.
#include <cute/algorithm/gemm.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/tensor.hpp>

#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <vector>

namespace {

/// One warp: D = A·B + C, A (M,K), B (N,K), C (M,N), column by column.
template <class Op>
struct complex_product_of_a_warp {
  template <class Block, class A, class B, class C>
  void operator()(Block& block, A a, B b, C c) const {
    using namespace cute;
    auto mma = make_tiled_mma(Op{});
    auto thr = mma.get_slice(block.thread());
    auto rA = thr.partition_fragment_A(a);
    auto rB = thr.partition_fragment_B(b);
    auto mine = thr.partition_C(c);
    auto rC = thr.make_fragment_C(mine);
    copy(thr.partition_A(a), rA);
    copy(thr.partition_B(b), rB);
    copy(mine, rC);
    gemm(mma, rA, rB, rC);
    copy(rC, mine);
  }
};

template <class Op, int M, int N, int K>
void expect_the_product_of_complex_numbers() {
  // Small integers: sums are exact in any order.
  std::mt19937 random(7);
  std::uniform_int_distribution<int> small(-9, 9);
  auto const matrix = [&](int n) {
    std::vector<cute::complex<double>> out;
    for (int i = 0; i < n; ++i) {
      double const re = small(random);
      out.emplace_back(re, static_cast<double>(small(random)));
    }
    return out;
  };
  auto a = matrix(M * K), b = matrix(N * K), c = matrix(M * N);
  auto const standard = [](cute::complex<double> const& x) { return std::complex<double>(x.real(), x.imag()); };
  std::vector<std::complex<double>> expected;
  for (int n = 0; n < N; ++n)
    for (int m = 0; m < M; ++m) {
      auto sum = standard(c[static_cast<std::size_t>(m + M * n)]);
      for (int k = 0; k < K; ++k)
        sum += standard(a[static_cast<std::size_t>(m + M * k)]) * standard(b[static_cast<std::size_t>(n + N * k)]);
      expected.push_back(sum);
    }
  tilewright::launch_checked(
      tilewright::checked_config{.grid = 1, .block = 32, .seed = 9}, complex_product_of_a_warp<Op>{},
      cute::make_tensor(cute::make_gmem_ptr(a.data()), cute::Layout<cute::Shape<cute::C<M>, cute::C<K>>>{}),
      cute::make_tensor(cute::make_gmem_ptr(b.data()), cute::Layout<cute::Shape<cute::C<N>, cute::C<K>>>{}),
      cute::make_tensor(cute::make_gmem_ptr(c.data()), cute::Layout<cute::Shape<cute::C<M>, cute::C<N>>>{}));
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(standard(c[i]), expected[i]) << i;
}

}  // namespace

TEST(complex_mma, is_a_triple_loops) {
  using namespace cute;
  expect_the_product_of_complex_numbers<SM80_8x8x4_C64C64C64C64_TN, 8, 8, 4>();
  expect_the_product_of_complex_numbers<SM90_16x8x4_C64C64C64C64_TN, 16, 8, 4>();
  expect_the_product_of_complex_numbers<SM90_16x8x8_C64C64C64C64_TN, 16, 8, 8>();
  expect_the_product_of_complex_numbers<SM90_16x8x16_C64C64C64C64_TN, 16, 8, 16>();
}
