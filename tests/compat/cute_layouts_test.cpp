// Layouts and tensors as CuTe 4 makes and prints them, where the rules are CuTe's own: run-time strides in an upcast, equal
// orders, products of rank 1, layouts below a swizzle, pointers. The expected texts are those that CuTe prints.
#include "printed.hpp"

#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <cstdint>
#include <sstream>
#include <string>

using namespace cute;

namespace {

template <class T>
std::string streamed(T const& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}
using tilewright::tests::printed;

TEST(CuteLayouts, UpcastsRoundRunTimeStridesDown) {
  EXPECT_EQ(streamed(upcast<4>(make_layout(make_shape(8, 4), make_stride(1, 8)))), "(8,4):(0,2)");
  EXPECT_EQ(streamed(upcast<4>(make_layout(make_shape(_8{}, _4{}), make_stride(8, 1)))), "(_8,_4):(2,0)");
  EXPECT_EQ(streamed(upcast<4>(make_layout(_8{}, 2))), "_8:0");
  EXPECT_EQ(streamed(upcast<4>(make_layout(make_shape(_8{}, 4), make_stride(_1{}, 8)))), "(_2,4):(_1,2)");
  EXPECT_EQ(streamed(recast_layout<std::uint16_t, std::uint64_t>(make_layout(make_shape(8, 4), make_stride(1, 8)))),
            "(8,4):(0,2)");
}

TEST(CuteLayouts, FlatCoordinatesOfOneModeAreNumbers) {
  EXPECT_EQ(make_layout(make_shape(8), make_stride(2)).get_flat_coord(6), 3);
  EXPECT_EQ(make_layout(make_shape(make_shape(8, 2)), make_stride(make_stride(2, 16))).get_flat_coord(6), 3);
  EXPECT_EQ(make_layout(8, 2).get_flat_coord(6), 3);
  EXPECT_TRUE(make_layout(make_shape(4, 2)).get_flat_coord(6) == make_coord(2, 1));
}

TEST(CuteLayouts, ProductsOfOneModeKeepTheTuple) {
  EXPECT_EQ(streamed(tile_to_shape(Layout<_4>{}, Shape<_16>{})), "((_4,(_4))):((_1,(_4)))");
  EXPECT_EQ(streamed(tile_to_shape(Layout<_4>{}, _16{})), "((_4,(_4))):((_1,(_4)))");
  EXPECT_EQ(streamed(tile_to_shape(Layout<Shape<_4>>{}, Shape<_16>{})), "((_4,_4)):((_1,_4))");
  EXPECT_EQ(streamed(tile_to_shape(Layout<_4>{}, 16)), "((_4,(4))):((_1,(_4)))");
  EXPECT_EQ(streamed(blocked_product(Layout<_4>{}, Layout<Shape<_3>>{})), "((_4,(_3))):((_1,(_4)))");
  EXPECT_EQ(streamed(raked_product(Layout<Shape<_4>>{}, Layout<_3>{})), "((_3,(_4))):((_4,(_1)))");
  EXPECT_EQ(streamed(blocked_product(Layout<_4>{}, Layout<_3>{})), "((_4,_3)):((_1,_4))");
}

TEST(CuteLayouts, EqualOrdersShareAStride) {
  using Two = Shape<_2, Shape<_3, _4>>;
  using Three = Shape<_2, _3, _4>;
  EXPECT_EQ(streamed(make_ordered_layout(Three{}, Step<_1, _1, _1>{})), "(_2,_3,_4):(_1,_1,_1)");
  EXPECT_EQ(streamed(make_ordered_layout(Three{}, Step<_1, _2, _1>{})), "(_2,_3,_4):(_1,_8,_1)");
  EXPECT_EQ(streamed(make_ordered_layout(make_shape(2, 3, 4), Step<_2, _1, _2>{})), "(2,3,4):(3,_1,3)");
  EXPECT_EQ(streamed(make_ordered_layout(Two{}, Step<_1, _1>{})), "(_2,(_3,_4)):(_1,(_1,_3))");
  EXPECT_EQ(streamed(make_ordered_layout(Two{}, Step<_2, Step<_1, _2>>{})), "(_2,(_3,_4)):(_3,(_1,_3))");
  EXPECT_EQ(streamed(make_ordered_layout(Three{}, make_step(3, 3, 2))), "(_2,_3,_4):(_1,_2,_6)");
  EXPECT_EQ(streamed(make_ordered_layout(make_shape(2, make_shape(3, 4)), LayoutRight{})), "(2,(3,4)):(12,(4,_1))");
  EXPECT_EQ(streamed(compact_order(Shape<_2, Shape<_3, _4>, _5>{}, Step<_1, _0, _1>{})), "(_12,(_1,_3),_12)");
  EXPECT_EQ(streamed(compact_order(Three{}, make_step(5, _9{}, _9{}))), "(_12,_1,_1)");
  EXPECT_EQ(streamed(tile_to_shape(Layout<Shape<_4, _2>>{}, Shape<_8, _4>{}, Step<_1, _1>{})),
            "((_4,_2),(_2,_2)):((_1,_8),(_4,_8))");
  auto const equal = make_layout(make_shape(_2{}, _3{}, _4{}), make_stride(_2{}, _2{}, _1{}));
  EXPECT_EQ(streamed(make_layout_like(equal)), "(_2,_3,_4):(_4,_4,_1)");
  EXPECT_EQ(streamed(make_layout_like(make_layout(make_shape(2, 3, 4), make_stride(1, 1, 5)))), "(2,3,4):(_1,2,6)");
  // The library's own order takes equals left to right, so that no two elements share an offset.
  EXPECT_EQ(streamed(tilewright::make_ordered_layout(Three{}, Step<_1, _1, _1>{})), "(_2,_3,_4):(_1,_2,_6)");
}

TEST(CuteLayouts, TensorsMovedToACoordinateKeepTheirSwizzle) {
  auto const swizzled = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{});
  int data[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  auto const whole = make_tensor(&data[0], swizzled);
  auto const moved = domain_offset(make_coord(1, 2), whole);
  for (int m = 0; m < 7; ++m)
    for (int n = 0; n < 6; ++n) EXPECT_EQ(moved(m, n), whole(m + 1, n + 2)) << m << ' ' << n;
  EXPECT_EQ(streamed(moved.layout()), "Sw<2,0,3> o 10 o (_8,_8):(_8,_1)");
  EXPECT_EQ(printed(domain_offset(make_coord(_1{}, _2{}), swizzled)), "(Sw<2,0,3> o _10 o (_8,_8):(_8,_1),_0)");
  EXPECT_EQ(printed(domain_offset(make_coord(1, 2), Layout<Shape<_8, _8>>{})), "((_8,_8):(_1,_8),17)");
}

TEST(CuteLayouts, SwizzledLayoutsAnswerAsTheLayoutBelow) {
  auto const swizzled = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{});
  auto const two = make_composed_layout(Layout<Shape<_4, _4>, Stride<_4, _1>>{}, _0{}, Layout<Shape<_2, _8>>{});
  EXPECT_EQ(streamed(filter_zeros(swizzled)), "Sw<2,0,3> o _0 o (_8,_8):(_1,_8)");
  EXPECT_EQ(streamed(complement(swizzled)), "_1:_0");
  EXPECT_EQ(streamed(complement(swizzled, _256{})), "_4:_64");
  EXPECT_EQ(streamed(nullspace(swizzled)), "_1:_0");
  EXPECT_EQ(streamed(left_inverse(swizzled)), "Sw<2,0,3> o _0 o _64:_1");
  EXPECT_EQ(streamed(right_inverse(two)), "_16:_1 o _0 o (_4,_4):(_4,_1)");
  EXPECT_EQ(streamed(left_inverse(two)), "_16:_1 o _0 o (_4,_4):(_4,_1)");
  EXPECT_EQ(streamed(composition(Swizzle<0, 4, 3>{}, Layout<_8>{})), "_8:_1");
  EXPECT_EQ(streamed(composition(Swizzle<0, 4, 3>{}, _0{}, Layout<_8>{})), "_8:_1");
  EXPECT_EQ(streamed(cosize(make_identity_layout(make_shape(32, _64{})))), "2048");
  auto const sparse = make_layout(make_shape(_4{}, _8{}), make_stride(_2{} * E<0>{}, E<1>{}));
  EXPECT_EQ(streamed(cosize(sparse)), "_56");
  EXPECT_EQ(streamed(composition(Swizzle<0, 4, 3>{}, _8{}, Layout<_8>{})), "Sw<0,4,3> o _8 o _8:_1");
  EXPECT_EQ(streamed(make_fragment_like(swizzled)), "(_8,(_8)):(_1,(_8))");
  EXPECT_TRUE(decltype(congruent(swizzled, swizzled))::value);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(left_inverse(swizzled)(swizzled(i)), i);
}

TEST(CuteLayouts, SlicesOfSwizzledLayoutsHaveTheSwizzleInTheirStrides) {
  auto const columns = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{});
  auto const rows = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, Shape<_8, _8>>, Stride<_8, Stride<_1, _64>>>{});
  EXPECT_EQ(printed(columns(_, _1{})), "((_2,_4)):((_-1,_2))");
  EXPECT_EQ(printed(columns(_, 3)), "((_2,_2,_2)):((-1,-2,_4))");
  EXPECT_EQ(printed(columns(2, _)), "((_2,_2,_2)):((9,14,_32))");
  EXPECT_EQ(printed(columns(_, _)), "Sw<2,0,3> o _0 o (_8,_8):(_1,_8)");
  EXPECT_EQ(printed(rows(_2{}, _)), "((_8,(_2,_2,_2))):((_1,(_72,_112,_288)))");
  EXPECT_EQ(printed(rows(_, make_coord(_, 1))), "((_2,_2,_2),_8):((-8,16,32),_1)");
  EXPECT_EQ(printed(slice(make_coord(3, make_coord(_, 1)), rows)), "(_8):(_1)");
  EXPECT_EQ(printed(slice_and_offset(make_coord(_, 3), columns)), "(((_2,_2,_2)):((-1,-2,_4)),27)");
  auto const moved = make_composed_layout(Swizzle<2, 0, 3>{}, _16{}, Layout<Shape<_8, _2>>{});
  EXPECT_EQ(printed(moved(_, 1)), "((_2,_2,_2)):((-1,_-2,_4))");
  // Bits 3 and 0 vary, and bit 3 flips bit 0: no strides do that.
  auto const bits = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_2, _4, _2>>{});
  EXPECT_EQ(printed(bits(_, _0{}, _)), "Sw<2,0,3> o _0 o (_2,_2):(_1,_8)");
}

TEST(CuteLayouts, SlicesOfSwizzledLayoutsHaveTheOffsetsOfTheWhole) {
  auto const check = [](auto const& whole) {
    for (int fixed = 0; fixed < 8; ++fixed) {
      auto const column = slice_and_offset(make_coord(_, fixed), whole);
      auto const row = slice_and_offset(make_coord(fixed, _), whole);
      for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(get<1>(column) + get<0>(column)(i), whole(i, fixed)) << fixed << ' ' << i;
        EXPECT_EQ(get<1>(row) + get<0>(row)(i), whole(fixed, i)) << fixed << ' ' << i;
      }
    }
  };
  check(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}));
  check(composition(Swizzle<3, 0, 3>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{}));
  check(composition(Swizzle<2, 1, -3>{}, Layout<Shape<_8, _8>>{}));
  check(composition(Swizzle<1, 1, 1>{}, Layout<Shape<_8, _8>>{}));
  check(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>, Stride<_9, _1>>{}));
  check(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>, Stride<_4, _0>>{}));
  check(make_composed_layout(Swizzle<2, 0, 3>{}, _5{}, Layout<Shape<_8, _8>, Stride<_16, _1>>{}));
  check(make_composed_layout(Swizzle<2, 0, 3>{}, 5, Layout<Shape<_8, _8>>{}));
  check(composition(Swizzle<2, 0, 3>{}, make_layout(make_shape(8, 8))));
}

TEST(CuteLayouts, SlicesOfSwizzledTensorsHaveTheSwizzleInTheirStrides) {
  alignas(128) half_t elements[512];
  auto const tile = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  Tensor const whole = make_tensor(make_smem_ptr(&elements[0]), tile);
  int const i = 5;
  EXPECT_EQ(streamed(whole(_, 0).layout()), "((_2,_2,_2)):((72,144,288))");
  EXPECT_EQ(streamed(whole(_, 8).layout()), "((_2,_2,_2)):((56,144,288))");
  EXPECT_EQ(streamed(whole(i, _).layout()), "((_8,_2,_2,_2)):((_1,-8,16,-32))");
  EXPECT_EQ(streamed(whole(_, _).layout()), streamed(tile));
  EXPECT_EQ(printed(make_tensor(counting_iterator<int>{0}, tile)(1, _)),
            "counting_iter(72) o ((_8,_2,_2,_2)):((_1,-8,16,32))");
  for (int m = 0; m < 8; ++m)
    for (int n = 0; n < 64; ++n) {
      ASSERT_EQ(&whole(m, _)(n), &whole(m, n));
      ASSERT_EQ(&whole(_, n)(m), &whole(m, n));
    }
  Tensor const floats =
      make_tensor(counting_iterator<int>{0}, composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{}));
  EXPECT_EQ(streamed(floats(_, 1).layout()), "((_2,_2,_2)):((-1,2,_4))");
  EXPECT_EQ(streamed(floats(3, _).layout()), "((_2,_2,_2)):((7,14,_32))");
}

TEST(CuteLayouts, TensorsOfRegistersAreAlignedForVectors) {
  static_assert(alignof(decltype(make_tensor<half_t>(Shape<_3>{}))) == 16);
  static_assert(sizeof(decltype(make_tensor<half_t>(Shape<_3>{}))) == 16);
  static_assert(sizeof(decltype(make_tensor<int4_t>(Shape<_5>{}))) == 3);
  static_assert(alignof(decltype(make_fragment_like<float>(Layout<Shape<_3, _2>>{}))) == 16);
}

TEST(CuteLayouts, PointersToRegistersPrintWithoutASpace) {
  EXPECT_EQ(printed(make_rmem_ptr(static_cast<half_t*>(nullptr))).substr(0, 9), "ptr[16b](");
  EXPECT_EQ(printed(make_rmem_ptr<int4_t>(static_cast<std::uint8_t*>(nullptr))).substr(0, 11), "subptr[4b](");
  EXPECT_EQ(printed(array<int, 3>{{1, 2, 3}}), "(1,2,3)");
  EXPECT_EQ(printed(R<1, 2>{}), "_1/_2");
  EXPECT_EQ(printed(make_fragment_like<float>(make_shape(_2{}, _3{})).layout()), "(_2,_3):(_1,_2)");
}

TEST(CuteLayouts, TensorMemoryMayRepeatColumns) {
  auto const tensor = make_tensor(make_tmem_ptr<float>(0), Layout<Shape<_128, _32, _2>, Stride<_65536, _1, _0>>{});
  EXPECT_EQ(printed(make_tmem_copy(SM100_TMEM_LOAD_32dp32b1x{}, tensor)).substr(0, 106),
            "TiledCopy\n  Tiler_MN:       ((_4,_32):(_32,_1),_1:_0,_1:_0)\n"
            "  TiledLayout_TV: ((_32,_4),_32):((_0,_1),_4)\n");
  auto const repeated = make_tensor(make_tmem_ptr<float>(0), Layout<Shape<_128, _32>, Stride<_65536, _0>>{});
  EXPECT_EQ(printed(make_tmem_copy(SM100_TMEM_LOAD_32dp32b1x{}, repeated)).substr(0, 54),
            "TiledCopy\n  Tiler_MN:       ((_4,_32):(_32,_1),_1:_0)\n");
}

TEST(CuteLayouts, ComposedLayoutsCompareEveryPart) {
  auto const tile = make_layout(make_shape(8, _8{}));
  auto const swizzled = composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>>{});
  EXPECT_TRUE(swizzled == composition(Swizzle<2, 0, 3>{}, 0, tile));
  EXPECT_TRUE(composition(Swizzle<2, 0, 3>{}, _1{}, tile) == composition(Swizzle<2, 0, 3>{}, 1, tile));
  EXPECT_TRUE(composition(Swizzle<2, 0, 3>{}, 0, tile) != composition(Swizzle<2, 0, 3>{}, _1{}, tile));
  EXPECT_TRUE(swizzled != composition(Swizzle<2, 1, 3>{}, Layout<Shape<_8, _8>>{}));
  static_assert(!decltype(swizzled == Layout<Shape<_8, _8>>{})::value &&
                decltype(Swizzle<2, 0, 3>{} != Swizzle<2, 1, 3>{})::value);
  auto const rows = Layout<Shape<_4, _16>, Stride<_16, _1>>{};
  auto const constant = make_composed_layout(rows, make_arithmetic_tuple(_1{}, _2{}), swizzled);
  EXPECT_TRUE(constant == make_composed_layout(rows, make_arithmetic_tuple(1, 2), swizzled));
  EXPECT_FALSE(constant == make_composed_layout(rows, make_arithmetic_tuple(_1{}, _3{}), swizzled));
  EXPECT_FALSE(constant == make_composed_layout(rows, make_arithmetic_tuple(_1{}, _2{}), Layout<Shape<_8, _8>>{}));
}

}  // namespace
