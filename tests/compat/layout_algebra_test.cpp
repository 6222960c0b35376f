// Layout algebra as code for CuTe writes it: whole expressions with the results that CuTe's documentation gives.
#include <gtest/gtest.h>
#include <cute/layout.hpp>
#include <cute/swizzle_layout.hpp>

using namespace cute;

namespace {

template <class A, class B>
void expect_same(A const& a, B const& b) {
  EXPECT_TRUE(bool(a == b));
}

TEST(CuteLayout, MakeAndAsk) {
  auto layout = make_layout(make_shape(Int<2>{}, make_shape(Int<1>{}, Int<6>{})),
                            make_stride(Int<1>{}, make_stride(Int<6>{}, Int<2>{})));
  CUTE_STATIC_ASSERT_V(rank(layout) == Int<2>{});
  CUTE_STATIC_ASSERT_V(depth(layout) == Int<2>{});
  CUTE_STATIC_ASSERT_V(size(layout) == Int<12>{});
  CUTE_STATIC_ASSERT_V(cosize(layout) == Int<12>{});
  static_assert(is_static<decltype(layout)>::value && is_layout<decltype(layout)>::value);
  static_assert(rank_v<decltype(layout)> == 2 && size_v<decltype(layout)> == 12 && cosize_v<decltype(layout)> == 12);
  EXPECT_EQ(coalesce(layout), (Layout<_12, _1>{}));
}

TEST(CuteLayout, DefaultStridesAndOrders) {
  expect_same(make_layout(Shape<_4, _8>{}), make_layout(Shape<_4, _8>{}, LayoutLeft{}));
  expect_same(make_layout(Shape<_4, _8>{}, LayoutRight{}), (Layout<Shape<_4, _8>, Stride<_8, _1>>{}));
  expect_same(make_layout(Shape<_4, _8>{}, GenRowMajor{}), make_ordered_layout(Shape<_4, _8>{}, Step<_1, _0>{}));
  auto dynamic = make_layout(make_shape(4, 8), GenColMajor{});
  EXPECT_EQ(dynamic(3, 7), 31);
  EXPECT_EQ(size<0>(dynamic), 4);
  EXPECT_EQ(int(get<1>(dynamic.stride())), 4);
}

TEST(CuteLayout, CoalesceByMode) {
  auto a = Layout<Shape<_2, Shape<_1, _6>>, Stride<_1, Stride<_6, _2>>>{};
  expect_same(coalesce(a, Step<_1, _1>{}), (Layout<Shape<_2, _6>, Stride<_1, _2>>{}));
}

TEST(CuteLayout, Composition) {
  auto a = Layout<Shape<_6, _2>, Stride<_8, _2>>{};
  auto b = Layout<Shape<_4, _3>, Stride<_3, _1>>{};
  expect_same(composition(a, b), (Layout<Shape<Shape<_2, _2>, _3>, Stride<Stride<_24, _2>, _8>>{}));
  // (12,(4,8)):(59,(13,1)) by mode: <3:4, 8:2>
  auto c = make_layout(make_shape(12, make_shape(4, 8)), make_stride(59, make_stride(13, 1)));
  auto tiler = make_tile(Layout<_3, _4>{}, Layout<_8, _2>{});
  auto r = composition(c, tiler);
  EXPECT_EQ(size<0>(r), 3);
  EXPECT_EQ(size<1>(r), 8);
  EXPECT_EQ(r(1, 0), 4 * 59);
  EXPECT_EQ(r(0, 1), 2 * 13);
}

TEST(CuteLayout, ComplementAndInverses) {
  expect_same(complement(Layout<_4, _1>{}, Int<24>{}), (Layout<_6, _4>{}));
  expect_same(complement(Layout<_6, _4>{}, Int<24>{}), (Layout<_4, _1>{}));
  expect_same(complement(Layout<Shape<_2, _2>, Stride<_1, _6>>{}, Int<24>{}),
              (Layout<Shape<_3, _2>, Stride<_2, _12>>{}));
  auto a = Layout<Shape<_4, _8>, Stride<_8, _1>>{};
  auto inverse = right_inverse(a);
  for (int i = 0; i < size(inverse); ++i) EXPECT_EQ(a(inverse(i)), i);
  auto left = left_inverse(a);
  for (int i = 0; i < size(a); ++i) EXPECT_EQ(left(a(i)), i);
}

TEST(CuteLayout, DividesOfTheDocumentation) {
  auto a = Layout<Shape<_4, _2, _3>, Stride<_2, _1, _8>>{};
  expect_same(logical_divide(a, Layout<_4, _2>{}),
              (Layout<Shape<Shape<_2, _2>, Shape<_2, _3>>, Stride<Stride<_4, _1>, Stride<_2, _8>>>{}));
  auto b = Layout<Shape<_9, Shape<_4, _8>>, Stride<Int<59>, Stride<_13, _1>>>{};
  auto tiler = make_tile(Layout<_3, _3>{}, Layout<Shape<_2, _4>, Stride<_1, _8>>{});
  auto l = logical_divide(b, tiler);
  EXPECT_EQ(size<0>(l), 9);
  auto z = zipped_divide(b, tiler);
  expect_same(layout<0>(z), make_layout(layout<0, 0>(l), layout<1, 0>(l)));
  EXPECT_EQ(rank(tiled_divide(b, tiler)), 3);
  EXPECT_EQ(rank(flat_divide(b, tiler)), 4);
}

TEST(CuteLayout, ProductsOfTheDocumentation) {
  auto a = Layout<Shape<_2, _2>, Stride<_4, _1>>{};
  expect_same(logical_product(a, Layout<_6, _1>{}),
              (Layout<Shape<Shape<_2, _2>, Shape<_2, _3>>, Stride<Stride<_4, _1>, Stride<_2, _8>>>{}));
  auto tile = Layout<Shape<_2, _5>, Stride<_5, _1>>{};
  auto grid = Layout<Shape<_3, _4>, Stride<_1, _3>>{};
  expect_same(blocked_product(tile, grid),
              (Layout<Shape<Shape<_2, _3>, Shape<_5, _4>>, Stride<Stride<_5, _10>, Stride<_1, Int<30>>>>{}));
  expect_same(raked_product(tile, grid),
              (Layout<Shape<Shape<_3, _2>, Shape<_4, _5>>, Stride<Stride<_10, _5>, Stride<Int<30>, _1>>>{}));
  EXPECT_EQ(rank(zipped_product(tile, grid)), 2);
  EXPECT_EQ(size(tiled_product(tile, grid)), 120);
  EXPECT_EQ(size(flat_product(tile, grid)), 120);
}

TEST(CuteLayout, CoordinatesThereAndBack) {
  auto shape = Shape<_3, Shape<_2, _3>>{};
  expect_same(idx2crd(16, shape), make_coord(1, make_coord(1, 2)));
  expect_same(idx2crd(make_coord(1, 5), shape), make_coord(1, make_coord(1, 2)));
  EXPECT_EQ(crd2idx(make_coord(1, make_coord(1, 2)), shape, Stride<_3, Stride<_12, _1>>{}), 17);
  EXPECT_EQ(crd2idx(16, shape, Stride<_3, Stride<_12, _1>>{}), 17);
  expect_same(crd2crd(make_coord(1, 5), make_shape(Int<3>{}, Int<6>{}), shape), make_coord(1, make_coord(1, 2)));
  auto layout = make_layout(shape, Stride<_3, Stride<_12, _1>>{});
  EXPECT_EQ(layout(1, 5), 17);
  EXPECT_EQ(layout(make_coord(1, make_coord(1, 2))), 17);
}

TEST(CuteLayout, SlicingAndModes) {
  auto layout = Layout<Shape<_4, Shape<_2, _3>>, Stride<_1, Stride<_4, _8>>>{};
  expect_same(layout(_, make_coord(1, _)), (Layout<Shape<_4, _3>, Stride<_1, _8>>{}));
  auto [slice, offset] = slice_and_offset(make_coord(_, make_coord(1, _)), layout);
  EXPECT_EQ(int(offset), 4);
  EXPECT_EQ(size(slice), 12);
  expect_same(get<1>(layout), (Layout<Shape<_2, _3>, Stride<_4, _8>>{}));
  expect_same(flatten(layout), (Layout<Shape<_4, _2, _3>, Stride<_1, _4, _8>>{}));
  expect_same(group_modes<0, 2>(flatten(layout)), (Layout<Shape<Shape<_4, _2>, _3>, Stride<Stride<_1, _4>, _8>>{}));
  expect_same(select<1, 0>(layout), make_layout(get<1>(layout), get<0>(layout)));
  expect_same(take<0, 1>(layout), make_layout(get<0>(layout)));
  expect_same(append(Layout<_4, _1>{}, Layout<_2, _4>{}), (Layout<Shape<_4, _2>, Stride<_1, _4>>{}));
}

TEST(CuteLayout, Recasting) {
  auto a = Layout<Shape<_8, _4>, Stride<_1, _8>>{};
  expect_same(upcast<4>(a), (Layout<Shape<_2, _4>, Stride<_1, _2>>{}));
  expect_same(downcast<2>(a), (Layout<Shape<_16, _4>, Stride<_1, _16>>{}));
  expect_same(recast_layout<half_t, float>(a), upcast<2>(a));
}

TEST(CuteLayout, Swizzles) {
  auto atom = composition(Swizzle<3, 0, 3>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{});
  static_assert(is_composed_layout<decltype(atom)>::value && is_layout<decltype(atom)>::value);
  for (int m = 0; m < 8; ++m)
    for (int n = 0; n < 8; ++n) EXPECT_EQ(atom(m, n), 8 * m + (m ^ n));
  expect_same(get_nonswizzle_portion(atom), (Layout<Shape<_8, _8>, Stride<_8, _1>>{}));
  auto tile = tile_to_shape(atom, Shape<_16, _16>{});
  EXPECT_EQ(size(tile), 256);
  CUTE_STATIC_ASSERT_V(cosize(tile) == Int<256>{});
  // A layout in place of a shape stands for its shape.
  auto target = Layout<Shape<_16, _16>, Stride<_16, _1>>{};
  static_assert(is_same_v<decltype(tile_to_shape(atom, target)), decltype(tile)>);
  auto plain = Layout<Shape<_8, _8>>{};
  expect_same(tile_to_shape(plain, target), tile_to_shape(plain, Shape<_16, _16>{}));
  expect_same(tile_to_shape(plain, target, Step<_2, _1>{}), tile_to_shape(plain, Shape<_16, _16>{}, Step<_2, _1>{}));
  static_assert(is_same_v<decltype(get_swizzle_portion(tile)), Swizzle<3, 0, 3>>);
}

TEST(CuteLayout, ProductsOfSwizzledLayouts) {
  auto const atom = composition(Swizzle<3, 0, 3>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{});
  auto const tile = Layout<Shape<_2, _3>>{};
  auto const blocked = blocked_product(atom, tile);
  static_assert(is_same_v<decltype(get_swizzle_portion(blocked)), Swizzle<3, 0, 3>>);
  expect_same(get_nonswizzle_portion(blocked), blocked_product(get_nonswizzle_portion(atom), tile));
  expect_same(get_nonswizzle_portion(raked_product(atom, tile)), raked_product(get_nonswizzle_portion(atom), tile));
  expect_same(get_nonswizzle_portion(zipped_product(atom, tile)), zipped_product(get_nonswizzle_portion(atom), tile));
  expect_same(get_nonswizzle_portion(tiled_product(atom, tile)), tiled_product(get_nonswizzle_portion(atom), tile));
  expect_same(get_nonswizzle_portion(flat_product(atom, tile)), flat_product(get_nonswizzle_portion(atom), tile));
}

TEST(CuteLayout, CommonVectorOfRunTimeExtents) {
  auto const a = make_layout(make_shape(2, _2{}), make_stride(1, _2{}));
  auto const b = make_layout(make_shape(2, _2{}, _4{}), make_stride(4, _8{}, _1{}));
  static_assert(decltype(max_common_vector(a, b))::value == 1);
  EXPECT_EQ(int(max_common_vector(a, b)), 1);  // reaches beyond a: nothing is shared, and nothing thrown
  auto const short_run = make_layout(make_shape(_2{}, 1), make_stride(_1{}, 4));
  EXPECT_EQ(int(max_common_vector(short_run, Layout<Shape<_2, _8>>{})), 2);
  auto const wide = make_layout(make_shape(_4{}, 6), make_stride(_1{}, 4));
  static_assert(decltype(max_common_vector(wide, wide))::value == 4);
  EXPECT_EQ(int(max_common_vector(wide, wide)), 4);
}

TEST(CuteLayout, IdentityLayoutsAndBases) {
  auto id = make_identity_layout(Shape<_4, _8>{});
  expect_same(id(3, 5), make_coord(3, 5));
  expect_same(make_basis_like(Shape<_4, Shape<_2, _2>>{}), make_tuple(E<0>{}, make_tuple(E<1, 0>{}, E<1, 1>{})));
  EXPECT_EQ(basis_get(E<1, 0>{}, make_tuple(1, make_tuple(2, 3))), 2);
}

}  // namespace
