// Inverses, nullspace and the vector two layouts have in common.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

static_assert(holds_for(family(2, {1, 2, 4}, {0, 1, 2, 4, 8}), 2, right_inverse_law));
static_assert(holds_for(family(2, {1, 2, 4}, {0, 1, 2, 4, 8}), 2, left_inverse_law));
static_assert(holds_for(family(2, {1, 2, 4}, {0, 1, 4}), 1, nullspace_law));
static_assert(holds_for(family(2, {1, 2}, {1, 2}), 1, family(2, {2}, {1, 2}), 1, max_common_layout_law));

TEST(right_inverse, finds_the_index_of_each_offset) {
  expect_for_all(every_layout(), right_inverse_law);
  expect_for_all(signed_layouts(), right_inverse_law);
}

TEST(left_inverse, undoes_the_layout_or_there_is_no_such_layout) {
  expect_for_all(every_layout(), left_inverse_law);
  expect_for_all(signed_layouts(), left_inverse_law);
  EXPECT_EQ(text_of(left_inverse(parse_layout("(4,2):(1,2)"))), "no_left_inverse");
  EXPECT_EQ(text_of(left_inverse(parse_layout("4:0"))), "no_left_inverse");
  EXPECT_EQ(text_of(left_inverse(parse_layout("4:-1"))), "negative_stride");
}

TEST(inverses, agree_on_bijections) {
  expect_for_all({{2, {1, 2, 3, 4}, {0, 1, 2, 3, 4}}, {3, {2, 3}, {1, 2, 3, 4, 6, 9}}}, [](layout_value const& a) {
    table const offsets = table_of(a);
    bool compact = offsets.distinct();
    for (int i = 0; i < offsets.count; ++i) compact = compact && offsets.contains(i);
    if (!compact) return true;
    auto const left = left_inverse(a), right = right_inverse(a);
    return left && right && same_function(*left, *right);
  });
}

TEST(nullspace, visits_what_does_not_move_the_offset) {
  expect_for_all(every_layout(), nullspace_law);
  expect_for_all(signed_layouts(), nullspace_law);
}

TEST(max_common_layout, is_contiguous_in_both) {
  expect_for_all(left_operands(), {{1, {1, 4, 8}, {0, 1, 2}}, {2, {1, 2, 3, 4}, {0, 1, 2, 3, 4}}},
                 max_common_layout_law);
}

TEST(max_common_layout, is_the_whole_where_both_are_one_bijection) {
  expect_for_all({{2, {2, 3, 4}, {1, 2, 3, 4}}, {3, {2, 3}, {1, 2, 4, 6}}}, [](layout_value const& a) {
    auto const inverse = right_inverse(a);
    return !inverse || extent(*inverse) != extent(a) || *max_common_vector(a, a) == extent(a);
  });
}

TEST(max_common_layout, follows_either_order) {
  EXPECT_EQ(text_of(max_common_vector(parse_layout("(4,8):(8,1)"), parse_layout("(4,8):(8,1)"))), "32");
  EXPECT_EQ(text_of(max_common_vector(parse_layout("(4,8):(8,1)"), parse_layout("(4,8):(1,4)"))), "1");
  EXPECT_EQ(text_of(max_common_layout(parse_layout("(4,8):(16,1)"), parse_layout("(4,8):(8,1)"))), "8:4");
}

}  // namespace
}  // namespace tilewright::tests
