// The two faces against each other where a tiler is made of integers: what a tuple type such as Shape<_2,_4> says of a
// layout type, the tuple (2,4) says of the layout's value. By hand where the answer is short.
#include <gtest/gtest.h>

#include "tilewright/algebra/to_value.hpp"
#include "tilewright/algebra/value_face.hpp"
#include "tilewright/layout/text.hpp"

namespace tilewright {
namespace {

/// Composition and all divisions on both faces. `tiler` is a tuple of integers, `text` the same as text.
template <class L, class T>
void expect_that_faces_agree(L const& layout, T const& tiler, char const* text) {
  layout_value const a = to_value(layout);
  tiler_value const t{parse_tuple(text)};
  auto const expect = [&](char const* operation, layout_value const& typed, result<layout_value> const& value) {
    ASSERT_TRUE(value) << operation << ' ' << format_layout(a) << " by " << text << ": " << to_string(value.error());
    EXPECT_EQ(format_layout(typed), format_layout(*value)) << operation << ' ' << format_layout(a) << " by " << text;
  };
  expect("composition", to_value(composition(layout, tiler)), composition(a, t));
  expect("logical_divide", to_value(logical_divide(layout, tiler)), logical_divide(a, t));
  expect("zipped_divide", to_value(zipped_divide(layout, tiler)), zipped_divide(a, t));
  expect("tiled_divide", to_value(tiled_divide(layout, tiler)), tiled_divide(a, t));
  expect("flat_divide", to_value(flat_divide(layout, tiler)), flat_divide(a, t));
}

TEST(faces, agree_on_tilers_of_integers) {
  expect_that_faces_agree(Layout<Shape<_4, _8>, Stride<_1, _4>>{}, Shape<_2, _2>{}, "(2,2)");
  expect_that_faces_agree(Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Shape<_2, _4>{}, "(2,4)");
  expect_that_faces_agree(Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Shape<_1, _8>{}, "(1,8)");
  expect_that_faces_agree(Layout<Shape<Shape<_2, _4>, _6>, Stride<Stride<_12, _24>, _1>>{}, Shape<_4, _3>{}, "(4,3)");
  expect_that_faces_agree(Layout<Shape<Shape<_2, _4>, _6>, Stride<Stride<_1, _12>, _2>>{}, Shape<Shape<_1, _2>, _3>{},
                          "((1,2),3)");
  expect_that_faces_agree(Layout<_24, _3>{}, _4{}, "4");
}

TEST(faces, agree_on_tilers_whose_integers_are_known_at_run_time) {
  int const m = 8, n = 6, two = 2, three = 3;
  expect_that_faces_agree(make_layout(make_shape(m, n)), make_shape(two, three), "(2,3)");
  expect_that_faces_agree(make_layout(make_shape(_8{}, n), make_stride(n, _1{})), make_shape(_4{}, three), "(4,3)");
  expect_that_faces_agree(make_layout(make_shape(m, _6{}), make_stride(_1{}, m)), make_shape(two, _3{}), "(2,3)");
}

TEST(faces, agree_on_products_by_integers) {
  auto const expect = [](auto const& layout, auto const& tiler, char const* text) {
    layout_value const a = to_value(layout);
    tiler_value const t{parse_tuple(text)};
    EXPECT_EQ(format_layout(to_value(logical_product(layout, tiler))), format_layout(logical_product(a, t).value()));
    EXPECT_EQ(format_layout(to_value(zipped_product(layout, tiler))), format_layout(zipped_product(a, t).value()));
  };
  expect(Layout<Shape<_4, _8>, Stride<_1, _4>>{}, Shape<_1, _2>{}, "(1,2)");
  expect(Layout<Shape<_2, _4>, Stride<_4, _1>>{}, Shape<_2, _3>{}, "(2,3)");
  expect(Layout<_4>{}, _6{}, "6");
}

TEST(faces, say_of_integers_what_one_works_out_by_hand) {
  constexpr auto columns = Layout<Shape<_4, _8>, Stride<_1, _4>>{};
  EXPECT_EQ(format_layout(to_value(composition(columns, Shape<_2, _2>{}))), "(2,2):(1,4)");
  EXPECT_EQ(format_layout(*composition(to_value(columns), tiler_value{parse_tuple("(2,2)")})), "(2,2):(1,4)");
  EXPECT_EQ(format_layout(*zipped_divide(to_value(columns), tiler_value{parse_tuple("(2,4)")})),
            "((2,4),(2,2)):((1,4),(2,16))");
  EXPECT_EQ(format_layout(*logical_divide(to_value(columns), tiler_value{parse_tuple("(1,8)")})),
            "((1,4),(8,1)):((0,1),(4,0))");
}

}  // namespace
}  // namespace tilewright
