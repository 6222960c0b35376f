// cute::array as a tuple of integers, steps along a basis, and questions about `_`: what CuTe 4 prints.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include "printed.hpp"

using namespace cute;

namespace {

using tilewright::tests::printed;

array<int, 3> const extents{{2, 3, 4}};

TEST(CuteArrayTuple, ShapesAndStrides) {
  EXPECT_EQ(printed(make_layout(extents)), "(2,3,4):(_1,2,6)");
  EXPECT_EQ(printed(make_layout(extents, extents)), "(2,3,4):(2,3,4)");
  EXPECT_EQ(printed(make_layout(extents, compact_row_major(extents))), "(2,3,4):(12,4,_1)");
  EXPECT_EQ(printed(make_layout(make_shape(extents, _2{}))), "((2,3,4),_2):((_1,2,6),24)");
  EXPECT_EQ(printed(make_identity_tensor(extents)), "ArithTuple(_0,_0,_0) o (2,3,4):(_1@0,_1@1,_1@2)");
  float values[24] = {};
  EXPECT_EQ(printed(make_tensor(&values[0], extents).layout()), "(2,3,4):(_1,2,6)");
  EXPECT_EQ(printed(make_tensor(&values[0], extents, compact_row_major(extents)).layout()), "(2,3,4):(12,4,_1)");
}

TEST(CuteArrayTuple, Measures) {
  EXPECT_EQ(product(extents), 24);
  EXPECT_EQ(size(extents), 24);
  EXPECT_EQ(printed(rank(extents)), "_3");
  EXPECT_EQ(printed(depth(extents)), "_1");
  EXPECT_EQ(sum(extents), 9);
  EXPECT_EQ(inner_product(extents, extents), 29);
  EXPECT_EQ(cute::max(extents), 4);
  EXPECT_EQ(cute::min(extents), 2);
  EXPECT_EQ(gcd(extents), 1);
  EXPECT_TRUE((is_tuple<array<int, 3>>::value));
  EXPECT_TRUE(elem_less(extents, make_tuple(3, 4, 5)));
  EXPECT_FALSE(elem_less(extents, extents));
}

TEST(CuteArrayTuple, Coordinates) {
  EXPECT_EQ(crd2idx(7, extents), 7);
  EXPECT_EQ(crd2idx(make_coord(1, 1, 1), extents), 9);
  EXPECT_EQ(printed(idx2crd(7, extents)), "(1,0,1)");
  EXPECT_EQ(crd2idx(make_coord(extents, 1), make_shape(make_shape(4, 4, 8), 2)), 206);
}

TEST(CuteArrayTuple, Entries) {
  EXPECT_EQ(printed(tuple_cat(extents, make_tuple(1))), "(2,3,4,1)");
  EXPECT_EQ(printed(append(extents, 5)), "(2,3,4,5)");
  EXPECT_EQ(printed(append<5>(extents, 1)), "(2,3,4,1,1)");
  EXPECT_EQ(printed(prepend(extents, 5)), "(5,2,3,4)");
  EXPECT_EQ(printed(take<0, 2>(extents)), "(2,3)");
  EXPECT_EQ(printed(select<2, 0>(extents)), "(4,2)");
  EXPECT_EQ(printed(group<0, 2>(extents)), "((2,3),4)");
  EXPECT_EQ(printed(replace<1>(extents, 9)), "(2,9,4)");
  EXPECT_EQ(printed(insert<1>(extents, 9)), "(2,9,3,4)");
  EXPECT_EQ(printed(cute::remove<1>(extents)), "(2,4)");
  EXPECT_EQ(printed(wrap(extents)), "(2,3,4)");
  EXPECT_EQ(printed(flatten(make_tuple(extents, 1))), "(2,3,4,1)");
  EXPECT_EQ(printed(zip(extents, extents)), "((2,2),(3,3),(4,4))");
  EXPECT_EQ(front(extents), 2);
  EXPECT_EQ(back(extents), 4);
  EXPECT_EQ(printed(repeat_like(extents, _1{})), "(_1,_1,_1)");
  EXPECT_EQ(printed(shape_div(extents, 2)), "(1,3,4)");
  EXPECT_EQ(printed(ceil_div(extents, make_tuple(2, 2, 2))), "(1,2,2)");
  EXPECT_EQ(printed(elem_scale(extents, extents)), "(4,9,16)");
  EXPECT_EQ(printed(transform_leaf(extents, [](auto v) { return v + 1; })), "(3,4,5)");
  auto [a, b, c] = array<int, 3>{{5, 6, 7}};
  EXPECT_EQ(a * 100 + b * 10 + c, 567);
}

TEST(CuteBasisSteps, IteratorsAndQuotients) {
  auto const it = make_inttuple_iter(make_coord(1, 2));
  EXPECT_EQ(printed(it + E<0>{}), "ArithTuple(2,2)");
  EXPECT_EQ(printed(*(it + E<1>{} * 3)), "(1,5)");
  EXPECT_EQ(printed(it[E<1>{}]), "(1,3)");
  EXPECT_EQ(printed(safe_div(E<0>{} * _8{}, _2{})), "_4@0");
  EXPECT_EQ(printed(safe_div(E<0>{} * 8, 2)), "4@0");
  EXPECT_EQ(printed(safe_div(E<1, 0>{} * _8{}, 4)), "2@0@1");
}

TEST(CuteUnderscore, OfTheTypeItself) {
  EXPECT_TRUE(is_underscore<Underscore>::value);
  EXPECT_FALSE(is_underscore<decltype(_)>::value);
  EXPECT_FALSE(has_underscore<decltype(_)>::value);
  EXPECT_TRUE(has_underscore<decltype(make_tuple(_, 1))>::value);
}

}  // namespace
