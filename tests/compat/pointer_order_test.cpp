// Order and equality of pointers with a memory space, a swizzle or packed elements, and packed elements as values: CuTe 4's answers.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include "printed.hpp"

using namespace cute;

namespace {

using tilewright::tests::printed;

TEST(CutePointerOrder, TaggedAndPlainPointers) {
  float values[64] = {};
  float* const raw = &values[0];
  auto const p = make_smem_ptr(raw), q = make_smem_ptr(raw + 8);
  EXPECT_TRUE(p < q && q > p && p <= q && q >= p && p != q);
  EXPECT_TRUE(p == raw && raw == p && q != raw);
  EXPECT_TRUE(p < raw + 3 && p <= raw && q > raw && q >= raw);
  EXPECT_TRUE(raw < q && raw <= p && raw + 9 > q && raw + 9 >= q);
  EXPECT_TRUE(p == values && p != nullptr);
  EXPECT_EQ(make_rmem_ptr(raw + 5) - make_rmem_ptr(raw), 5);
  auto const s = make_swizzle_ptr(p, Swizzle<3, 2, 3>{});
  EXPECT_TRUE(s < s + 16 && s + 16 > s && s <= s && s >= s && s != s + 16);
}

TEST(CutePointerOrder, PackedAndCountingIterators) {
  half_t bits[4] = {};
  subbyte_iterator<int4_t> const a(bits), b = a + 3;
  EXPECT_TRUE(a < b && b > a && a <= b && b >= a && a != b);
  EXPECT_TRUE(make_gmem_ptr(a) < make_gmem_ptr(b));
  counting_iterator<int> const c{3}, d{8};
  EXPECT_TRUE(c < d && d > c && c <= d && d >= c);
}

TEST(CutePackedElements, AreValues) {
  auto four = make_tensor<int4_t>(Shape<_4, _3>{});
  for (int i = 0; i < 12; ++i) four(i) = int4_t(i - 6);
  EXPECT_TRUE(four(0) == int4_t(-6) && four(1) != four(0) && four(11) == 5);
  auto eight = make_tensor<std::int8_t>(Shape<_4, _3>{});
  copy(four, eight);
  EXPECT_EQ(eight(0), -6);
  transform(eight, [](std::int8_t v) { return static_cast<std::int8_t>(v + 1); });
  copy(eight, four);
  EXPECT_EQ(static_cast<int>(four(11)), 6);
}

TEST(CuteCoordinates, AreTransformed) {
  auto const places = make_identity_tensor(Shape<_2, _2>{});
  auto numbers = make_tensor<int>(Shape<_2, _2>{});
  transform(places, numbers, [](auto const& c) { return get<0>(c) * 10 + get<1>(c); });
  EXPECT_EQ(numbers(0, 1), 1);
  EXPECT_EQ(numbers(1, 0), 10);
  EXPECT_EQ(printed(abs(E<1>{})), "_1@1");
  EXPECT_EQ(printed(ceil_div(E<0>{} * 4, 3)), "2@0");
}

TEST(CuteFilter, OfModesAndOfSwizzledTensors) {
  EXPECT_EQ(printed(filter(make_layout(make_shape(5, _3{}), make_stride(_0{}, _1{})), Step<_1, _1>{})),
            "(_1,_3):(_0,_1)");
  auto const nested = Layout<Shape<Shape<_2, _2>, Shape<_3, _2>>, Stride<Stride<_1, _6>, Stride<_2, _12>>>{};
  EXPECT_EQ(printed(filter(nested, Step<_1, _1>{})), "((_2,_2),(_3,_2)):((_1,_6),(_2,_12))");
  float values[32] = {};
  auto const swizzled =
      make_tensor(make_smem_ptr(&values[0]), composition(Swizzle<2, 2, 3>{}, Layout<Shape<_4, _8>, Stride<_0, _1>>{}));
  EXPECT_EQ(printed(filter_zeros(swizzled).layout()), "Sw<2,2,3> o _0 o (_4,_8):(_0,_1)");
}

TEST(CuteTiledMma, ThreadsOfAtomsAlongK) {
  auto const mma = make_tiled_mma(SM80_16x8x8_F32TF32TF32F32_TN{}, Layout<Shape<_1, _4, _2>, Stride<_0, _2, _1>>{});
  EXPECT_EQ(printed(mma.get_layoutC_TV()),
            "(((_4,_8),_2,_4),((_2,_2),(_1,_1))):(((_32,_1),_512,_128),((_16,_8),(_0,_0)))");
  auto const simple = make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_4, _2, _3>>{},
                                     Tile<Layout<Shape<_4, _2>, Stride<_2, _1>>, _8, _3>{});
  EXPECT_EQ(printed(simple.get_layoutC_TV()), "(_24,(_1,(_2,_4))):(_2,(_0,(_1,_16)))");
}

}  // namespace
