// Wider and narrower elements, and the dealing out of a domain to workers.
#include "families.hpp"
#include "laws.hpp"

namespace tilewright::tests {
namespace {

constexpr bool upcast_laws(layout_value const& a) {
  for (long long n : {1, 2, 3, 4, 8})
    if (!upcast_law(a, n)) return false;
  return true;
}
constexpr bool downcast_laws(layout_value const& a) {
  for (long long n : {1, 2, 3, 4})
    if (!downcast_law(a, n)) return false;
  return true;
}

static_assert(holds_for(family(2, {1, 2, 4}, {0, 1, 2, 4, 8}), 5, upcast_laws));
static_assert(holds_for(family(2, {1, 2, 4}, {-1, 0, 1, 2, 4}), 5, downcast_laws));

TEST(upcast, reaches_the_wide_elements_or_splits_one) {
  expect_for_all(every_layout(), upcast_laws);
  expect_for_all(signed_layouts(), upcast_laws);
}

TEST(downcast, is_undone_by_upcast) {
  expect_for_all(every_layout(), downcast_laws);
  expect_for_all(signed_layouts(), downcast_laws);
}

TEST(upcast, of_a_contiguous_layout_meets_every_wide_element_once) {
  expect_for_all({{2, {2, 4, 8}, {1, 2, 4, 8}}}, [](layout_value const& a) {
    table const offsets = table_of(a);
    bool compact = offsets.distinct();
    for (int i = 0; i < offsets.count; ++i) compact = compact && offsets.contains(i);
    auto const r = upcast(a, 2);
    if (!compact || !r) return true;
    table const wide = table_of(*r);
    bool all = wide.distinct() && wide.count * 2 == offsets.count;
    for (int i = 0; i < wide.count; ++i) all = all && wide.contains(i);
    return all;
  });
}

TEST(recast, goes_through_the_common_width) {
  EXPECT_EQ(text_of(recast(parse_layout("(8,4):(1,8)"), bits{16}, bits{32})), "(4,4):(1,4)");
  EXPECT_EQ(text_of(recast(parse_layout("(8,4):(1,8)"), bits{16}, bits{8})), "(16,4):(1,16)");
  EXPECT_EQ(text_of(recast(parse_layout("(8,4):(1,8)"), bits{6}, bits{4})), "(12,4):(1,12)");
  EXPECT_EQ(text_of(recast(parse_layout("(8,4):(1,8)"), bits{0}, bits{4})), "bad_factor");
  EXPECT_EQ(text_of(upcast(parse_layout("(6,3):(1,9)"), 4)), "cannot_upcast");
  EXPECT_EQ(text_of(upcast(parse_layout("6:1"), 0)), "bad_factor");
  EXPECT_EQ(text_of(downcast(parse_layout("2:4611686018427387904"), 4)), "overflow");
}

TEST(domain_distribute, deals_out_what_divides) {
  expect_for_all({{1, {1, 2, 3, 4, 6, 8}, {0}}, {2, {1, 2, 3, 4, 6}, {0}}, {3, {1, 2, 3, 4}, {0}}},
                 [](layout_value const& shape) {
                   for (long long workers : {1, 2, 3, 4, 6, 8, 32}) {
                     auto const r = domain_distribute(shape_of(shape), workers);
                     if (!r || workers % extent(*r) != 0) return false;
                     table const dealt = table_of(*r);
                     if (!dealt.rising() || dealt.value[dealt.count - 1] >= extent(shape)) return false;
                   }
                   return true;
                 });
  EXPECT_EQ(text_of(domain_distribute(parse_tuple("(4,4)"), 0)), "bad_factor");
  EXPECT_EQ(text_of(domain_distribute(parse_tuple("(4,4)"), -8)), "bad_factor");
}

}  // namespace
}  // namespace tilewright::tests
