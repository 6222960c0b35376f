// Measures, coordinates, comparisons of shapes, and the layouts of a shape.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

constexpr bool measures_law(layout_value const& a) {
  if (*size(a) != extent(a)) return false;
  long long low = 0, high = 0;
  for (long long i = 0; i < extent(a); ++i) {
    low = a(i) < low ? a(i) : low;
    high = a(i) > high ? a(i) : high;
  }
  return *cosize(a) == (extent(a) == 0 ? 0 : 1 + high - low);
}

/// Index to coordinate and back, leaf by leaf.
constexpr bool coordinates_law(layout_value const& a) {
  if (idx2crd(extent(a), shape_of(a)) || idx2crd(-1, shape_of(a)) || crd2idx(extent(a), a) || crd2idx(-1, a))
    return false;
  for (long long i = 0; i < extent(a); ++i) {
    auto const x = idx2crd(i, shape_of(a));
    if (!x || !same_profile(*x, x->root(), a, a.root())) return false;
    long long rest = i;
    for (int k = 0; k < a.leaves; ++k) {
      if (x->shape[k].number != rest % a.shape[k].number) return false;
      rest /= a.shape[k].number;
    }
    if (*crd2idx(*x, a) != a(i) || *crd2idx(i, a) != a(i)) return false;
  }
  return true;
}

/// Offset to coordinate and back, where the layout has a left inverse.
constexpr bool offsets_law(layout_value const& a) {
  if (!left_inverse(a) || extent(a) == 0) return true;
  for (long long i = 0; i < extent(a); ++i) {
    auto const x = offset2crd(a(i), a);
    if (!x || !(*x == *idx2crd(i, shape_of(a)))) return false;
  }
  for (long long offset = 0; offset < *cosize(a) + 2; ++offset)
    if (static_cast<bool>(offset2crd(offset, a)) != table_of(a).contains(offset)) return false;
  return true;
}

static_assert(holds_for(family(2, {0, 1, 3}, {-2, 0, 1, 4}), 3, measures_law));
static_assert(holds_for(family(2, {0, 1, 3}, {-2, 0, 1, 4}), 5, coordinates_law));
static_assert(holds_for(family(2, {1, 2}, {1, 2, 4}), 3, offsets_law));

TEST(measures, count_coordinates_and_offsets) {
  expect_for_all(every_layout(), measures_law);
  expect_for_all(signed_layouts(), measures_law);
}
TEST(coordinates, of_an_index_and_back) {
  expect_for_all(every_layout(), coordinates_law);
  expect_for_all(signed_layouts(), coordinates_law);
}
TEST(coordinates, of_an_offset_and_back) { expect_for_all(every_layout(), offsets_law); }

TEST(coordinates, at_any_depth) {
  auto const a = parse_layout("((4,2),8):((1,16),4)");
  auto const at = [&](char const* x) { return text_of(crd2idx(parse_tuple(x), a)); };
  EXPECT_EQ(at("63"), "47");
  EXPECT_EQ(at("(7,7)"), "47");
  EXPECT_EQ(at("((3,1),7)"), "47");
  EXPECT_EQ(at("((3,_),7)"), "31");
  EXPECT_EQ(at("64"), "coordinate_out_of_range");
  EXPECT_EQ(at("(8,0)"), "coordinate_out_of_range");
  EXPECT_EQ(at("((0,2),0)"), "coordinate_out_of_range");
  EXPECT_EQ(at("(1,2,3)"), "rank_mismatch");
  EXPECT_EQ(at("((0,0,0),1)"), "rank_mismatch");
  EXPECT_EQ(at("(0,(1,1))"), "rank_mismatch");
}

TEST(identity_layout, maps_each_coordinate_to_itself) {
  auto const a = *identity_layout(parse_tuple("((4,2),8)"));
  EXPECT_EQ(format_layout(a), "((4,2),8):((1@0@0,1@1@0),1@1)");
  for (long long i = 0; i < 64; ++i) EXPECT_EQ(*offset_at(tuple_of({i}), a), *idx2crd(i, shape_of(a)));
  EXPECT_EQ(text_of(crd2idx(3, a)), "basis_mismatch");
  EXPECT_EQ(text_of(identity_layout(parse_tuple("(((((2)))))"))), "basis_mismatch");
}

/// B's coordinates contain A's: the definition, by enumeration of the ways to nest.
bool compatible_by_definition(int_tree const& a, int_tree const& b) { return refines(a, b); }

TEST(compatible, is_refinement_with_equal_sizes) {
  families const shapes{
      {1, {1, 2, 4, 6}, {0}}, {2, {1, 2, 3}, {0}}, {3, {1, 2}, {0}, family::nesting::left}, {3, {1, 2, 3}, {0}}};
  expect_for_all(shapes, shapes, [](int_tree const& a, int_tree const& b) {
    return compatible(a, b) == compatible_by_definition(a, b) && (!congruent(a, b) || congruent(b, a)) &&
           (!compatible(a, b) || weakly_compatible(a, b)) &&
           (!(compatible(a, b) && compatible(b, a)) ||
            same_function(*compact_left(shape_value(a)), *compact_left(shape_value(b))));
  });
  expect_for_all(shapes, [](int_tree const& a) { return compatible(a, a) && congruent(a, a); });
  EXPECT_TRUE(weakly_compatible(parse_tuple("(2,4)"), parse_tuple("(6,(2,4))")));
  EXPECT_FALSE(weakly_compatible(parse_tuple("(4,4)"), parse_tuple("(6,(2,4))")));
  EXPECT_FALSE(congruent(parse_tuple("(2,4)"), parse_tuple("(6,(2,4))")));
  EXPECT_TRUE(congruent(parse_tuple("(2,(4,1))"), parse_tuple("(6,(2,4))")));
}

constexpr bool compact_law(layout_value const& shape) {
  auto const left = compact_left(shape_of(shape)), right = compact_right(shape_of(shape));
  if (!left || !right) return false;
  for (long long i = 0; i < extent(shape); ++i)
    if ((*left)(i) != i) return false;
  table const back = table_of(*right);
  bool all = back.distinct();
  for (int i = 0; i < back.count; ++i) all = all && back.contains(i);
  long long position = 1;
  for (int i = shape.leaves - 1; i >= 0; --i) {
    bool const one = shape.shape[i].number == 1;
    all = all && right->stride[i].number == (one ? 0 : position);
    if (!one) position *= shape.shape[i].number;
  }
  return all;
}

static_assert(holds_for(family(2, {0, 1, 2, 3}, {0}), 1, compact_law));

TEST(compact, numbers_the_coordinates) {
  expect_for_all({{1, {0, 1, 4}, {0}}, {2, {0, 1, 2, 3}, {0}}, {3, {1, 2, 3}, {0}, family::nesting::right}},
                 compact_law);
}

TEST(compact_order, ranks_the_modes) {
  auto const by = [](char const* shape, char const* order) {
    return text_of(compact_order(parse_tuple(shape), parse_tuple(order)));
  };
  EXPECT_EQ(by("(2,3,4)", "(0,1,2)"), "(2,3,4):(1,2,6)");
  EXPECT_EQ(by("(2,3,4)", "(2,1,0)"), "(2,3,4):(12,4,1)");
  EXPECT_EQ(by("(2,3,4)", "(7,-1,7)"), "(2,3,4):(3,1,6)");
  EXPECT_EQ(by("((2,5),3,1)", "(1,0,0)"), "((2,5),3,1):((3,6),1,0)");
  EXPECT_EQ(by("((2,5),3)", "((1,0),2)"), "((2,5),3):((5,1),10)");
  EXPECT_EQ(by("(2,3)", "(1,0,2)"), "rank_mismatch");
  EXPECT_EQ(by("(2,3)", "((1,0),2)"), "rank_mismatch");
  EXPECT_EQ(by("(2,3)", "(_,0)"), "kept_mode");
}

}  // namespace
}  // namespace tilewright::tests
