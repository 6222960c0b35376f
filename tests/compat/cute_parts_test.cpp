// Tuples, composed layouts and fragments as CuTe 4 makes and prints them. The expected texts are those that CuTe prints.
#include "printed.hpp"

#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <sstream>
#include <string>

using namespace cute;

namespace {

using tilewright::tests::printed;

template <class L>
std::string grid_of(L const& layout) {
  testing::internal::CaptureStdout();
  print_layout(layout);
  return testing::internal::GetCapturedStdout();
}
template <class L>
auto tensor_of(L const& layout) {
  return make_tensor(static_cast<float*>(nullptr), layout);
}
template <class L>
std::string fragment_of(L const& layout) {
  return printed(make_fragment_like(tensor_of(layout)).layout());
}

TEST(CuteParts, SlicesOfTuplesAreFlat) {
  auto const t = make_tuple(1, make_tuple(2, 3), make_tuple(make_tuple(4, 5), 6));
  EXPECT_EQ(printed(slice(make_tuple(_, make_tuple(_, 0), 0), t)), "(1,2)");
  EXPECT_EQ(printed(slice(make_tuple(0, make_tuple(_, 0), make_tuple(make_tuple(_, 0), _)), t)), "(2,4,6)");
  EXPECT_EQ(printed(slice(make_tuple(0, _, make_tuple(_, _)), t)), "((2,3),(4,5),6)");
  EXPECT_EQ(printed(slice(make_tuple(0, 0, make_tuple(make_tuple(0, 0), 0)), t)), "()");
  EXPECT_EQ(printed(dice(make_tuple(0, make_tuple(_, 0), make_tuple(make_tuple(_, 0), _)), t)), "(1,3,5)");
}

TEST(CuteParts, TuplesOfNoEntriesAndOfNumbers) {
  auto const s = make_tuple(_2{}, _3{}, _1{}, _4{});
  EXPECT_EQ(printed(replace<0>(5, _9{})), "_9");
  EXPECT_EQ(printed(group<2, 2>(s)), "(_2,_3,_1,_4)");
  EXPECT_EQ(printed(group<0, 0>(Layout<Shape<_2, _3>>{})), "(_2,_3):(_1,_2)");
  EXPECT_EQ(printed(zip(Shape<_1, _2>{}, Shape<_3, _4>{}, Shape<_5, _6>{})), "((_1,_3,_5),(_2,_4,_6))");
  EXPECT_EQ(printed(filter_zeros(make_tuple(_0{}, 3, make_tuple(_0{}, _4{})), make_tuple(8, 9, make_tuple(10, 11)))),
            "(_1,9,(_1,11))");
  EXPECT_EQ(printed(filter_zeros(make_tuple(_0{}, _2{}), make_tuple(make_tuple(3, 4), 5))), "((_1,_1),5)");
  EXPECT_EQ(printed(filter_zeros(make_tuple(_0{}, _2{}))), "(_1,_2)");
}

TEST(CuteParts, OrdersOfTuples) {
  EXPECT_TRUE(elem_geq(make_tuple(1, 3), make_tuple(2, 3)));
  EXPECT_FALSE(elem_gtr(make_tuple(_2{}, 2), make_tuple(_1{}, 2)));
  EXPECT_TRUE(elem_leq(make_tuple(_2{}, 2), make_tuple(_1{}, 2)));
  EXPECT_EQ(printed(elem_leq(make_tuple(1, 2), make_tuple(1, 2, 3))), "_1");
  EXPECT_EQ(printed(elem_less(make_tuple(_1{}, _2{}), make_tuple(_2{}, _3{}))), "_1");
  EXPECT_EQ(printed(elem_less(make_tuple(_1{}, 2), make_tuple(_1{}, _3{}))), "_0");
  EXPECT_EQ(printed(elem_less(make_tuple(1, 2, 3), make_tuple(2, 3))), "_0");
  EXPECT_EQ(printed(elem_less(make_tuple(1, make_tuple(1, 2)), make_tuple(2, make_tuple(2)))), "_0");
  EXPECT_EQ(printed(elem_gtr(make_tuple(1, 2), make_tuple(2, 3, 4))), "_0");
  EXPECT_EQ(printed(elem_geq(make_tuple(1, 2, 3), make_tuple(2, 3))), "_1");
  EXPECT_EQ(printed(lex_less(make_tuple(_2{}, 2), make_tuple(_1{}, 3))), "_0");
  EXPECT_EQ(printed(colex_less(make_tuple(_1{}, _2{}), make_tuple(_1{}, _3{}))), "_1");
  EXPECT_TRUE(lex_less(make_tuple(1), make_tuple(1, 2)));
  EXPECT_FALSE(colex_less(make_tuple(3), make_tuple(1, 2)));
  EXPECT_TRUE(lex_less(make_tuple(1, make_tuple(4, 9)), make_tuple(1, make_tuple(5, 2))));
}

TEST(CuteParts, CoordinatesSubtract) {
  EXPECT_EQ(printed(make_arithmetic_tuple(_1{}, 2) - make_arithmetic_tuple(1, 1)), "(0,1)");
  EXPECT_EQ(printed(-make_arithmetic_tuple(_1{}, 2)), "(_-1,-2)");
  EXPECT_EQ(printed(E<0>{} + _0{}), "_1@0");
  EXPECT_EQ(printed(make_coord_tensor(make_layout(make_shape(4, 3)))), "ArithTuple_0 o (4,3):(_1,4)");
}

TEST(CuteParts, AlignmentOfTensorsIsInBits) {
  EXPECT_EQ(printed(max_alignment(tensor_of(Layout<Shape<_8, _4>, Stride<_1, _12>>{}))), "_128");
  EXPECT_EQ(printed(max_alignment(tensor_of(make_layout(make_shape(_8{}, 4))))), "_256");
  EXPECT_EQ(printed(max_alignment(make_tensor(
                make_smem_ptr(make_swizzle_ptr(static_cast<half_t*>(nullptr), Swizzle<3, 4, 3>{})), Layout<_64>{}))),
            "_128");
  EXPECT_EQ(printed(max_alignment(make_composed_layout(Layout<_16>{}, _4{}, Layout<Shape<_2, _4>>{}))), "_1");
  EXPECT_EQ(printed(make_tensor_like<half_t>(Layout<Shape<_2, _3, _4>, Stride<_1, _5, _5>>{}).layout()),
            "(_2,_3,_4):(_1,_2,_2)");
}

TEST(CuteParts, SwizzlesOfOneShiftCompose) {
  EXPECT_EQ(printed(composition(Swizzle<2, 0, 3>{}, Swizzle<1, 0, 3>{})), "Sw<1,1,3>");
  EXPECT_EQ(printed(composition(Swizzle<1, 0, 3>{}, Swizzle<1, 1, 3>{})), "Sw<2,0,3>");
  EXPECT_EQ(printed(composition(Swizzle<1, 2, 3>{}, Swizzle<2, 0, 3>{})), "Sw<3,0,3>");
  EXPECT_EQ(printed(composition(Swizzle<1, 0, -3>{}, Swizzle<1, 1, -3>{})), "Sw<2,0,-3>");
  EXPECT_EQ(printed(composition(Swizzle<2, 0, 3>{}, Swizzle<2, 0, 3>{})), "Sw<0,0,0>");
  EXPECT_EQ(printed(composition(Swizzle<0, 4, 3>{}, Swizzle<2, 0, 3>{})), "Sw<2,0,3>");
  EXPECT_EQ(printed(make_swizzle<0, 0>()), "Sw<0,0,0>");
}

TEST(CuteParts, WideElementsLoseTheSwizzleInsideOfThem) {
  auto const rows = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  auto const bits = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{});
  EXPECT_EQ(printed(upcast<4>(Swizzle<2, 1, 3>{})), "Sw<1,0,3>");
  EXPECT_EQ(printed(upcast<8>(rows)), "Sw<3,0,3> o _0 o (_8,_8):(_8,_1)");
  EXPECT_EQ(printed(upcast<16>(rows)), "Sw<2,0,3> o _0 o (_8,_4):(_4,_1)");
  EXPECT_EQ(printed(upcast<128>(rows)), "Sw<0,0,3> o _0 o (_4,_1):(_1,_1)");
  EXPECT_EQ(printed(upcast<2>(bits)), "Sw<1,0,3> o _0 o (_4,_8):(_1,_4)");
  EXPECT_EQ(printed(recast_layout<half_t, uint128_t>(bits)), "Sw<0,0,3> o _0 o (_1,_8):(_1,_1)");
}

TEST(CuteParts, LayoutsAfterAnOffset) {
  auto const a = Layout<Shape<_4, _4>, Stride<_4, _1>>{};
  auto const fixed = composition(a, _2{}, Layout<Shape<_2, _4>>{});
  EXPECT_EQ(printed(fixed), "(_4,_4):(_4,_1) o _2 o (_2,_4):(_1,_2)");
  EXPECT_EQ(printed(composition(a, 2, Layout<Shape<_2, _8>>{})), "(_4,_4):(_4,_1) o 2 o (_2,_8):(_1,_2)");
  EXPECT_EQ(printed(cosize(fixed)), "_8");
  EXPECT_EQ(printed(upcast<2>(fixed)), "(_4,_2):(_2,_1) o _1 o (_1,_4):(_1,_1)");
  EXPECT_EQ(printed(downcast<2>(fixed)), "(_4,_8):(_8,_1) o _4 o (_4,_4):(_1,_4)");
  EXPECT_EQ(printed(recast_layout<half_t, float>(
                make_composed_layout(Layout<Shape<_4, _4>, Stride<_1, _16>>{}, _0{}, Layout<Shape<_4, _4>>{}))),
            "(_2,_4):(_1,_8) o _0 o (_2,_4):(_1,_2)");
  auto const swizzled = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{});
  auto const three = composition(swizzled, _2{}, Layout<Shape<_2, _8>>{});
  EXPECT_EQ(printed(three), "Sw<2,0,3> o _0 o (_8,_8):(_1,_8) o _2 o (_2,_8):(_1,_2)");
  EXPECT_EQ(printed(cosize<1>(three)), "_15");
  EXPECT_EQ(printed(upcast<2>(three)), "Sw<1,0,3> o _0 o (_4,_8):(_1,_4) o _1 o (_1,_8):(_1,_1)");
  EXPECT_EQ(printed(composition(Swizzle<2, 0, 3>{}, _2{}, swizzled)),
            "Sw<2,0,3> o _2 o Sw<2,0,3> o _0 o (_8,_8):(_1,_8)");
}

TEST(CuteParts, RunTimeLayoutsAfterAnOffsetKeepTheirStrides) {
  auto const a =
      make_composed_layout(make_layout(make_shape(4, 4), make_stride(8, 1)), 1, make_layout(make_shape(2, 4)));
  EXPECT_EQ(printed(a(_, 1)), "(4,4):(8,1) o 3 o (2):(_1)");
  EXPECT_EQ(a(3), 1);
  EXPECT_EQ(a(1, 2), 17);
  EXPECT_EQ(grid_of(a),
            "(4,4):(8,1) o 1 o (2,4):(_1,2)\n"
            "      0   1   2   3 \n"
            "    +---+---+---+---+\n"
            " 0  | 8 | 24 | 9 | 25 |\n"
            "    +---+---+---+---+\n"
            " 1  | 16 | 1 | 17 | 2 |\n"
            "    +---+---+---+---+\n");
  auto const after_swizzle = composition(make_layout(make_shape(8, 8), make_stride(8, 1)),
                                         composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}));
  EXPECT_EQ(after_swizzle(1, 1), 1);  // 9 is moved to 8, coordinate (0,1)
}

TEST(CuteParts, MeasuresOfSwizzledLayoutsAreThoseBelow) {
  auto const rows = composition(Swizzle<3, 3, 3>{}, _8{}, Layout<Shape<_8, _32>, Stride<_32, _1>>{});
  EXPECT_EQ(printed(cosize(rows)), "_256");
  EXPECT_EQ(printed(cosize<1>(rows)), "_32");
  EXPECT_EQ(cosize_v<decltype(rows)>, 256);
  EXPECT_EQ(printed(max_common_vector(rows, rows)), "_256");
  EXPECT_EQ(printed(max_common_vector(rows, rows.layout_b())), "_8");
  auto const tile = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{});
  EXPECT_EQ(printed(tile.tile(_4{}, _2{})), "Sw<2,0,3> o _0 o ((_4,_2),_2,_4):((_1,_8),_4,_16)");
  EXPECT_EQ(grid_of(composition(Swizzle<3, 4, 3>{}, Layout<Shape<_2, _2>, Stride<_16, _1>>{})),
            "Sw<3,4,3> o _0 o (_2,_2):(_16,_1)\n"
            "       0    1 \n"
            "    +----+----+\n"
            " 0  |  0 |  1 |\n"
            "    +----+----+\n"
            " 1  | 16 | 17 |\n"
            "    +----+----+\n");
}

TEST(CuteParts, FragmentsShareRegistersOfEqualStrides) {
  EXPECT_EQ(fragment_of(Layout<Shape<_2, _3, _4>, Stride<_1, _5, _5>>{}), "(_2,_3,_4):(_1,_2,_2)");
  EXPECT_EQ(fragment_of(Layout<Shape<_2, _3, _4>, Stride<_5, _1, _5>>{}), "(_2,_3,_4):(_1,_2,_6)");
  EXPECT_EQ(fragment_of(Layout<Shape<_2, _3, _4>, Stride<_0, _0, _0>>{}), "(_2,_3,_4):(_0,_1,_1)");
  EXPECT_EQ(fragment_of(Layout<Shape<_2, _3, _4, _5>, Stride<_1, _0, _5, _0>>{}), "(_2,_3,_4,_5):(_1,_2,_30,_2)");
  EXPECT_EQ(fragment_of(Layout<Shape<_2, Shape<_3, _4>>, Stride<_1, Stride<_2, _2>>>{}),
            "(_2,((_3,_4))):(_1,((_2,_2)))");
  EXPECT_EQ(fragment_of(Layout<Shape<Shape<_2, _2>, _3, _4>, Stride<Stride<_4, _4>, _6, _6>>{}),
            "((_2,_2),_3,_4):((_1,_2),_4,_4)");
  EXPECT_EQ(fragment_of(make_layout(Shape<_2, _3, _4, _2>{}, make_stride(_1{}, 5, _0{}, _7{}))),
            "(_2,_3,_4,_2):(_1,_16,_2,_8)");
  EXPECT_EQ(fragment_of(make_layout(Shape<_2, _3, _4>{}, make_stride(_1{}, 5, 5))), "(_2,_3,_4):(_1,_2,_6)");
  EXPECT_EQ(fragment_of(Layout<Shape<_4>, Stride<_0>>{}), "(_4):(_1)");
  EXPECT_EQ(fragment_of(Layout<_4, _0>{}), "_4:_1");
}

TEST(CuteParts, AxpbyAsksAFunction) {
  float x[4] = {1, 2, 3, 4}, y[4] = {10, 20, 30, 40};
  axpby(2.0F, make_tensor(&x[0], _4{}), 1.0F, make_tensor(&y[0], _4{}), [](auto i) { return i % 2 == 0; });
  EXPECT_EQ(y[0], 12);
  EXPECT_EQ(y[1], 20);
  EXPECT_EQ(y[2], 36);
  EXPECT_EQ(y[3], 40);
}

TEST(CuteParts, PrintsTransformedTensorsAndCoordinatesOfNumbers) {
  int x[2] = {3, 4};
  auto const squares = lazy::transform(make_tensor(&x[0], _2{}), [](auto v) { return v * v; });
  EXPECT_EQ(printed(squares).substr(0, 15), "trans_ptr[32b](");
  testing::internal::CaptureStdout();
  print_tensor(make_identity_tensor(_2{}));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "ArithTuple_0 o _2:_1:\n    0\n    1\n");
}

}  // namespace
