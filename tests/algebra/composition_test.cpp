// Composition: R(i) == A(B(i)) for every pair of the families, and refusals only where a search finds no layout.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

static_assert(holds_for(family(2, {2, 4}, {1, 2, 8}), 5, family(1, {1, 2, 4}, {0, 1, 2, 3}), 1, composition_law));
static_assert(holds_for(family(2, {2, 3}, {1, 4}), 3, family(2, {2, 3}, {1, 2, 3}), 5, composition_law));

TEST(composition, visits_a_in_the_order_of_b_or_there_is_no_such_layout) {
  expect_for_all(left_operands(), right_operands(), composition_law);
}

TEST(composition, walks_backwards_from_the_origin) {
  expect_for_all(left_operands(), signed_layouts(), composition_law);
  expect_for_all(signed_layouts(), {{1, {2, 4}, {1, 2}}, {2, {2, 3}, {1, 2, 3}}}, composition_law);
}

TEST(composition, through_three_modes) {
  expect_for_all({{3, {2, 4}, {1, 2, 16}}}, {{1, {2, 3, 4, 8}, {1, 2, 3, 4, 5, 6, 9}}, {2, {2, 4}, {1, 2, 3, 4, 8}}},
                 composition_law);
}

TEST(composition, nests_as_b_does) {
  expect_for_all({{2, {4, 6}, {1, 6}}}, {{3, {1, 2, 3}, {1, 2, 4}, family::nesting::left}}, composition_law);
}

TEST(composition, refuses_modes_that_carry) {
  EXPECT_EQ(text_of(composition(parse_layout("(4,2):(1,8)"), parse_layout("(2,2):(1,3)"))), "modes_carry");
  // The walks carry twice and the carries cancel: that is a layout.
  EXPECT_EQ(text_of(composition(parse_layout("(2,2,2):(1,3,5)"), parse_layout("(2,2):(3,1)"))), "(2,2):(4,1)");
}

TEST(composition, finds_layouts_that_divisibility_misses) {
  EXPECT_EQ(text_of(composition(parse_layout("(4,4):(1,8)"), parse_layout("3:5"))), "3:9");
}

TEST(composition, names_what_is_wrong) {
  EXPECT_EQ(text_of(composition(parse_layout("8:1"), parse_layout("4:3"))), "out_of_domain");
  EXPECT_EQ(text_of(composition(parse_layout("(4,6):(1,8)"), parse_layout("8:3"))), "stride_does_not_divide");
  EXPECT_EQ(text_of(composition(parse_layout("(4,6):(1,8)"), parse_layout("6:1"))), "shape_does_not_divide");
}

TEST(composition, by_mode) {
  auto const a = parse_layout("((4,2),8):((1,16),4)");
  auto const by = [&](char const* tiler) { return text_of(composition(a, tiler_value{parse_tiler(tiler)})); };
  EXPECT_EQ(by("<2:4,4:2>"), "(2,4):(16,8)");
  EXPECT_EQ(by("<_,4>"), "((4,2),4):((1,16),4)");
  EXPECT_EQ(by("<(2,2)>"), "((2,2)):((1,16))");
  EXPECT_EQ(by("<1,2,3>"), "rank_mismatch");
}

/// A tuple of integers, as a shape is read: its leaves have no strides.
tiler_value counts(char const* tuple) { return {parse_tuple(tuple)}; }

TEST(composition, by_integers_is_by_layouts_that_count) {
  auto const a = parse_layout("(4,8):(1,4)");
  EXPECT_EQ(text_of(composition(a, counts("(2,2)"))), "(2,2):(1,4)");
  EXPECT_EQ(text_of(composition(a, counts("(1,3)"))), "(1,3):(0,4)");
  EXPECT_EQ(text_of(composition(a, counts("8"))), "8:1");
  EXPECT_EQ(text_of(composition(a, counts("(5,2)"))), "out_of_domain");
  // What an integer n says of a mode is what n:1 says of it, refusals included.
  expect_for_all({{2, {2, 3, 4}, {0, 1, 3, 8}}}, {{2, {1, 2, 3, 4}, {0}}}, [](auto const& b, auto const& tiles) {
    long long const m = extent(mode_of(tiles, 0)), n = extent(mode_of(tiles, 1));
    auto const counting = [](long long k) {
      return layout_value(leaf_tree(constant_leaf(k), constant_leaf(k == 1 ? 0 : 1)));
    };
    return text_of(composition(b, tiler_value{tuple_of({m, n})})) ==
           text_of(composition(b, tiler_value::of({counting(m), counting(n)})));
  });
}

TEST(composition, along_basis_elements) {
  auto const a = parse_layout("((4,2),8):((1,16),4)");
  EXPECT_EQ(text_of(composition(a, parse_layout("(8,4):(1@1,1@0)"))), "(8,4):(4,1)");
  EXPECT_EQ(text_of(composition(a, parse_layout("(2,2):(1@0@0,1@1@0)"))), "(2,2):(1,16)");
  EXPECT_EQ(text_of(composition(a, parse_layout("(2,2):(2@0,4@0)"))), "(2,2):(2,16)");
  EXPECT_EQ(text_of(composition(a, parse_layout("(2,2):(1@0,3@0)"))), "modes_carry");
  EXPECT_EQ(text_of(composition(a, parse_layout("16:1@0"))), "out_of_domain");
  EXPECT_EQ(text_of(composition(a, parse_layout("2:1@2"))), "basis_mismatch");
}

TEST(composition, with_shape_keeps_the_function) {
  expect_for_all({{2, {2, 4, 6}, {1, 4, 8}}}, {{2, {1, 2, 3, 4, 6}, {0}}}, [](auto const& a, auto const& shape) {
    auto const r = with_shape(a, shape_of(shape));
    if (!r) return !composable_by_search(a, *compact_left(shape_of(shape)));
    bool same = refines(shape, *r);
    for (long long i = 0; i < extent(shape); ++i) same = same && (*r)(i) == a(i);
    return same;
  });
}

}  // namespace
}  // namespace tilewright::tests
