// The complement fills what a layout leaves out, in rising order and without overlap; it refuses layouts that overlap or
// interlock, whose gaps no set of repetitions fills.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

constexpr bool complement_laws(layout_value const& a) {
  for (long long target : {1, 6, 12, 24})
    if (!complement_law(a, target)) return false;
  return true;
}

/// Do repetitions of A, at offsets chosen freely, cover [0, n) once each for some n that A's size divides? Each offset
/// not yet covered must begin a repetition, so one pass decides.
bool tiles_some_interval(layout_value const& a) {
  table const tile = table_of(a);
  for (int copies = 1; copies <= 8; ++copies) {
    int const n = copies * tile.count;
    std::vector<bool> covered(static_cast<std::size_t>(n) + 1);
    bool fits = true;
    for (int start = 0; start < n && fits; ++start) {
      if (covered[static_cast<std::size_t>(start)]) continue;
      for (int i = 0; i < tile.count && fits; ++i) {
        long long const at = start + tile.value[i];
        fits = at < n && !covered[static_cast<std::size_t>(at)];
        if (fits) covered[static_cast<std::size_t>(at)] = true;
      }
    }
    if (fits) return true;
  }
  return false;
}

static_assert(holds_for(family(2, {1, 2, 3}, {0, 1, 2, 4, 6}), 2,
                        [](layout_value const& a) { return complement_law(a, 12); }));

TEST(complement, is_disjoint_ordered_and_covers_where_strides_divide) {
  expect_for_all({{1, {2, 3}, {5, 7, 9}}}, complement_laws);
  expect_for_all(every_layout(), complement_laws);
  expect_for_all(signed_layouts(), complement_laws);
}

TEST(complement, refuses_only_what_no_repetition_completes) {
  expect_for_all({{2, {2, 3, 4}, {1, 2, 3, 4, 5, 6, 8}}, {3, {2, 3}, {1, 2, 3, 4}}},
                 [](layout_value const& a) { return complement(a, 24) || !tiles_some_interval(a); });
}

TEST(complement, of_its_own_gaps) {
  EXPECT_EQ(text_of(complement(parse_layout("(2,2):(1,6)"))), "3:2");
  EXPECT_EQ(text_of(complement(parse_layout("4:2"))), "2:1");
  EXPECT_EQ(text_of(complement(parse_layout("4:1"))), "1:0");
}

TEST(complement, in_a_target_of_several_modes) {
  expect_for_all({{1, {1, 2, 3, 4}, {1, 2, 3}}, {2, {2, 3}, {1, 2, 3, 4, 6}}},
                 {{2, {1, 2, 3, 4, 6}, {0}}, {3, {1, 2, 3}, {0}, family::nesting::left}},
                 [](layout_value const& a, int_tree const& target) {
                   auto const r = complement(a, target), flat = complement(a, extent(target));
                   return static_cast<bool>(r) == static_cast<bool>(flat) && (!r || same_function(*r, *flat));
                 });
  EXPECT_EQ(text_of(complement(parse_layout("4:1"), parse_tuple("(8,6)"))), "12:4");
  EXPECT_EQ(text_of(complement(parse_layout("4:2"), parse_tuple("(0,4)"))), "(2,0):(1,8)");
}

TEST(complement, names_what_is_wrong) {
  EXPECT_EQ(text_of(complement(parse_layout("(4,2):(1,2)"), 16)), "not_injective");
  EXPECT_EQ(text_of(complement(parse_layout("4:-1"), 16)), "negative_stride");
  EXPECT_EQ(text_of(complement(parse_layout("4:1"), -1)), "bad_extent");
  EXPECT_EQ(text_of(complement(parse_layout("(4,2):(1,4611686018427387904)"), 16)), "overflow");
}

}  // namespace
}  // namespace tilewright::tests
