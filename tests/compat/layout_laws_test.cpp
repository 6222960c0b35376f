// The algebra of layouts in the manner of CuTe's own unit tests: an operation, its operands one block after the other, and
// the law of the operation checked at every coordinate.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <set>
#include <vector>

using namespace cute;

namespace {

template <class LayoutA, class LayoutB>
void test_composition(LayoutA const& layoutA, LayoutB const& layoutB) {
  auto layoutR = composition(layoutA, layoutB);
  ASSERT_TRUE(bool(compatible(shape(layoutB), shape(layoutR))));
  for (int i = 0; i < int(size(layoutR)); ++i) ASSERT_EQ(int(layoutR(i)), int(layoutA(layoutB(i)))) << i;
}

TEST(CuteLaws, Composition) {
  { test_composition(make_layout(_1{}, _0{}), make_layout(_1{}, _0{})); }
  { test_composition(make_layout(Int<4>{}), make_layout(Int<4>{})); }
  { test_composition(make_layout(Int<4>{}, Int<2>{}), make_layout(Int<4>{})); }
  { test_composition(make_layout(Int<4>{}, Int<0>{}), make_layout(Int<4>{})); }
  { test_composition(make_layout(Int<4>{}), make_layout(Int<2>{}, Int<2>{})); }
  { test_composition(make_layout(make_shape(Int<4>{}, Int<3>{})), make_layout(Int<12>{})); }
  { test_composition(make_layout(Int<12>{}), make_layout(make_shape(Int<4>{}, Int<3>{}))); }
  { test_composition(make_layout(Int<12>{}, Int<2>{}), make_layout(make_shape(Int<4>{}, Int<3>{}))); }
  {
    auto a = make_layout(make_shape(Int<4>{}, Int<3>{}), make_stride(Int<3>{}, Int<1>{}));
    auto b = make_layout(Int<6>{}, Int<2>{});
    test_composition(a, b);
  }
  {
    auto a = make_layout(make_shape(Int<8>{}, Int<8>{}), make_stride(Int<8>{}, Int<1>{}));
    auto b = make_layout(make_shape(make_shape(Int<2>{}, Int<2>{}), Int<4>{}));
    test_composition(a, b);
  }
  {
    auto a = make_layout(make_shape(Int<4>{}, Int<8>{}, Int<2>{}));
    auto b = make_layout(make_shape(Int<2>{}, Int<2>{}, Int<2>{}), make_stride(Int<1>{}, Int<8>{}, Int<2>{}));
    test_composition(a, b);
  }
  { test_composition(make_layout(make_shape(32, 4)), make_layout(make_shape(Int<8>{}, Int<4>{}))); }
  {
    auto a = make_layout(make_shape(Int<48>{}, Int<24>{}, Int<5>{}), make_stride(_1{}, Int<128>{}, Int<3072>{}));
    auto b = make_layout(_32{}, Int<1>{});
    auto r = composition(a, make_tile(layout<0>(a).compose(_16{}), _8{}, _));
    EXPECT_EQ(size<1>(r), 8);
    test_composition(make_layout(Int<64>{}), b);
  }
  {
    auto a = composition(Swizzle<2, 0, 3>{}, make_layout(make_shape(Int<8>{}, Int<4>{}), make_stride(_4{}, _1{})));
    auto b = make_layout(make_shape(Int<4>{}, Int<8>{}), make_stride(_8{}, _1{}));
    test_composition(a, b);
  }
}

template <class L, class Target>
void test_complement(L const& layout, Target const& cosize_hi) {
  auto result = complement(layout, cosize_hi);
  // Disjoint from the layout, in order, and together they reach every offset below the target, as CuTe states it.
  std::set<int> image;
  for (int i = 0; i < int(size(layout)); ++i) image.insert(int(layout(i)));
  for (int i = 1; i < int(size(result)); ++i) {
    ASSERT_LT(int(result(i - 1)), int(result(i)));
    ASSERT_EQ(image.count(int(result(i))), 0u);
  }
  ASSERT_GE(int(size(result)), int(cosize_hi) / int(size(filter(layout))));
  auto completed = make_layout(layout, result);
  ASSERT_GE(int(cosize(completed)), int(cosize_hi));
}

TEST(CuteLaws, Complement) {
  { test_complement(make_layout(_1{}, _0{}), Int<1>{}); }
  { test_complement(make_layout(_1{}, _0{}), Int<5>{}); }
  { test_complement(make_layout(Int<4>{}, Int<1>{}), Int<16>{}); }
  { test_complement(make_layout(Int<4>{}, Int<2>{}), Int<19>{}); }
  { test_complement(make_layout(Int<4>{}, Int<4>{}), Int<17>{}); }
  { test_complement(make_layout(make_shape(Int<2>{}, Int<4>{}), make_stride(_1{}, Int<6>{})), Int<24>{}); }
  { test_complement(make_layout(make_shape(Int<2>{}, Int<2>{}), make_stride(Int<4>{}, _1{})), Int<32>{}); }
  { test_complement(Layout<Shape<_2, Shape<_2, _2>>, Stride<_1, Stride<_8, _2>>>{}, Int<64>{}); }
}

template <class L>
void test_coalesce(L const& layout) {
  auto coalesced = coalesce(layout);
  CUTE_STATIC_ASSERT_V(depth(coalesced) <= Int<1>{});
  ASSERT_EQ(int(size(coalesced)), int(size(layout)));
  for (int i = 0; i < int(size(layout)); ++i) ASSERT_EQ(int(coalesced(i)), int(layout(i)));
}

TEST(CuteLaws, Coalesce) {
  { test_coalesce(make_layout(_1{}, Int<0>{})); }
  { test_coalesce(make_layout(make_shape(Int<2>{}, Int<4>{}))); }
  { test_coalesce(make_layout(make_shape(Int<2>{}, Int<4>{}, Int<6>{}), make_stride(_1{}, Int<6>{}, _2{}))); }
  { test_coalesce(make_layout(make_shape(2, make_shape(4, Int<6>{})))); }
  { test_coalesce(make_layout(make_shape(2, Int<4>{}, 6), LayoutRight{})); }
  { test_coalesce(Layout<Shape<_2, Shape<_1, _6>, _1>, Stride<_1, Stride<_7, _2>, _3>>{}); }
}

template <class L>
void test_inverses(L const& layout) {
  auto right = right_inverse(layout);
  for (int i = 0; i < int(size(right)); ++i) ASSERT_EQ(int(layout(right(i))), i);
  auto left = left_inverse(layout);
  for (int i = 0; i < int(size(layout)); ++i) ASSERT_EQ(int(left(layout(i))), i);
}

TEST(CuteLaws, Inverses) {
  { test_inverses(Layout<Shape<_4>, Stride<_1>>{}); }
  { test_inverses(Layout<Shape<_2, _4>, Stride<_4, _1>>{}); }
  { test_inverses(Layout<Shape<_8, _4>, Stride<_1, _8>>{}); }
  { test_inverses(Layout<Shape<_2, _4, _6>, Stride<_4, _1, _8>>{}); }
  { test_inverses(Layout<Shape<_4, Shape<_2, _2>>, Stride<_2, Stride<_1, _8>>>{}); }
  auto const only_left = Layout<Shape<_4, _2>, Stride<_1, _16>>{};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(int(left_inverse(only_left)(only_left(i))), i);
}

template <class L, class Tile>
void test_divide(L const& layout, Tile const& tile) {
  auto divided = logical_divide(layout, tile);
  auto zipped = zipped_divide(layout, tile);
  ASSERT_EQ(int(size(zipped)), int(size(divided)));
  std::multiset<int> before, after;
  for (int i = 0; i < int(size(layout)); ++i) before.insert(int(layout(i)));
  for (int i = 0; i < int(size(zipped)); ++i) after.insert(int(zipped(i)));
  ASSERT_EQ(before, after);
}

TEST(CuteLaws, Divides) {
  { test_divide(make_layout(Int<32>{}), Layout<_8>{}); }
  { test_divide(make_layout(Int<48>{}, Int<2>{}), Layout<_6, _4>{}); }
  { test_divide(make_layout(make_shape(Int<16>{}, Int<12>{})), make_tile(Layout<_4>{}, Layout<_3, _4>{})); }
  { test_divide(make_layout(make_shape(Int<16>{}, Int<12>{}), LayoutRight{}), make_shape(Int<8>{}, Int<4>{})); }
  { test_divide(make_layout(make_shape(Int<16>{}, make_shape(Int<3>{}, Int<4>{}))), make_tile(Layout<_2, _8>{})); }
  auto tiled = tiled_divide(make_layout(make_shape(64, 32)), make_shape(Int<16>{}, Int<8>{}));
  EXPECT_EQ(size<0>(tiled), 128);
  EXPECT_EQ(size<1>(tiled), 4);
  EXPECT_EQ(size<2>(tiled), 4);
  EXPECT_EQ(rank(flat_divide(make_layout(make_shape(64, 32)), make_shape(Int<16>{}, Int<8>{}))), 4);
}

template <class Block, class Tile>
void test_product(Block const& block, Tile const& tile) {
  auto result = logical_product(block, tile);
  CUTE_STATIC_ASSERT_V(rank(result) == Int<2>{});
  for (int i = 0; i < int(size(block)); ++i) ASSERT_EQ(int(result(i, 0)), int(block(i)));
  std::set<int> image;
  for (int i = 0; i < int(size(result)); ++i) image.insert(int(result(i)));
  ASSERT_EQ(int(image.size()), int(size(result)));
  ASSERT_EQ(int(size<1>(result)), int(size(tile)));
}

TEST(CuteLaws, Products) {
  { test_product(Layout<_4>{}, Layout<_3>{}); }
  { test_product(Layout<_4, _2>{}, Layout<_6>{}); }
  { test_product(Layout<Shape<_2, _4>>{}, Layout<_3>{}); }
  { test_product(Layout<Shape<_2, _2>, Stride<_4, _1>>{}, Layout<_6, _1>{}); }
  { test_product(Layout<Shape<_2, _2>, Stride<_4, _1>>{}, Layout<Shape<_4, _2>, Stride<_2, _1>>{}); }
  auto tile = blocked_product(Layout<Shape<_2, _5>, Stride<_5, _1>>{}, Layout<Shape<_3, _4>>{});
  EXPECT_EQ(tile(make_coord(make_coord(1, 2), make_coord(3, 1))), 5 + 20 + 3 + 30);
  auto rake = raked_product(Layout<Shape<_2, _5>, Stride<_5, _1>>{}, Layout<Shape<_3, _4>>{});
  EXPECT_EQ(rake(make_coord(make_coord(2, 1), make_coord(1, 3))), 5 + 20 + 3 + 30);
}

template <class L>
void test_swizzle(L const& layout, int bits, int base, int shift) {
  for (int i = 0; i < int(size(layout)); ++i) {
    int const x = int(layout.layout_b()(i));
    int const mask = ((1 << bits) - 1) << base;
    ASSERT_EQ(int(layout(i)), x ^ (x >> shift & mask));
  }
}

TEST(CuteLaws, Swizzles) {
  auto plain = Layout<Shape<_32, _32>, Stride<_32, _1>>{};
  { test_swizzle(composition(Swizzle<3, 0, 3>{}, plain), 3, 0, 3); }
  { test_swizzle(composition(Swizzle<3, 2, 3>{}, plain), 3, 2, 3); }
  { test_swizzle(composition(Swizzle<2, 3, 4>{}, Int<0>{}, plain), 2, 3, 4); }
  { test_swizzle(composition(Swizzle<5, 0, 5>{}, plain), 5, 0, 5); }
}

TEST(CuteLaws, SpacesAndVectors) {
  auto broadcast = Layout<Shape<_4, _2, _3>, Stride<_1, _0, _4>>{};
  auto space = nullspace(broadcast);
  EXPECT_EQ(size(space), 2);
  for (int i = 0; i < int(size(space)); ++i) EXPECT_EQ(int(broadcast(space(i))), 0);
  EXPECT_EQ(size(filter(broadcast)), 12);
  EXPECT_EQ(size(filter_zeros(broadcast)), 12);
  auto a = Layout<Shape<_8, _4>>{};
  auto b = Layout<Shape<_8, _4>, Stride<_1, _16>>{};
  EXPECT_EQ(int(max_common_vector(a, b)), 8);
  EXPECT_EQ(int(size(max_common_layout(a, b))), 8);
  auto ordered = make_ordered_layout(Shape<_3, Shape<_5, _2>>{}, Step<_2, Step<_3, _1>>{});
  EXPECT_TRUE(bool(ordered == Layout<Shape<_3, Shape<_5, _2>>, Stride<_2, Stride<_6, _1>>>{}));
  EXPECT_TRUE(bool(make_layout_like(b) == a));
}

TEST(CuteLaws, ArithmeticTuples) {
  auto iterator = make_inttuple_iter(1, 2, Int<3>{});
  EXPECT_TRUE(*(iterator + make_arithmetic_tuple(10, _0{}, 1)) == make_tuple(11, 2, 4));
  auto coordinates = make_tensor(make_inttuple_iter(42, Int<2>{}, 7),
                                 make_layout(make_shape(Int<3>{}, Int<4>{}), make_stride(E<0>{}, E<2>{} * Int<5>{})));
  EXPECT_TRUE(coordinates(2, 3) == make_tuple(44, 2, 22));
  EXPECT_TRUE((Int<3>{} * E<1>{} == E<1>{} * Int<3>{}));
  EXPECT_EQ(int(basis_value(E<1>{} * Int<5>{})), 5);
}

TEST(CuteLaws, TensorAlgorithms) {
  std::vector<int> data(24);
  for (int i = 0; i < 24; ++i) data[std::size_t(i)] = i;
  Tensor t = make_tensor(data.data(), Shape<_4, _6>{});
  EXPECT_EQ(reduce(t, 0), 276);
  EXPECT_EQ(reduce(t, 1000, max_fn{}), 1000);
  EXPECT_EQ(transform_reduce(t, 0L, plus{}, [](int x) { return long(x) * x; }), 4324L);
  EXPECT_EQ(transform_reduce(t, t, 0L, plus{}, multiplies{}), 4324L);
  Tensor sums = make_tensor<int>(Shape<_6>{});
  fill(sums, 100);
  batch_reduce(t, sums);
  for (int j = 0; j < 6; ++j) EXPECT_EQ(sums(j), 100 + 16 * j + 6);
  Tensor doubled = make_tensor_like(t);
  transform(t, doubled, [](int x) { return 2 * x; });
  EXPECT_EQ(doubled(3, 5), 46);
  transform(t, doubled, doubled, plus{});
  EXPECT_EQ(doubled(3, 5), 69);
  copy_if([](int i) { return i % 5 == 0; }, doubled, t);
  EXPECT_EQ(t(3, 3), 45);
  EXPECT_EQ(t(3, 4), 19);
  Tensor squares = lazy::transform(t, [](int x) { return x * x; });
  EXPECT_EQ(squares(1, 0), 1);
  EXPECT_EQ(squares(_, 1)(2), 36);
  cute::for_each(t, [](int& x) { x = 7; });
  EXPECT_EQ(reduce(t, 0), 168);
}

}  // namespace
