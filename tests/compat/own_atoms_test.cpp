// Matrix operations of a program's own, whose traits it specialises in namespace cute as it would with CuTe: with an mma_unpack, and
// without one, by the registers of the operation; with a state; next to the library's atoms by both names of their traits.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <type_traits>

namespace cute {

/// c + a0 b0 + a1 b1 by one thread.
struct own_dot_product {
  using DRegisters = float[1];
  using ARegisters = float[2];
  using BRegisters = float[2];
  using CRegisters = float[1];
  CUTE_HOST_DEVICE static void fma(float& d, float const& a0, float const& a1, float const& b0, float const& b1,
                                   float const& c) {
    d = c + a0 * b0 + a1 * b1;
  }
};
template <>
struct MMA_Traits<own_dot_product> {
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

/// c + Factor * a * b, or without c, with an mma_unpack of its own.
template <int Factor>
struct own_scaled_product {};
template <int Factor>
struct MMA_Traits<own_scaled_product<Factor>> : MMA_Traits<UniversalFMA<float, float, float, float>> {
  bool adds = true;

  template <class TD, class DLayout, class TA, class ALayout, class TB, class BLayout, class TC, class CLayout>
  CUTE_HOST_DEVICE constexpr friend void mma_unpack(MMA_Traits const& traits, Tensor<TD, DLayout>& D,
                                                    Tensor<TA, ALayout> const& A, Tensor<TB, BLayout> const& B,
                                                    Tensor<TC, CLayout> const& C) {
    D(0) = (traits.adds ? C(0) : 0.0f) + static_cast<float>(Factor) * A(0) * B(0);
  }
  CUTE_HOST_DEVICE constexpr MMA_Traits with(bool adds_c) const {
    MMA_Traits out = *this;
    out.adds = adds_c;
    return out;
  }
};

}  // namespace cute

using namespace cute;

namespace {

template <class Mma>
void expect_product(Mma const& mma, float factor, float kept) {
  auto a = make_tensor<float>(Shape<_4, _6>{});
  auto b = make_tensor<float>(Shape<_3, _6>{});
  auto c = make_tensor<float>(Shape<_4, _3>{});
  for (int i = 0; i < size(a); ++i) a(i) = static_cast<float>(i % 7 - 3);
  for (int i = 0; i < size(b); ++i) b(i) = static_cast<float>(i % 5 - 2);
  for (int i = 0; i < size(c); ++i) c(i) = static_cast<float>(i);
  auto const thr = mma.get_slice(0);
  auto tCrA = thr.partition_fragment_A(a);
  auto tCrB = thr.partition_fragment_B(b);
  auto tCrC = thr.partition_fragment_C(c);
  copy(thr.partition_A(a), tCrA);
  copy(thr.partition_B(b), tCrB);
  copy(thr.partition_C(c), tCrC);
  gemm(mma, tCrA, tCrB, tCrC);
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 3; ++n) {
      float sum = kept * c(m, n);
      // Without C a product of one step replaces what was before it.
      for (int k = 0; k < 6; ++k) sum = (kept == 0 ? 0 : sum) + factor * a(m, k) * b(n, k);
      EXPECT_EQ(thr.partition_C(make_tensor(tCrC.data(), c.layout()))(0, m, n), sum) << m << "," << n;
    }
}

TEST(own_atoms, traits_by_registers) { expect_product(make_tiled_mma(own_dot_product{}), 1, 1); }

TEST(own_atoms, traits_with_an_mma_unpack) {
  auto const mma = make_tiled_mma(own_scaled_product<3>{});
  expect_product(mma, 3, 1);
  auto other = mma;
  other.adds = false;
  expect_product(other, 3, 0);
  static_assert(std::is_same_v<decltype(mma)::Traits, MMA_Traits<own_scaled_product<3>>>);
}

TEST(own_atoms, atoms_by_their_traits) {
  expect_product(make_tiled_mma(MMA_Atom<MMA_Traits<own_scaled_product<2>>>{}), 2, 1);
  expect_product(make_tiled_mma(MMA_Atom<MMA_Traits<own_scaled_product<2>>>{}.with(true)), 2, 1);
  expect_product(make_tiled_mma(MMA_Atom<MMA_Traits<UniversalFMA<float, float, float, float>>>{}), 1, 1);
  using Library = MMA_Traits<SM80_16x8x16_F32F16F16F32_TN>;
  static_assert(std::is_same_v<Library::Shape_MNK, Shape<_16, _8, _16>>);
  static_assert(std::is_same_v<MMA_Atom<Library>::LayoutC_TV, MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>::LayoutC_TV>);
  static_assert(std::is_same_v<MMA_Atom<Library>::MMA_Op, SM80_16x8x16_F32F16F16F32_TN>);
}

}  // namespace
