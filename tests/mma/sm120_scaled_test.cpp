// The operations of SM120 with factors of blocks and with a sparse A: random registers of a warp, against a sum over the dense matrices.
#include "tilewright/mma/sm120_scaled.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/exec/launch.hpp"

#include "narrow_floats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

using namespace tilewright;

namespace {

constexpr int m = 16, n = 8, lanes = 32;

/// Between 2^-4 and 2^8, so that every sum is exact.
template <class T>
std::uint8_t random_bits(std::mt19937& random) {
  return tests::random_bits<T>(random, 256.0f, 1.0f / 16);
}
/// 2^-2 … 2^2, and numbers in between for types that have them.
template <class F>
F random_factor(std::mt19937& random) {
  float const power = std::ldexp(1.0f, static_cast<int>(random() % 5) - 2);
  if constexpr (std::is_same_v<F, float_ue4m3_t>) return F(power * (1.0f + 0.125f * static_cast<float>(random() % 8)));
  else return F(power);
}

/// The dense matrices, and what a warp's registers have of them.
template <int K>
struct problem {
  std::vector<std::uint8_t> a = std::vector<std::uint8_t>(m * K), b = std::vector<std::uint8_t>(n * K);
  std::vector<float> factor_a = std::vector<float>(m * K, 1.0f), factor_b = std::vector<float>(n * K, 1.0f);
  std::vector<float> c = std::vector<float>(m * n), d = std::vector<float>(m * n);
  std::uint32_t registers_a[lanes][4] = {}, registers_b[lanes][4] = {}, metadata[lanes] = {}, factors_a[lanes] = {},
                factors_b[lanes] = {};
};

template <class Op>
struct multiply {
  template <class Problem>
  void operator()(auto& block, Problem* all) const {
    int const lane = block.thread();
    typename Op::DRegisters d{}, c{};
    typename Op::ARegisters a{};
    typename Op::BRegisters b{};
    for (int i = 0; i < 4; ++i) a[i] = all->registers_a[lane][i];
    for (int i = 0; i < register_count<typename Op::BRegisters>; ++i) b[i] = all->registers_b[lane][i];
    auto const at = [&](int v) { return lane / 4 + 8 * (v / 2) + m * (2 * (lane % 4) + v % 2); };
    for (int v = 0; v < 4; ++v) c[v] = all->c[static_cast<std::size_t>(at(v))];
    if constexpr (Op::more_registers == 3) {
      Op::fma(d[0], d[1], d[2], d[3], a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0], c[1], c[2], c[3],
              all->metadata[lane], all->factors_a[lane], all->factors_b[lane]);
    } else if constexpr (Op::more_registers == 1) {
      Op::fma(d[0], d[1], d[2], d[3], a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0], c[1], c[2], c[3],
              all->metadata[lane]);
    } else {
      Op::fma(d[0], d[1], d[2], d[3], a[0], a[1], a[2], a[3], b[0], b[1], c[0], c[1], c[2], c[3], all->factors_a[lane],
              all->factors_b[lane]);
    }
    for (int v = 0; v < 4; ++v) all->d[static_cast<std::size_t>(at(v))] = d[v];
  }
  template <class R>
  static constexpr int register_count = detail::register_count<R>;
};

/// An element into its register: `bits` wide, the `shift` of its first bit there.
void put(std::uint32_t& word, std::uint8_t element, int i, int bits, int shift) {
  word |= static_cast<std::uint32_t>(element) << (i * bits + shift);
}

template <class Op, class A, class B, class F, int K, int Bits, int Vector, bool IsSparse>
void expect_product(unsigned seed) {
  std::mt19937 random(seed);
  problem<K> all;
  constexpr int in_a_register = 32 / Bits, shift_a = Bits == 8 ? detail::narrow_float_shift<A> : 0,
                shift_b = Bits == 8 ? detail::narrow_float_shift<B> : 0;
  for (auto& x : all.b) x = random_bits<B>(random);
  for (auto& x : all.c) x = static_cast<float>(static_cast<int>(random() % 64)) / 4.0f;
  for (int row = 0; row < m; ++row) {
    int stored = 0;
    auto const store = [&](int k) {
      std::uint8_t const bits = random_bits<A>(random);
      all.a[static_cast<std::size_t>(row + m * k)] = bits;
      int const column = stored / in_a_register;
      put(all.registers_a[4 * (row % 8) + column % 4][row / 8 + 2 * (column / 4)], bits, stored % in_a_register, Bits,
          shift_a);
      ++stored;
    };
    if constexpr (!IsSparse) {
      for (int k = 0; k < K; ++k) store(k);
    } else {
      constexpr int step = Bits == 8 ? 1 : 2;  // elements that one name is for
      for (int group = 0; group < K / (4 * step); ++group) {
        unsigned const first = static_cast<unsigned>(random() % 3),
                       second = first + 1 + static_cast<unsigned>(random() % (3 - first));
        for (unsigned const name : {first, second})
          for (int e = 0; e < step; ++e) store(4 * step * group + step * static_cast<int>(name) + e);
        int const half = group / 8;
        all.metadata[4 * (row % 8) + row / 8 + 2 * half] |= (first | second << 2) << (4 * (group % 8));
      }
    }
  }
  for (int row = 0; row < n; ++row)
    for (int k = 0; k < K; ++k)
      put(all.registers_b[4 * row + k / in_a_register % 4][k / (4 * in_a_register)],
          all.b[static_cast<std::size_t>(row + n * k)], k % in_a_register, Bits, shift_b);
  if constexpr (!std::is_void_v<F>) {
    for (int v = 0; v < K / Vector; ++v) {
      auto const factor = [&](auto& words, auto& dense, int rows, int row, int lane) {
        F const f = random_factor<F>(random);
        words[lane] |= static_cast<std::uint32_t>(f.raw()) << (8 * v);
        for (int k = v * Vector; k < (v + 1) * Vector; ++k)
          dense[static_cast<std::size_t>(row + rows * k)] = static_cast<float>(f);
      };
      for (int row = 0; row < m; ++row) factor(all.factors_a, all.factor_a, m, row, 4 * (row % 8) + row / 8);
      for (int row = 0; row < n; ++row) factor(all.factors_b, all.factor_b, n, row, 4 * row);
    }
  }
  launch(1, lanes, multiply<Op>{}, &all);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = all.c[static_cast<std::size_t>(i + m * j)];
      for (int k = 0; k < K; ++k) {
        auto const at_a = static_cast<std::size_t>(i + m * k), at_b = static_cast<std::size_t>(j + n * k);
        sum += tests::value_of<A>(all.a[at_a]) * tests::value_of<B>(all.b[at_b]) *
               (all.factor_a[at_a] * all.factor_b[at_b]);
      }
      ASSERT_EQ(all.d[static_cast<std::size_t>(i + m * j)], sum) << i << ", " << j;
    }
}

template <class A, class... B>
void expect_products_of_bytes() {
  (expect_product<SM120_16x8x32_TN_VS<A, B, float, float_ue8m0_t, 32>, A, B, float_ue8m0_t, 32, 8, 32, false>(3), ...);
  (expect_product<SM120_SPARSE_16x8x64_TN<A, B, float>, A, B, void, 64, 8, 64, true>(4), ...);
  (expect_product<SM120_SPARSE_16x8x64_TN_VS<A, B, float, float_ue8m0_t, 64>, A, B, float_ue8m0_t, 64, 8, 64, true>(5),
   ...);
}

TEST(sm120_scaled, floats_in_bytes) {
  expect_products_of_bytes<float_e4m3_t, float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t, float_e2m1_t>();
  expect_products_of_bytes<float_e5m2_t, float_e4m3_t, float_e3m2_t>();
  expect_products_of_bytes<float_e3m2_t, float_e2m3_t, float_e2m1_t>();
  expect_products_of_bytes<float_e2m1_t, float_e4m3_t, float_e2m1_t>();
}

template <class F, int Vector>
void expect_products_of_fours() {
  using T = float_e2m1_t;
  expect_product<SM120_16x8x64_TN_VS<T, T, float, F, Vector>, T, T, F, 64, 4, Vector, false>(6);
  expect_product<SM120_SPARSE_16x8x128_TN_VS<T, T, float, F, 2 * Vector>, T, T, F, 128, 4, 2 * Vector, true>(7);
}
TEST(sm120_scaled, packed_floats_of_4_bits) {
  expect_products_of_fours<float_ue8m0_t, 32>();
  expect_products_of_fours<float_ue8m0_t, 16>();
  expect_products_of_fours<float_ue4m3_t, 16>();
}

/// Fragments with factors by element, as a tiled operation's partitions have them.
TEST(sm120_scaled, fragments_with_factors) {
  using Op = SM120_16x8x64_TN_VS<float_e2m1_t, float_e2m1_t, float, float_ue4m3_t, 16>;
  using Traits = MMA_Traits<Op>;
  EXPECT_EQ(Traits::SFALayout{}(5, 0), 9);  // lane 5: row 1 + 8
  EXPECT_EQ(Traits::SFBLayout{}(5, 2), 17);
  auto factors = make_tensor<float_ue4m3_t>(Layout<Shape<Shape<_16, _4>>, Stride<Stride<_0, _1>>>{});
  for (int i = 0; i < 4; ++i) factors(i * 16) = float_ue4m3_t::bitcast(static_cast<std::uint8_t>(0x10 * (i + 1)));
  EXPECT_EQ(detail::factors_of<std::uint32_t>(factors), 0x40302010u);
}

}  // namespace
