// Shapes, strides, coordinates, layouts and tilers are different types: what mixes them does not compile.
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/layout/text.hpp"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

template <class A, class B>
concept composes = requires(A const& a, B const& b) {
  composition(a, b);
};
template <class A, class B>
concept divides = requires(A const& a, B const& b) {
  logical_divide(a, b);
  zipped_product(a, b);
};
template <class A>
concept has_layout_questions = requires(A const& a) {
  cosize(a);
  coalesce(a);
  left_inverse(a);
};
template <class X, class A>
concept is_coordinate_of = requires(X const& x, A const& a) {
  crd2idx(x, a);
  slice(x, a);
};
template <class S>
concept is_shape = requires(S const& s) {
  compact_left(s);
  identity_layout(s);
};
template <class A, class B>
concept compares = requires(A const& a, B const& b) {
  a == b;
};

static_assert(composes<layout_value, layout_value> && composes<layout_value, tiler_value>);
static_assert(!composes<layout_value, tuple_value> && !composes<layout_value, shape_value> &&
              !composes<layout_value, coord_value> && !composes<tuple_value, layout_value> &&
              !composes<shape_value, layout_value>);
static_assert(divides<layout_value, layout_value> && divides<layout_value, tiler_value>);
static_assert(!divides<layout_value, tuple_value> && !divides<layout_value, shape_value> &&
              !divides<shape_value, tiler_value>);
static_assert(has_layout_questions<layout_value> && !has_layout_questions<tuple_value> &&
              !has_layout_questions<shape_value>);
static_assert(is_coordinate_of<coord_value, layout_value> && is_coordinate_of<tuple_value, layout_value>);
static_assert(!is_coordinate_of<layout_value, layout_value> && !is_coordinate_of<shape_value, layout_value> &&
              !is_coordinate_of<coord_value, shape_value>);
static_assert(is_shape<shape_value> && is_shape<tuple_value> && !is_shape<layout_value> && !is_shape<coord_value> &&
              !is_shape<tiler_value>);
static_assert(compares<layout_value, layout_value> && compares<shape_value, tuple_value> &&
              !compares<layout_value, shape_value> && !compares<coord_value, shape_value>);
static_assert(!std::is_convertible_v<tuple_value, layout_value> && !std::is_convertible_v<layout_value, shape_value> &&
              !std::is_constructible_v<layout_value, shape_value> && !std::is_convertible_v<tuple_value, tiler_value>);

TEST(Roles, ALayoutOfAShapeAndStrides) {
  layout_value const a = *make_layout(parse_tuple("((4,2),8)"), parse_tuple("((1,16),4)"));
  EXPECT_EQ(a, parse_layout("((4,2),8):((1,16),4)"));
  EXPECT_EQ(format_tuple(shape_of(a)), "((4,2),8)");
  EXPECT_EQ(format_tuple(stride_of(a)), "((1,16),4)");
  EXPECT_EQ(*make_layout(shape_of(a), stride_of(a)), a);
  auto const mixed = make_layout(parse_tuple("(4,8)"), parse_tuple("(1,(4,8))"));
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, errc::not_congruent);
  EXPECT_EQ(make_layout(parse_tuple("(4,_)"), parse_tuple("(1,4)")).error().code, errc::kept_mode);
}

// The tiler of a tuple goes mode by mode; the same text as a layout is another thing.
TEST(Roles, WhatATextMeansIsSaid) {
  auto const a = parse_layout("(4,8):(8,1)");
  EXPECT_EQ(format_layout(*composition(a, parse_tiler("(2,2)"))), "(2,2):(8,1)");
  EXPECT_EQ(format_layout(*composition(a, parse_layout("(2,2)"))), "(2,2):(8,16)");
  EXPECT_EQ(*crd2idx(parse_tuple("(2,2)"), a), 18);
}

}  // namespace
}  // namespace tilewright
