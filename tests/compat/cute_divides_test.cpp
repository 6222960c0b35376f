// Divisions, products and common layouts of layouts that are no multiples of each other, and what lists of modes make of composed
// layouts, as namespace cute answers. The expected texts are those that CuTe 4 prints.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <cstdint>
#include <sstream>
#include <string>

using namespace cute;

namespace {

int* const null = nullptr;

template <class T>
std::string streamed(T const& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(CuteDivides, DivisionsTakeEachModeByItself) {
  // Tilers whose modes carry into each other, leave gaps or do not divide the extents.
  EXPECT_EQ(streamed(zipped_divide(Layout<Shape<_4, _2>, Stride<_7, _5>>{}, Layout<Shape<_2, _3>, Stride<_3, _1>>{})),
            "((_2,_3),_1):((_21,_7),_0)");
  EXPECT_EQ(streamed(logical_divide(Layout<Shape<_4, _2>, Stride<_7, _5>>{}, Layout<Shape<_2, _3>, Stride<_3, _1>>{})),
            "((_2,_3),_1):((_21,_7),_0)");
  EXPECT_EQ(streamed(tiled_divide(Layout<Shape<_3, Shape<_3>>, Stride<_3, Stride<_1>>>{}, _2{})),
            "(_2,_2,_3):(_3,_6,_1)");
  EXPECT_EQ(streamed(tiled_divide(Layout<Shape<_6, _4>, Stride<_4, _1>>{}, Layout<Shape<_4>, Stride<_5>>{})),
            "(((_2,_2)),_5):(((_20,_1)),_4)");
  EXPECT_EQ(streamed(flat_divide(Layout<Shape<_6, _4>, Stride<_4, _1>>{}, Layout<_4, _5>{})), "(_2,_2,_5):(_20,_1,_4)");
  EXPECT_EQ(streamed(tiled_divide(Layout<Shape<Shape<_3, _6>, _2>, Stride<Stride<_24, _1>, _12>>{}, make_tile(_2{}))),
            "((_2),(_2,_6),_2):((_24),(_48,_1),_12)");
  EXPECT_EQ(streamed(logical_divide(Layout<Shape<_8, _8, Shape<_1, _2>>, Stride<_8, _1, Stride<_64, _64>>>{},
                                    Layout<Shape<Shape<_3, _1>>, Stride<Stride<_1, _3>>>{})),
            "(((_3,_1)),(_3,_8,_2)):(((_8,_64)),(_24,_1,_64))");
  EXPECT_EQ(streamed(flat_divide(
                make_layout(make_shape(make_shape(_6{}, _1{}), _6{}, _2{}), make_stride(make_stride(_6{}, 6), 1, _0{})),
                make_tile(_))),
            "((_6),_1,_6,_2):((_6),6,1,_0)");
  EXPECT_EQ(streamed(zipped_divide(make_layout(make_shape(4, 2), make_stride(_7{}, _5{})),
                                   Layout<Shape<_2, _3>, Stride<_3, _1>>{})),
            "(((2,1),(3,1)),(1,1)):(((_21,5),(_7,5)),(_42,10))");
  EXPECT_EQ(streamed(zipped_divide(composition(Swizzle<1, 0, 3>{}, Layout<Shape<_4, _2>, Stride<_2, _8>>{}),
                                   Layout<Shape<_2, _3>, Stride<_3, _1>>{})),
            "Sw<1,0,3> o _0 o ((_2,_3),_2):((_6,_2),_12)");
  EXPECT_EQ(streamed(Layout<Shape<_4, _2>, Stride<_7, _5>>{}.tile(Layout<_2, _3>{}, _2{})),
            "((_2,_2),_3,_1):((_21,_5),_7,_0)");
  EXPECT_EQ(streamed(local_tile(make_tensor(null, Layout<Shape<_4, _2>, Stride<_7, _5>>{}), make_tile(Layout<_2, _3>{}),
                                make_coord(_))
                         .layout()),
            "((_2),_3,_2):((_21),_7,_5)");
  EXPECT_EQ(streamed(local_partition(make_tensor(null, Layout<Shape<_3, _6>>{}), Layout<Shape<_2, _4>>{}, 3).layout()),
            "(_2,_2):(_2,_12)");
  EXPECT_EQ(
      streamed(local_partition(make_tensor(null, Layout<Shape<_4, _4>>{}), Layout<Shape<_4, _8>>{}, 1, Step<_1, X>{})
                   .layout()),
      "(_1,_4):(_0,_4)");
}

TEST(CuteDivides, ComplementsDivideEachExtentOfTheTarget) {
  // The complement of (2,3):(3,1) in (4,2) has no room left, that in 8 has room for two.
  EXPECT_EQ(streamed(complement(Layout<Shape<_2, _3>, Stride<_3, _1>>{}, Shape<_4, _2>{})), "_1:_0");
  EXPECT_EQ(streamed(complement(Layout<Shape<_2, _3>, Stride<_3, _1>>{}, _8{})), "_2:_6");
  EXPECT_EQ(streamed(complement(Layout<Shape<_2, _3>, Stride<_3, _1>>{}, make_shape(4, 2))), "1:_6");
  EXPECT_EQ(streamed(complement(Layout<_6, _1>{}, make_shape(4, 3, 5))), "10:_6");
  EXPECT_EQ(streamed(complement(Layout<_6, _1>{}, Shape<_4, _3, _5>{})), "_10:_6");
}

TEST(CuteDivides, StepsNeedNotDivideTheExtent) {
  // The number of steps within an extent is rounded up.
  EXPECT_EQ(streamed(composition(Layout<Shape<_3, _3>, Stride<_3, _1>>{}, Layout<_6, _2>{})), "(_2,_3):(_6,_1)");
  EXPECT_EQ(streamed(composition(Layout<Shape<_6, _4>, Stride<_4, _1>>{}, Layout<_4, _5>{})), "(_2,_2):(_20,_1)");
  EXPECT_EQ(streamed(composition(Layout<Shape<_4, _3>, Stride<_5, Int<20>>>{}, _1{})), "_1:_5");
  EXPECT_EQ(streamed(composition(Layout<Shape<_4, _3>, Stride<_5, Int<20>>>{}, make_tile(_1{}, _1{}))),
            "(_1,_1):(_5,_20)");
  EXPECT_EQ(streamed(composition(Layout<Shape<_4, _3>, Stride<_5, Int<20>>>{}, make_tile(Layout<_1>{}, _1{}))),
            "(_1,_1):(_0,_20)");
  EXPECT_EQ(
      streamed(composition(make_tensor(null, Layout<Shape<_8, Shape<_4, _3>>>{}), make_tile(_4{}, Layout<_2, _4>{}))
                   .layout()),
      "(_4,_2):(_1,_32)");
}

TEST(CuteDivides, ExtentsKnownAtRunTimeNeedNotDivide) {
  auto const columns = make_layout(make_shape(4, 3));
  auto const rows = make_layout(make_shape(4, 3), make_stride(3, 1));
  EXPECT_EQ(streamed(composition(columns, Layout<_6>{})), "(4,1):(_1,4)");
  EXPECT_EQ(streamed(composition(rows, make_layout(6))), "(4,1):(3,1)");
  EXPECT_EQ(streamed(composition(rows, make_layout(5, 3))), "(2,2):(9,1)");
  EXPECT_EQ(streamed(composition(rows, make_layout(make_shape(2, 3), make_stride(1, 2)))),
            "((2,1),(2,1)):((3,1),(6,1))");
  EXPECT_EQ(streamed(composition(make_layout(make_shape(4, 6, 5)), make_layout(make_shape(7, 3), make_stride(5, 2)))),
            "((1,3,2),(2,1,1)):((5,8,24),(2,4,24))");
  auto const block = Layout<Shape<_4, _3>, Stride<_1, _8>>{};
  EXPECT_EQ(streamed(tile_to_shape(block, make_shape(10, 10))), "((_4,(2,1)),(_3,(1,4))):((_1,(_4,_24)),(_8,(12,48)))");
  EXPECT_EQ(streamed(tile_to_shape(block, make_layout(make_shape(10, 10)))),
            streamed(tile_to_shape(block, make_shape(10, 10))));
  EXPECT_EQ(streamed(tile_to_shape(composition(Swizzle<2, 0, 3>{}, block), make_shape(10, 10))),
            "Sw<2,0,3> o _0 o ((_4,(2,1)),(_3,(1,4))):((_1,(_4,_24)),(_8,(12,48)))");
}

TEST(CuteDivides, ProductsRepeatBeyondTheGaps) {
  EXPECT_EQ(streamed(tiled_product(Layout<Shape<_8, _2>, Stride<_3, _1>>{},
                                   Layout<Shape<_4, Shape<_4, _1>, _3>, Stride<_1, Stride<_4, _16>, _16>>{})),
            "((_8,_2),_4,(_4,_1),_3):((_3,_1),_24,(_96,_384),_384)");
  EXPECT_EQ(streamed(zipped_product(Layout<Shape<_4, _6>, Stride<_1, _4>>{}, Layout<Shape<_2, _2>, Stride<_1, _4>>{})),
            "((_4,_6),(_2,_2)):((_1,_4),(_24,_96))");
}

TEST(CuteDivides, CommonLayoutsGoOnBeyondTheSmallerOne) {
  EXPECT_EQ(streamed(max_common_vector(Layout<_6, _1>{}, Layout<_16, _1>{})), "_16");
  EXPECT_EQ(streamed(max_common_layout(Layout<_6, _1>{}, Layout<_16, _1>{})), "_16:_1");
  EXPECT_EQ(streamed(max_common_layout(Layout<Shape<_3, _5>>{}, Layout<Shape<_4, _4>>{})), "_16:_1");
  EXPECT_EQ(streamed(max_common_vector(make_tensor(null, Layout<_2>{}),
                                       make_tensor(null, Layout<Shape<_4, _4>, Stride<_1, _0>>{}))),
            "_4");
  EXPECT_EQ(streamed(max_common_layout(composition(Swizzle<2, 2, 3>{}, Layout<_64>{}), Layout<_8>{})), "_4:_1");
  EXPECT_EQ(streamed(max_common_layout(composition(Swizzle<2, 0, 3>{}, Layout<_64>{}), Layout<_8>{})), "_1:_1");
  EXPECT_EQ(streamed(max_common_layout(Layout<_4>{}, composition(Swizzle<2, 3, 3>{}, Layout<Shape<_8, _32>>{}))),
            "_4:_1");
  EXPECT_EQ(streamed(max_common_layout(composition(Swizzle<2, 3, 3>{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{}),
                                       Layout<Shape<_8, _32>, Stride<_32, _1>>{})),
            "_8:_8");
  EXPECT_EQ(streamed(max_common_vector(composition(Swizzle<2, 2, 3>{}, Layout<_64>{}), Layout<_512>{})), "_4");
  EXPECT_EQ(streamed(max_common_vector(composition(Swizzle<2, 3, 3>{}, Layout<Shape<_8, _32>>{}),
                                       composition(Swizzle<2, 2, 3>{}, Layout<_64>{}))),
            "_4");
}

TEST(CuteDivides, ExtentsOfWideElementsAreRoundedUp) {
  EXPECT_EQ(streamed(upcast<2>(Layout<_3, _1>{})), "_2:_1");
  EXPECT_EQ(streamed(upcast<4>(Layout<Shape<_6, _3>, Stride<_1, _2>>{})), "(_2,_2):(_1,_1)");
  EXPECT_EQ(streamed(upcast<3>(Layout<_8, Int<-1>>{})), "_3:_-1");
  EXPECT_EQ(streamed(upcast<4>(make_layout(3, _2{}))), "2:_1");
  EXPECT_EQ(streamed(recast_layout<uint16_t, uint32_t>(Layout<Shape<_3, _4>, Stride<_1, _0>>{})), "(_2,_4):(_1,_0)");
}

TEST(CuteDivides, ListsOfModesTakeComposedLayoutsAsOneEntry) {
  EXPECT_EQ(streamed(append(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}), Layout<_2, _7>{})),
            "(Sw<2,0,3> o _0 o (_8,_8):(_1,_8),_2:_7)");
  EXPECT_EQ(streamed(append<3>(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}), Layout<_2, _7>{})),
            "Sw<2,0,3> o _0 o (_8,_8,_2):(_1,_8,_7)");
  EXPECT_EQ(streamed(prepend(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}), Layout<_2, _7>{})),
            "(_2:_7,Sw<2,0,3> o _0 o (_8,_8):(_1,_8))");
  EXPECT_EQ(streamed(prepend<3>(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}), Layout<_2, _7>{})),
            "(_2:_7,_2:_7,Sw<2,0,3> o _0 o (_8,_8):(_1,_8))");
  EXPECT_EQ(streamed(select<1, 0>(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _4>>{}))),
            "(Sw<2,0,3> o _0 o _4:_8,Sw<2,0,3> o _0 o _8:_1)");
  EXPECT_EQ(streamed(take<0, 1>(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _4>>{}))),
            "Sw<2,0,3> o _0 o (_8):(_1)");
  EXPECT_EQ(streamed(replace<0>(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}), Layout<_2, _7>{})), "_2:_7");
  EXPECT_EQ(streamed(zip(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}))),
            "Sw<2,0,3> o _0 o ((_8,_8)):((_1,_8))");
  EXPECT_EQ(
      streamed(right_inverse(make_composed_layout(Swizzle<2, 0, 3>{}, _8{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{}))),
      "(_8,_8):(_8,_1) o _-8 o Sw<2,0,3>");
  EXPECT_EQ(streamed(left_inverse(composition(Layout<Shape<_4, _4>, Stride<_4, _1>>{}, _2{}, Layout<Shape<_2, _8>>{}))),
            "_16:_1 o _-2 o (_4,_4):(_4,_1)");
}

TEST(CuteDivides, ProfilesOfLayoutsAreThoseOfTheirShapes) {
  EXPECT_EQ(streamed(weakly_congruent(Layout<Shape<_4, _2>>{}, Layout<Shape<_3, _3, _3>>{})), "_0");
  EXPECT_EQ(streamed(weakly_congruent(Layout<Shape<_4, _2>>{}, Layout<Shape<_4, Shape<_2, _2>>>{})), "_1");
  EXPECT_EQ(streamed(weakly_congruent(Shape<_4, _2>{}, Layout<Shape<_4, _2>>{})), "_1");
}

TEST(CuteDivides, IntegersAreTuplesOfOne) {
  EXPECT_EQ(streamed(ceil_div(_64{}, Shape<_2, _3>{})), "_11");
  EXPECT_EQ(streamed(ceil_div(_64{}, make_shape(1, _2{}, make_shape(_3{}, 4)))), "3");
  EXPECT_EQ(streamed(ceil_div(64, make_shape(5))), "13");
  EXPECT_EQ(streamed(gcd(_5{})), "_5");
  EXPECT_EQ(streamed(as_arithmetic_tuple(_5{})), "_5");
  EXPECT_EQ(streamed(as_arithmetic_tuple(_5{}) + as_arithmetic_tuple(_3{})), "_8");
}

TEST(CuteDivides, FragmentsOfRunTimeExtentsAreFlat) {
  EXPECT_EQ(streamed(make_fragment_like(make_layout(make_shape(8, _8{}), make_stride(_8{}, _1{})))), "(8,_8):(_1,8)");
  EXPECT_EQ(streamed(make_fragment_like(make_layout(make_shape(_4{}, 3), make_stride(5, 1)))), "(_4,3):(_1,_4)");
  EXPECT_EQ(streamed(make_fragment_like(make_layout(make_shape(_4{}, _3{}), make_stride(5, 1)))),
            "(_4,(_3)):(_1,(_4))");
}

// Tiles without elements, which programs have in branches that never run.
TEST(CuteDivides, ByTilesWithoutElements) {
  int data[12] = {};
  auto const none = make_tensor(&data[0], make_layout(make_shape(_0{}, 12), make_stride(12, _1{})));
  auto const tile = local_tile(none, make_shape(_0{}, _4{}), make_coord(_0{}, 2));
  static_assert(std::is_same_v<decltype(shape(tile)), Shape<_0, _4>>);
  auto const fragment = make_tensor<int>(make_shape(size<0>(tile)));
  static_assert(decltype(size(fragment))::value == 0);
  static_assert(decltype(size(logical_divide(Layout<_12>{}, _0{})))::value == 0);
}

}  // namespace
